import type { Upstream, UpstreamResult } from "@nodewright/upstream";
import { isUpstreamRpcError } from "@nodewright/upstream";
import type { Eventually } from "../eventually.ts";
import { type Capability, type OptionalMethod, optionalMethods, probes, zeroAddress } from "./probes.ts";

/** What is known of a client: whether it has each capability. */
export type KnownCapabilities = Readonly<Record<Capability, boolean>>;

export interface CapabilityReport {
  /** As `web3_clientVersion` says; undefined before the client was asked, and where it does not say. */
  readonly clientVersion: string | undefined;
  /** Undefined before the client was asked. */
  readonly capabilities: KnownCapabilities | undefined;
}

/** What was found out, and when. */
interface Found {
  readonly clientVersion: string | undefined;
  readonly known: KnownCapabilities;
  readonly at: number;
}

/** For so long an answer is relied on; then the client is asked for its version again, beside what is going on. */
const reviewMilliseconds = 60_000;
/** A client that did not answer is not asked again by each request. */
const retryMilliseconds = 1_000;

/**
 * Finds out once which methods a client has, by calling each with what does no harm: a client that does not know a method says so
 * before it looks at its params. Asks again when the client says to be of another version.
 */
export class Capabilities {
  readonly #upstream: Upstream;
  readonly #now: () => number;
  #found: Found | undefined;
  #finding: Promise<KnownCapabilities> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(upstream: Upstream, now: () => number = () => performance.now()) {
    this.#upstream = upstream;
    this.#now = now;
  }

  /** Whether the client has it. While a client does not answer, it is taken to have everything. */
  has(capability: Capability): Eventually<boolean> {
    const known = this.all();
    return known instanceof Promise ? known.then((all) => all[capability]) : known[capability];
  }

  all(): Eventually<KnownCapabilities> {
    const found = this.#found;
    if (found === undefined) {
      if (this.#finding === undefined && this.#now() - this.#failedAt < retryMilliseconds) return everything;
      return this.#find();
    }
    if (this.#now() - found.at > reviewMilliseconds && this.#finding === undefined) void this.#review(found);
    return found.known;
  }

  /** A call says that the client does not have it, whatever it seemed. Where nothing is known yet, that is found out beside. */
  lacks(capability: Capability): void {
    const found = this.#found;
    if (found === undefined) void this.all();
    else this.#found = { ...found, known: { ...found.known, [capability]: false } };
  }

  /** The client did not answer: it may be another one by the time that it does, so its version is asked for again. */
  doubt(): void {
    if (this.#found !== undefined) this.#found = { ...this.#found, at: Number.NEGATIVE_INFINITY };
  }

  /** What was found out counts no more: the client is another one. */
  forget(): void {
    this.#found = undefined;
    this.#finding = undefined;
    this.#failedAt = Number.NEGATIVE_INFINITY;
  }

  describe(): CapabilityReport {
    return { clientVersion: this.#found?.clientVersion, capabilities: this.#found?.known };
  }

  #find(): Promise<KnownCapabilities> {
    if (this.#finding !== undefined) return this.#finding;
    const finding = this.#probe()
      .catch(() => undefined)
      .then((found) => {
        if (this.#finding !== finding) return found?.known ?? everything;
        this.#finding = undefined;
        if (found === undefined) this.#failedAt = this.#now();
        else this.#found = found;
        return found?.known ?? everything;
      });
    this.#finding = finding;
    return finding;
  }

  async #probe(): Promise<Found | undefined> {
    const calls = optionalMethods.map((name) => probes[name]);
    const [version, ...results] = await this.#upstream.batch([{ method: "web3_clientVersion", params: [] }, ...calls]);
    // Silence says nothing about what the client has.
    if (results.some((result) => !result.ok && !isUpstreamRpcError(result.error))) return undefined;
    const entries = optionalMethods.map((name, position) => [name, isThere(results[position])] as const);
    const methods = Object.fromEntries(entries) as Record<OptionalMethod, boolean>;
    const eip1898 = await this.#namesStatesByHash();
    return { clientVersion: versionOf(version), known: { ...methods, eip1898 }, at: this.#now() };
  }

  /** A hash that the client does not have would be refused in one breath with a form that it does not know. */
  async #namesStatesByHash(): Promise<boolean> {
    const latest = await this.#upstream.call("eth_getBlockByNumber", ["latest", false]).catch(() => null);
    const hash = (latest as { readonly hash?: unknown } | null)?.hash;
    const [result] = await this.#upstream.batch([
      { method: "eth_getBalance", params: [zeroAddress, { blockHash: hash }] },
    ]);
    return (
      result === undefined || result.ok || !isUpstreamRpcError(result.error) || result.error.code !== invalidParams
    );
  }

  async #review(found: Found): Promise<void> {
    this.#found = { ...found, at: this.#now() };
    const [version] = await this.#upstream
      .batch([{ method: "web3_clientVersion", params: [] }])
      .catch((): readonly UpstreamResult[] => []);
    if (version === undefined || (!version.ok && !isUpstreamRpcError(version.error))) this.doubt();
    else if (versionOf(version) !== found.clientVersion) await this.#find();
  }
}

const everything: KnownCapabilities = {
  ...(Object.fromEntries(optionalMethods.map((name) => [name, true])) as Record<OptionalMethod, boolean>),
  eip1898: true,
};

function versionOf(result: UpstreamResult | undefined): string | undefined {
  return result?.ok === true && typeof result.result === "string" ? result.result : undefined;
}

const invalidParams = -32602;

/** How clients and what stands before them say that there is no such method. */
const missing =
  /method .*(?:not (?:found|exist|available|supported|enabled|whitelisted)|does not exist)|unsupported method|unknown method/i;

function isThere(result: UpstreamResult | undefined): boolean {
  if (result === undefined || result.ok) return true;
  const { error } = result;
  return !isUpstreamRpcError(error) || (error.code !== -32601 && error.code !== -32604 && !missing.test(error.message));
}
