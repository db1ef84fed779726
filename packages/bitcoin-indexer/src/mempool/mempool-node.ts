import {
  displayHash,
  fromHex,
  hashLength,
  parseTransaction,
  type Transaction,
  type TransactionId,
} from "@nodewright/bitcoin-primitives";
import type { ListingUpstream, UpstreamCall, UpstreamResult } from "@nodewright/upstream";
import { IndexerError } from "../basics/indexer-error.ts";
import { feeEstimateTargets } from "../query/mempool-queries.ts";

/** Result of a node for a txid. */
export type FetchedTransaction =
  | { readonly kind: "transaction"; readonly id: TransactionId; readonly transaction: Transaction }
  /** It has left the node's mempool since it was listed. */
  | { readonly kind: "missing"; readonly id: TransactionId }
  /** The node returned something else. */
  | { readonly kind: "wrong"; readonly id: TransactionId };

/** JSON-RPC 2.0, section 5.1: the method does not exist. */
const methodNotFound = -32_601;

/** Satoshi per virtual byte in one coin per 1,000 virtual bytes. */
const satoshiPerByte = 100_000;

/** The largest target of btcd's `estimatefee`. */
const maximumSimpleTarget = 25;

const idPattern = /^[0-9a-f]{64}$/;

/**
 * Client of a node's mempool over JSON-RPC, btcd and Bitcoin Core alike.
 *
 * The node is not trusted: its transaction for a txid is hashed. Failures of the node and of the connection are `IndexerError` with
 * `retry`, without the node's address.
 */
export class MempoolNode {
  readonly #upstream: ListingUpstream;
  readonly #signal: AbortSignal;
  /** Method for estimates; `undefined` until the node has been called. */
  #estimateMethod: "estimatesmartfee" | "estimatefee" | "none" | undefined;

  constructor(upstream: ListingUpstream, signal: AbortSignal) {
    this.#upstream = upstream;
    this.#signal = signal;
  }

  async bestBlockHash(): Promise<string> {
    const hash = await this.#call("getbestblockhash");
    if (typeof hash === "string" && idPattern.test(hash)) return hash;
    throw invalidResponse("getbestblockhash");
  }

  /**
   * Passes every txid of the mempool to `take` while they arrive, in wire order and in bytes that the next one overwrites; in no particular
   * order. Elements that are not txids are skipped. A failure may come after some.
   */
  async listIds(take: (txid: Uint8Array) => void): Promise<void> {
    const txid = new Uint8Array(hashLength);
    const takeText = (bytes: Uint8Array, start: number, end: number): void => {
      if (readDisplayedId(bytes, start, end, txid)) take(txid);
    };
    try {
      await this.#upstream.list("getrawmempool", [], takeText, { signal: this.#signal });
    } catch (reason) {
      if (!(reason instanceof Error)) throw reason;
      const code = errorCode(reason);
      throw unavailable(code === undefined ? reason.message : refusal("getrawmempool", code), reason);
    }
  }

  async transactions(ids: readonly TransactionId[]): Promise<readonly FetchedTransaction[]> {
    const results = await this.#batch(ids.map((id) => ({ method: "getrawtransaction", params: [id] })));
    return results.map((result, index) => readTransaction(ids[index] ?? "", result));
  }

  /** Returns satoshi per virtual byte by target, for those targets that the node has an estimate for. */
  async feeEstimates(): Promise<ReadonlyMap<number, number>> {
    if (this.#estimateMethod === undefined || this.#estimateMethod === "estimatesmartfee") {
      const results = await this.#estimates("estimatesmartfee", feeEstimateTargets);
      if (results !== undefined) return results;
    }
    if (this.#estimateMethod !== "none") {
      const targets = feeEstimateTargets.filter((target) => target <= maximumSimpleTarget);
      const results = await this.#estimates("estimatefee", targets);
      if (results !== undefined) return results;
      this.#estimateMethod = "none";
    }
    return new Map();
  }

