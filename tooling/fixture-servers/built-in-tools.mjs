/** The tools that the fixture servers offer unless their options say otherwise, over stdio and over HTTP alike. */

/**
 * What a call may use.
 *
 * @typedef {object} CallContext
 * @property {AbortSignal} signal aborted by `notifications/cancelled`
 * @property {number} exitCode of `crash`
 * @property {(progress: number, total?: number, message?: string) => void} progress
 * @property {(method: string, params?: unknown) => void} notify
 */

const text = { type: "string" };
const number = { type: "number" };

export const builtInTools = [
  define("echo", "Returns the text", { text }, ["text"], { readOnlyHint: true }),
  define("add", "Adds two numbers", { a: number, b: number }, ["a", "b"], { readOnlyHint: true, idempotentHint: true }),
  define("env", "Returns one variable of the server's environment, or all of it", { name: text }, []),
  define("cwd", "Returns the server's working directory", {}, []),
  define("fail", "Always answers with isError", { message: text }, []),
  define("crash", "Ends the server", {}, [], { destructiveHint: true }),
  define("sleep", "Waits, reporting progress, until the time is over or the call is cancelled", { ms: number }, ["ms"]),
  define("big", "Returns that many bytes of text", { bytes: number }, ["bytes"]),
  define("progress", "Reports that many steps", { steps: number }, ["steps"]),
  define("notify-changed", "Says so many times that the tools have changed", { times: number }, []),
];

/** @param {number} count */
export function numberedTools(count) {
  return Array.from({ length: count }, (_, index) =>
    define(`tool_${index}`, `Tool number ${index}`, { text }, [], undefined),
  );
}

/**
 * @param {string} name
 * @param {Record<string, any>} args
 * @param {CallContext} context
 * @returns {Promise<object | undefined>} nothing when the call was cancelled: no answer is due then
 */
export async function callBuiltIn(name, args, context) {
  switch (name) {
    case "add":
      return { ...textResult(String(args["a"] + args["b"])), structuredContent: { sum: args["a"] + args["b"] } };
    case "env": {
      const value = args["name"] === undefined ? JSON.stringify(process.env) : process.env[args["name"]];
      return textResult(value ?? "");
    }
    case "cwd":
      return textResult(process.cwd());
    case "fail":
      return { ...textResult(args["message"] ?? "it failed"), isError: true };
    case "crash":
      return process.exit(context.exitCode);
    case "sleep":
      return sleep(args["ms"], context);
    case "big":
      return textResult("x".repeat(args["bytes"]));
    case "progress":
      for (let step = 1; step <= args["steps"]; step += 1)
        context.progress(step, args["steps"], `step ${step} of ${args["steps"]}`);
      return textResult("done");
    case "notify-changed":
      for (let sent = 0; sent < (args["times"] ?? 1); sent += 1) context.notify("notifications/tools/list_changed");
      return textResult("notified");
    default:
      // `echo`, and every tool that only its options know.
      return textResult(typeof args["text"] === "string" ? args["text"] : JSON.stringify(args));
  }
}

/**
 * @param {number} milliseconds
 * @param {CallContext} context
 */
function sleep(milliseconds, context) {
  return new Promise((resolve) => {
    let step = 0;
    context.progress(step, undefined, "asleep");
    const ticker = setInterval(
      () => {
        step += 1;
        context.progress(step, undefined, "asleep");
      },
      Math.max(20, Math.min(milliseconds / 4, 1000)),
    );
    const timer = setTimeout(() => finish(textResult("slept")), milliseconds);
    context.signal.addEventListener("abort", () => finish(undefined), { once: true });
    /** @param {object | undefined} result */
    function finish(result) {
      clearInterval(ticker);
      clearTimeout(timer);
      resolve(result);
    }
  });
}

/** @param {string} value */
function textResult(value) {
  return { content: [{ type: "text", text: value }] };
}

/** @param {[name: string, description: string, properties: object, required: string[], annotations?: object]} parts */
function define(...parts) {
  const [name, description, properties, required, annotations] = parts;
  return {
    name,
    description,
    inputSchema: { type: "object", properties, required },
    ...(annotations === undefined ? {} : { annotations }),
  };
}
