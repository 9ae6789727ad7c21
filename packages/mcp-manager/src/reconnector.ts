import type { ErrorCode, ToolgateError } from "@toolgate/contracts";
import type { CloseReason, MCPServerConnection } from "@toolgate/mcp-client";

import { abortable } from "./abortable.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { delay } from "./clock-delay.ts";
import type { Clock } from "./clock.ts";
import { circuitOpenError, closedError, notConnectedError, unavailableError } from "./connection-errors.ts";
import type { ReadyServer } from "./deferred-mcp-tool.ts";
import type { ReconnectDescription, ReconnectPolicy, ReconnectState } from "./reconnect-policy.ts";
import { backOffBefore, STABLE_AFTER_MS } from "./reconnect-policy.ts";
import type { ServerRegistry, ServerStart } from "./server-registry.ts";

/** What a reconnector works with. */
export interface ReconnectorContext {
  policy: ReconnectPolicy;
  clock: Clock;
  registry: ServerRegistry;
  /** Puts a new start with the same config in the place of one. */
  restart: (start: ServerStart) => ServerStart;
  /** Called when the state of a server that does not run has changed. */
  onChange: (start: ServerStart) => void;
}

/** What is known about the drops of one server. It goes from a start to the one that replaces it automatically. */
interface Recovery {
  readonly breaker: CircuitBreaker;
  state: ReconnectState;
  /** Automatic starts since the last success. */
  attempts: number;
  /** The clock's time of the last drop or failure. */
  failedAt: number;
  /** The clock's time of the next attempt, while one is planned. */
  dueAt: number | undefined;
  lastError: ToolgateError | undefined;
  underWay: Promise<ReadyServer> | undefined;
}

/** Another try does not help against these: somebody has to do something first. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  "AUTH_REQUIRED",
  "CONFIG_INVALID",
  "NOT_TRUSTED",
  "PROTOCOL_UNSUPPORTED",
  "SUBSTITUTION_FAILED",
]);

/**
 * Starts dropped servers again, as the policy says: one attempt at a time for each server, with back-off and a breaker.
 *
 * Everything belongs to a start: when a start is removed, or replaced by somebody else, its signal aborts and what was
 * planned for it is over. So a removed server cannot come back this way, and an explicit restart begins afresh.
 */
export class Reconnector {
  readonly #context: ReconnectorContext;
  readonly #recoveries = new WeakMap<ServerStart, Recovery>();

  constructor(context: ReconnectorContext) {
    this.#context = context;
  }

  /** Whether dropped servers are started again without being asked for. */
  get isActive(): boolean {
    return this.#context.policy !== "manual";
  }

  /** Follows a server that has become ready. */
  follow(start: ServerStart, connection: MCPServerConnection): void {
    if (!this.isActive) return;
    const recovery = this.#recoveryOf(start);
    const undo = this.#context.clock.schedule(() => this.#succeed(recovery), STABLE_AFTER_MS);
    void connection.closed.then((reason) => {
      undo();
      return this.#onDrop(start, reason);
    });
  }

  /** Notes that a server has answered a call: it works. */
  answered(server: string): void {
    const start = this.#context.registry.starts.get(server);
    const recovery = start === undefined ? undefined : this.#recoveries.get(start);
    if (recovery !== undefined) this.#succeed(recovery);
  }

  /**
   * Waits for a server, and starts it again when it does not run. The signal ends the waiting, not the start.
   *
   * @throws ToolgateError with the server's own reason, or `NOT_CONNECTED` while its breaker is open
   */
  async reconnect(server: string, signal: AbortSignal | undefined): Promise<ReadyServer> {
    const { registry } = this.#context;
    const start = registry.starts.get(server);
    if (start === undefined) throw notConnectedError(server, undefined);
    try {
      return await abortable(this.#readyAgain(start), signal);
    } catch (error) {
      const known = registry.starts.get(server)?.error;
      throw known !== undefined && known === error ? unavailableError(server, known) : error;
    }
  }

  /** How the reconnecting of a server stands; undefined with the policy `manual`. */
  describe(start: ServerStart): ReconnectDescription | undefined {
    if (!this.isActive) return undefined;
    const { clock } = this.#context;
    const recovery = this.#recoveries.get(start);
    if (recovery === undefined) return { state: "idle", attempts: 0 };
    const { attempts, lastError } = recovery;
    const blockedFor = this.#isDown(start) ? recovery.breaker.blockedFor : 0;
    const isBlocked = recovery.state === "idle" && blockedFor > 0;
    const dueAt = isBlocked ? clock.now() + blockedFor : recovery.dueAt;
    return {
      state: isBlocked ? "open-circuit" : recovery.state,
      attempts,
      ...(dueAt === undefined ? {} : { nextAttemptAt: clock.wallTime() + dueAt - clock.now() }),
      ...(lastError === undefined ? {} : { lastError }),
    };
  }

  #readyAgain(start: ServerStart): Promise<ReadyServer> {
    if (start.error !== undefined && FINAL.has(start.error.code)) return Promise.reject(start.error);
    if (!this.#isDown(start)) return start.ready;
    const recovery = this.#recoveryOf(start);
    const { blockedFor } = recovery.breaker;
    if (blockedFor > 0) return Promise.reject(circuitOpenError(start.name, blockedFor, recovery.lastError));
    return this.#attempt(start, recovery);
  }

  #isDown(start: ServerStart): boolean {
    return this.#context.registry.statusOf(start.name) === "disconnected";
  }

