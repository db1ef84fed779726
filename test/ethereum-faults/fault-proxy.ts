import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Fault } from "@nodewright/upstream/testing";

/** A call as it goes over the wire. */
export interface ProxiedCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a node answers a call, as it goes over the wire. */
export type ProxiedAnswer = Readonly<Record<string, unknown>>;

/** Stands before a real node on loopback, and spoils what it answers when told to. */
export class FaultProxy {
  /** Sends something else in place of each answer, or of those to `faultyMethods`. */
  fault: Fault | undefined;
  /** What `fault` is for; absent: all. */
  faultyMethods: ReadonlySet<string> | undefined;
  /** Gives another answer to a call, or the same. */
  spoil: ((call: ProxiedCall, answer: ProxiedAnswer) => unknown) | undefined;
  /** Waited for before the calls of a request are handed on. */
  beforeCalls: ((calls: readonly ProxiedCall[]) => Promise<void> | void) | undefined;
  /** All calls that have come in, in their order. */
  readonly calls: ProxiedCall[] = [];
  /** Where the calls go; may be changed. */
  target: string;
  /** Of requests under way. */
  readonly #open = new Set<readonly ProxiedCall[]>();
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });

  constructor(target: string) {
    this.target = target;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Whether a call of a method is under way. */
  isOpen(method: string): boolean {
    return [...this.#open].some((calls) => calls.some((call) => call.method === method));
  }

  heal(): void {
    this.fault = undefined;
    this.faultyMethods = undefined;
    this.spoil = undefined;
    this.beforeCalls = undefined;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = JSON.parse(await text(request)) as ProxiedCall | readonly ProxiedCall[];
    const calls = Array.isArray(asked) ? (asked as readonly ProxiedCall[]) : [asked as ProxiedCall];
    this.calls.push(...calls);
    this.#open.add(calls);
    response.on("close", () => this.#open.delete(calls));
    await this.beforeCalls?.(calls);
    const answer = await this.#forward(asked);
    const { fault, faultyMethods } = this;
    const isFaulty = faultyMethods === undefined || calls.some(({ method }) => faultyMethods.has(method));
    if (fault !== undefined && isFaulty) fault(response, answer);
    else response.setHeader("content-type", "application/json").end(answer);
  }

  async #forward(asked: ProxiedCall | readonly ProxiedCall[]): Promise<string> {
    const headers = { "content-type": "application/json" };
    const response = await fetch(this.target, { method: "POST", headers, body: JSON.stringify(asked) });
    const answer = await response.text();
    if (this.spoil === undefined) return answer;
    const spoilOne = (call: ProxiedCall, member: ProxiedAnswer): unknown => this.spoil?.(call, member) ?? member;
    if (!Array.isArray(asked)) return JSON.stringify(spoilOne(asked as ProxiedCall, JSON.parse(answer)));
    const members = new Map((JSON.parse(answer) as readonly ProxiedAnswer[]).map((member) => [member["id"], member]));
    const spoilt = (asked as readonly ProxiedCall[]).map((call) => spoilOne(call, members.get(call.id) ?? {}));
    return JSON.stringify(spoilt);
  }
}

/** Starts a proxy before the node at a URL. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const proxy = new FaultProxy(target);
  await proxy.start();
  return proxy;
}