  /** Returns the estimates; `undefined` when the node has no such method. */
  async #estimates(
    method: "estimatesmartfee" | "estimatefee",
    targets: readonly number[],
  ): Promise<ReadonlyMap<number, number> | undefined> {
    const results = await this.#batch(targets.map((target) => ({ method, params: [target] })));
    if (results.some((result) => !result.ok && errorCode(result.error) === methodNotFound)) return undefined;
    this.#estimateMethod = method;
    const feeRates = new Map<number, number>();
    for (const [index, target] of targets.entries()) {
      const result = results[index];
      const feeRate = result?.ok === true ? readFeeRate(result.result) : undefined;
      if (feeRate !== undefined) feeRates.set(target, feeRate);
    }
    return feeRates;
  }

  async #call(method: string): Promise<unknown> {
    const [result] = await this.#batch([{ method, params: [] }]);
    if (result?.ok === true) return result.result;
    throw unavailable(refusal(method, result && errorCode(result.error)), result?.error);
  }

  /** Returns the results. The node's own errors are among them; all others are thrown. */
  async #batch(calls: readonly UpstreamCall[]): Promise<readonly UpstreamResult[]> {
    const results = await this.#upstream.batch(calls, { signal: this.#signal });
    for (const result of results) {
      if (!result.ok && errorCode(result.error) === undefined) throw unavailable(result.error.message, result.error);
    }
    return results;
  }
}

function refusal(method: string, code: number | undefined): string {
  return `The node refused ${method} with code ${code ?? "none"}`;
}

/** Values of lower-case hex digits; 255 for all other bytes. */
const digitValues: Uint8Array = new Uint8Array(256).fill(255);
for (const [value, digit] of [..."0123456789abcdef"].entries()) digitValues[digit.charCodeAt(0)] = value;

/** Reads the 64 digits of a txid in display order. Returns false when they are invalid. */
function readDisplayedId(bytes: Uint8Array, start: number, end: number, txid: Uint8Array): boolean {
  if (end - start !== hashLength * 2) return false;
  let all = 0;
  for (let index = 0; index < hashLength; index += 1) {
    const high = digitValues[bytes[start + index * 2] ?? 0] ?? 255;
    const low = digitValues[bytes[start + index * 2 + 1] ?? 0] ?? 255;
    all |= high | low;
    txid[hashLength - 1 - index] = (high << 4) | low;
  }
  return all < 16;
}

function readTransaction(id: TransactionId, result: UpstreamResult): FetchedTransaction {
  if (!result.ok) return { kind: "missing", id };
  const bytes = typeof result.result === "string" ? fromHex(result.result) : undefined;
  const transaction = bytes === undefined ? undefined : tryToParse(bytes);
  if (transaction === undefined || displayHash(transaction.txid) !== id) return { kind: "wrong", id };
  return { kind: "transaction", id, transaction };
}

function tryToParse(bytes: Uint8Array): Transaction | undefined {
  try {
    return parseTransaction(bytes);
  } catch {
    return undefined;
  }
}

/** Reads a number (btcd), or an object with `feerate` (Bitcoin Core); coins per 1,000 virtual bytes. */
function readFeeRate(result: unknown): number | undefined {
  const value = typeof result === "object" && result !== null && "feerate" in result ? result.feerate : result;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return undefined;
  return value * satoshiPerByte;
}

/**
 * Returns the code of the node's own error; `undefined` for other failures. Compares the name: the transport is loaded only where a node is
 * called.
 */
function errorCode(reason: Error): number | undefined {
  return reason.name === "UpstreamRpcError" && "code" in reason && typeof reason.code === "number"
    ? reason.code
    : undefined;
}

function unavailable(message: string, cause: unknown): IndexerError {
  return new IndexerError("source-unavailable", `${message}. Trying again.`, { retry: true, cause });
}

function invalidResponse(method: string): IndexerError {
  return new IndexerError("source-unusable", `The node gives invalid responses to ${method}. Trying again.`, {
    retry: true,
  });
}
