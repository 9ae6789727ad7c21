import type { ChildProcessWithoutNullStreams } from "node:child_process";

import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Logger } from "@toolgate/contracts";

import { type Clock, settlesWithin } from "../connection/clock.ts";
import type { CloseReason } from "../connection/connection.ts";
import { InputClosedError, OversizedAnswer, type ServerLink, UndeliveredError } from "../connection/server-link.ts";
import type { RegisteredChild } from "../process/child-registry.ts";
import { endProcessTree } from "../process/end-process-tree.ts";
import { whenSupervisorIsIdle } from "../process/supervisor.ts";
import { MessageLines } from "./message-lines.ts";
import { findAnsweredId, parseMessageLine } from "./parse-message.ts";
import { lastLines, type StderrRing } from "./stderr-ring.ts";

/** Bytes of one message, and of what may wait to be read by a server. */
const MESSAGE_LIMIT = 67_108_864;
/** Milliseconds for the pipes of an ended child to run dry; a grandchild may hold them open for ever. */
const DRAIN_LIMIT = 500;
const LOGGED_CHARACTERS = 200;
const STRAY_CHARACTERS = 80;

/** What a transport over a child process is made from. */
export interface StdioTransportInput {
  child: ChildProcessWithoutNullStreams;
  /** Absent when the child could not be started. */
  registered: RegisteredChild | undefined;
  ready: Promise<void>;
  stderr: StderrRing;
  redact: (text: string) => string;
  logger: Logger;
  platform: NodeJS.Platform;
  clock: Clock;
  messageLimit?: number;
}

/** Speaks to a child process: one JSON message per line on its standard input and output. */
export class StdioTransport implements Transport, ServerLink {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly ready: Promise<void>;
  readonly closed: Promise<CloseReason>;
  readonly #input: StdioTransportInput;
  readonly #limit: number;
  readonly #exited: Promise<void>;
  #resolveClosed: (reason: CloseReason) => void = () => {};
  #closeReason: CloseReason | undefined;
  #protocolVersion: string | undefined;
  #lastRequestId: string | number | undefined;
  #inputClosed = false;
  #strayOutput: string | undefined;
  /** Messages that wait for a handler of the SDK to have run. */
  #held: JSONRPCMessage[] | undefined;
  #ending: Promise<void> | undefined;

