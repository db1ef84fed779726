import { type Upstream, type UpstreamResult, isUpstreamRpcError } from "@nodewright/upstream";
import type { PromiseOrValue } from "../basics/promise-or-value.ts";
import { type Capability, type OptionalMethod, optionalMethods, probes, zeroAddress } from "./probes.ts";

/** Known capabilities of a client: whether it has each. */
export type KnownCapabilities = Readonly<Record<Capability, boolean>>;

export interface CapabilityReport {
  /** Version as in `web3_clientVersion`; undefined before the client was queried, and where it does not report it. */
  readonly clientVersion: string | undefined;
  /** Undefined before the client was queried. */
  readonly capabilities: KnownCapabilities | undefined;
}

/** Result of the probes, with its time. */
interface Found {
  readonly clientVersion: string | undefined;
  readonly known: KnownCapabilities;
  readonly at: number;
}

/** Milliseconds for which a result is valid; then the client's version is queried again, in the background. */
const reviewMilliseconds = 60_000;
/** Milliseconds before a client without a response is queried again, so that not each request does. */
const retryMilliseconds = 1_000;

/**
 * Detector of a client's methods, which calls each once in a harmless way: a client that does not know a method reports so before it reads
 * its params. Probes again when the client reports another version.
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

  /** Returns whether the client has it. While a client does not respond, it is assumed to have everything. */
  has(capability: Capability): PromiseOrValue<boolean> {
    const known = this.all();
    return known instanceof Promise ? known.then((all) => all[capability]) : known[capability];
  }

  all(): PromiseOrValue<KnownCapabilities> {
    const found = this.#found;
    if (found === undefined) {
      if (this.#finding === undefined && this.#now() - this.#failedAt < retryMilliseconds) return everything;
      return this.#find();
    }
    if (this.#now() - found.at > reviewMilliseconds && this.#finding === undefined) void this.#review(found);
    return found.known;
  }

  /**
   * Records that a call showed the client to lack it, whatever the probe's result. If nothing is known yet, the probes run in the
   * background.
   */
  lacks(capability: Capability): void {
    const found = this.#found;
    if (found === undefined) void this.all();
    else this.#found = { ...found, known: { ...found.known, [capability]: false } };
  }

  /** Records that the client did not respond: it may be another one when it does, so its version is queried again. */
  doubt(): void {
    if (this.#found !== undefined) this.#found = { ...this.#found, at: Number.NEGATIVE_INFINITY };
  }

  /** Drops all results: the client is another one. */
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
    // Silence is no evidence about the client's methods.
    if (results.some((result) => !result.ok && !isUpstreamRpcError(result.error))) return undefined;
    const entries = optionalMethods.map((name, position) => [name, isThere(results[position])] as const);
    const methods = Object.fromEntries(entries) as Record<OptionalMethod, boolean>;
    const eip1898 = await this.#supportsBlockHashParameter();
    return { clientVersion: versionOf(version), known: { ...methods, eip1898 }, at: this.#now() };
  }

  /**
   * Returns whether the client supports EIP-1898 (`{ blockHash }`). The latest block's hash is used, because an unknown hash might be rejected
   * like an unsupported parameter.
   */
  async #supportsBlockHashParameter(): Promise<boolean> {
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

/** Messages of clients and their gateways for a method that does not exist. */
const missing =
  /method .*(?:not (?:found|exist|available|supported|enabled|whitelisted)|does not exist)|unsupported method|unknown method/i;

function isThere(result: UpstreamResult | undefined): boolean {
  if (result === undefined || result.ok) return true;
  const { error } = result;
  return !isUpstreamRpcError(error) || (error.code !== -32601 && error.code !== -32604 && !missing.test(error.message));
}