  #onDrop(start: ServerStart, reason: CloseReason): void {
    const { registry, policy } = this.#context;
    if (reason.kind === "closed" || !registry.isCurrent(start)) return;
    const recovery = this.#recoveryOf(start);
    this.#fail(recovery, notConnectedError(start.name, reason));
    if (policy === "background") this.#attemptInBackground(start, recovery);
    else this.#context.onChange(start);
  }

  #attemptInBackground(start: ServerStart, recovery: Recovery): void {
    // Whoever waits for it hears of its failure; nobody has to.
    this.#attempt(start, recovery).catch(() => {});
  }

  #attempt(start: ServerStart, recovery: Recovery): Promise<ReadyServer> {
    recovery.underWay ??= this.#waitAndRestart(start, recovery).finally(() => {
      recovery.underWay = undefined;
    });
    return recovery.underWay;
  }

  async #waitAndRestart(start: ServerStart, recovery: Recovery): Promise<ReadyServer> {
    const { clock, policy, registry, restart } = this.#context;
    try {
      const { blockedFor } = recovery.breaker;
      if (blockedFor > 0) await this.#wait(start, recovery, { state: "open-circuit", milliseconds: blockedFor });
      const pause = backOffBefore(recovery.attempts, policy) - (clock.now() - recovery.failedAt);
      if (pause > 0) await this.#wait(start, recovery, { state: "waiting", milliseconds: pause });
    } catch (error) {
      recovery.state = "idle";
      throw error;
    }
    if (!registry.isCurrent(start)) throw closedError(start.name);
    recovery.breaker.attempt();
    recovery.attempts += 1;
    recovery.state = "connecting";
    const next = restart(start);
    this.#recoveries.set(next, recovery);
    return this.#whenReady(next, recovery);
  }

  async #whenReady(start: ServerStart, recovery: Recovery): Promise<ReadyServer> {
    try {
      return await start.ready;
    } catch (error) {
      await start.settled;
      if (start.error !== undefined) this.#fail(recovery, start.error);
      this.#planAfterFailure(start, recovery);
      throw error;
    } finally {
      recovery.state = "idle";
    }
  }

  #planAfterFailure(start: ServerStart, recovery: Recovery): void {
    const { policy, registry, clock } = this.#context;
    if (policy !== "background" || start.error === undefined || FINAL.has(start.error.code)) return;
    // In a later turn, when this attempt is over.
    clock.nextTurn(() => {
      if (registry.isCurrent(start) && this.#isDown(start)) this.#attemptInBackground(start, recovery);
    });
  }

  async #wait(
    start: ServerStart,
    recovery: Recovery,
    { state, milliseconds }: { state: ReconnectState; milliseconds: number },
  ): Promise<void> {
    const { clock, onChange } = this.#context;
    recovery.state = state;
    recovery.dueAt = clock.now() + milliseconds;
    onChange(start);
    try {
      await delay(milliseconds, clock, start.controller.signal);
    } finally {
      recovery.dueAt = undefined;
    }
  }

  #fail(recovery: Recovery, error: ToolgateError): void {
    recovery.failedAt = this.#context.clock.now();
    recovery.lastError = error;
  }

  #succeed(recovery: Recovery): void {
    recovery.attempts = 0;
    recovery.lastError = undefined;
    recovery.breaker.succeed();
  }

  #recoveryOf(start: ServerStart): Recovery {
    let recovery = this.#recoveries.get(start);
    if (recovery === undefined) {
      recovery = {
        breaker: new CircuitBreaker(this.#context.clock),
        state: "idle",
        attempts: 0,
        failedAt: this.#context.clock.now(),
        dueAt: undefined,
        lastError: undefined,
        underWay: undefined,
      };
      this.#recoveries.set(start, recovery);
    }
    return recovery;
  }
}