  constructor(input: StdioTransportInput) {
    this.#input = input;
    this.#limit = input.messageLimit ?? MESSAGE_LIMIT;
    this.ready = input.ready;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    const { child } = input;
    // An ended child whose pipes are held open by a grandchild is over as well.
    const drained = new Promise<void>((resolve) => {
      child.once("close", () => resolve());
    });
    this.#exited = new Promise((resolve) => {
      child.once("exit", () => {
        resolve();
        void this.#reportExit(drained);
      });
    });
    child.stdin.on("error", (error) => {
      this.#log("The server's input is closed", error.message);
      void this.#reportSilence("closed its input");
    });
    child.stderr.on("data", (chunk: Buffer) => input.stderr.push(chunk));
    child.stdout.on("error", () => {});
    child.stderr.on("error", () => {});
  }

  get transport(): Transport {
    return this;
  }

  get pid(): number | undefined {
    return this.#input.child.pid;
  }

  get closeReason(): CloseReason | undefined {
    return this.#closeReason;
  }

  get protocolVersion(): string | undefined {
    return this.#protocolVersion;
  }

  get lastRequestId(): string | number | undefined {
    return this.#lastRequestId;
  }

  get strayOutput(): string | undefined {
    return this.#strayOutput;
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  stderr(): string {
    return this.#input.stderr.text();
  }

  /** Starts to read. The process itself was started before. */
  start(): Promise<void> {
    const lines = new MessageLines(this.#limit, {
      line: (text) => this.#receive(text),
      oversized: (head, tail, bytes) => this.#receiveOversized(head, tail, bytes),
    });
    const { stdout } = this.#input.child;
    stdout.on("data", (chunk: Buffer) => lines.push(chunk));
    stdout.once("end", () => {
      lines.end();
      void this.#reportSilence("closed its output");
    });
    return Promise.resolve();
  }

  // Resolves without waiting for the pipe: a server that stops reading must not hold a caller beyond its own timeout.
  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#input.child;
    if (this.#closeReason !== undefined || this.#inputClosed || !stdin.writable) {
      return Promise.reject(new InputClosedError("the server's input is closed"));
    }
    const text = `${JSON.stringify(message)}\n`;
    const size = text.length;
    if (size > this.#limit) {
      return Promise.reject(
        new UndeliveredError(`a message of ${size} characters is longer than the limit of ${this.#limit}`, true),
      );
    }
    if (stdin.writableLength + size > this.#limit) {
      return Promise.reject(
        new UndeliveredError(
          `the server does not read its input: ${stdin.writableLength} bytes wait there already`,
          false,
        ),
      );
    }
    if ("method" in message && "id" in message) this.#lastRequestId = message.id;
    stdin.write(text);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#finish({ kind: "closed", message: "The connection was closed by the host." });
    return this.#end();
  }

  /** Ends the tree once, however often and for whatever reason it is asked for. */
  #end(): Promise<void> {
    this.#ending ??= this.#endTree();
    return this.#ending;
  }

  async #endTree(): Promise<void> {
    const { child, registered, clock, platform } = this.#input;
    if (registered !== undefined) {
      await endProcessTree({
        pid: registered.pid,
        marker: registered.marker,
        exited: this.#exited,
        hasExited: () => child.exitCode !== null || child.signalCode !== null,
        endInput: () => child.stdin.end(),
        platform,
        clock,
      });
      registered.release();
    }
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
    await whenSupervisorIsIdle();
  }

  async #reportExit(drained: Promise<void>): Promise<void> {
    await settlesWithin(drained, DRAIN_LIMIT, this.#input.clock);
    const { exitCode, signalCode } = this.#input.child;
    const how = signalCode === null ? `exited with code ${exitCode}` : `was ended by ${signalCode}`;
    this.#finish({
      kind: "exited",
      message: `The server's process ${how}.`,
      exitCode,
      signal: signalCode,
      stderr: lastLines(this.stderr()),
    });
    void this.#end();
  }

  /** A pipe is closed. Mostly the process ends in the same moment, and its exit says more. */
  async #reportSilence(what: string): Promise<void> {
    this.#inputClosed = true;
    if (this.#closeReason !== undefined) return;
    if (await settlesWithin(Promise.race([this.#exited, this.closed]), DRAIN_LIMIT, this.#input.clock)) return;
    this.#finish({
      kind: "failed",
      message: `The server's process ${what} and went on running.`,
      stderr: lastLines(this.stderr()),
    });
    void this.#end();
  }

  #finish(reason: CloseReason): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    this.#resolveClosed(reason);
    this.onclose?.();
  }

  #receive(line: string): void {
    if (this.#closeReason !== undefined) return;
    const { messages, junk } = parseMessageLine(line);
    if (junk !== undefined) {
      this.#log(`The server's output holds ${junk}`, line);
      this.#strayOutput ??= this.#input.redact(line).trim().slice(0, STRAY_CHARACTERS);
    }
    for (const message of messages) this.#deliver(message);
  }

  /**
   * Hands a message to the SDK. It runs the handler of a notification a moment later, and forgets the progress handler of
   * a request at its answer: an answer right behind the last progress report has to wait that moment.
   */
  #deliver(message: JSONRPCMessage): void {
    if (this.#held !== undefined) {
      this.#held.push(message);
      return;
    }
    this.onmessage?.(message);
    if (!("method" in message) || message.method !== "notifications/progress") return;
    this.#held = [];
    queueMicrotask(() => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const later of held) this.#deliver(later);
    });
  }

  #receiveOversized(head: string, tail: string, bytes: number): void {
    const id = findAnsweredId(head, tail);
    this.#input.logger.warn("A message of the server is longer than the limit and was dropped", {
      bytes,
      limit: this.#limit,
    });
    if (id === undefined) return;
    const data = new OversizedAnswer(this.#limit);
    this.#deliver({ jsonrpc: "2.0", id, error: { code: -32603, message: `an answer of ${bytes} bytes`, data } });
  }

  #log(message: string, text: string): void {
    this.#input.logger.debug(message, { text: this.#input.redact(text).slice(0, LOGGED_CHARACTERS) });
  }
}
