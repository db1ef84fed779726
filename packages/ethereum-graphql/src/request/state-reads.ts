import type { EthereumNode } from "../node/ethereum-node.ts";
import type { PromiseOrValue } from "../basics/promise-or-value.ts";
import { isExecutionError } from "../node-calls/execution-error.ts";
import type { StateReference } from "../results/state-reference.ts";
import type { RequestBlocks } from "./request-blocks.ts";
import { type Form, isData, isQuantity, listOf, members, objectOf } from "../results/response-forms.ts";
import { failureOfNode, keyOfCall, throwFailureOfNode, type UpstreamCalls } from "../node-calls/upstream-calls.ts";
import { isUpstreamRpcError } from "@nodewright/upstream";
import { invalidResponse, reorganised } from "../basics/unexpected-result.ts";

/** JSON-RPC 2.0, section 5.1. */
export const invalidParams = -32602;

/** Reads of one request of the states after blocks. */
export class StateReads {
  readonly #node: EthereumNode;
  readonly #calls: UpstreamCalls;
  readonly #blocks: RequestBlocks;

  constructor(node: EthereumNode, calls: UpstreamCalls, blocks: RequestBlocks) {
    this.#node = node;
    this.#calls = calls;
    this.#blocks = blocks;
  }

  /** Calls a method with the state as last param. Throws `ServiceError`. */
  read(method: string, params: readonly unknown[], state: StateReference): PromiseOrValue<unknown> {
    if (state === "pending") {
      return this.#calls
        .read(method, [...params, state])
        .catch(throwFailureOfNode)
        .then((value) => checked(method, value));
    }
    const { blockHash } = state;
    const key = keyOfState(method, params, blockHash);
    const known = this.#node.store.findState(key);
    return known === undefined ? this.#readAndKeep(key, method, params, blockHash) : known.value;
  }

  async #readAndKeep(key: string, method: string, params: readonly unknown[], blockHash: string): Promise<unknown> {
    const value = checked(method, await this.#readByHash(method, params, blockHash));
    if (Object.hasOwn(forms, method)) this.#node.store.keepState(key, value);
    return value;
  }

  async #readByHash(method: string, params: readonly unknown[], blockHash: string): Promise<unknown> {
    const { capabilities } = this.#node;
    if (capabilities.describe().capabilities?.eip1898 === false)
      return await this.#readByNumber(method, params, blockHash);
    try {
      return await this.#calls.read(method, [...params, { blockHash }]);
    } catch (reason) {
      // The client's params may be refused, or the naming of a state by hash.
      const isRefused = isUpstreamRpcError(reason) && reason.code === invalidParams;
      if (isRefused && !(await capabilities.has("eip1898"))) return await this.#readByNumber(method, params, blockHash);
      throw failureOfState(reason);
    }
  }

  /** Reads for clients that name states by height alone: the height must mean the block before and after the read. */
  async #readByNumber(method: string, params: readonly unknown[], blockHash: string): Promise<unknown> {
    const { number } = await this.#blocks.named(blockHash, false);
    const [value, block] = await Promise.all([
      this.#calls.read(method, [...params, number]),
      this.#calls.readLast("eth_getBlockByNumber", [number, false]),
    ]).catch(throwFailureOfNode);
    if ((block as { readonly hash?: unknown } | null)?.hash !== blockHash) throw reorganised();
    return value;
  }
}

/** Forms of cached state reads. Other results are checked, and their parts cached, by the code that requests them. */
const forms: Readonly<Record<string, Form>> = {
  eth_call: isData,
  eth_estimateGas: isQuantity,
  eth_getBalance: isQuantity,
  eth_getCode: isData,
  // Some clients return no bytes for an empty slot.
  eth_getStorageAt: (value) => value === "0x" || isQuantity(value),
  eth_getTransactionCount: isQuantity,
  eth_simulateV1: listOf(
    objectOf(members("required", listOf(objectOf(members("required", isQuantity, "gasUsed"))), "calls")),
  ),
};

/** Throws `upstream_unavailable` for an invalid result of the method, so that nothing of it is cached. */
function checked(method: string, value: unknown): unknown {
  const form = forms[method];
  if (form === undefined || form(value)) return value;
  throw invalidResponse(method);
}

/** Returns the key of a read of the state after a block. */
export function keyOfState(method: string, params: readonly unknown[], blockHash: string): string {
  return keyOfCall(`${blockHash} ${method}`, params);
}

/** Returns whether a key of a state read is one of logs. */
export function isOfLogs(key: string): boolean {
  return key.includes(" eth_getLogs");
}

/** Resource not found (EIP-1474). */
const resourceNotFound = -32_001;

/** Messages of clients for a missing block that they referred to before. */
const goneBlock = /(?:header|block)(?: for hash)? not found|unknown block|hash .*is not currently canonical/i;

/** Converts a node's error response to a call about a block that the node has referred to. */
export function failureOfState(reason: unknown): unknown {
  if (!isUpstreamRpcError(reason)) return reason;
  if (reason.code !== resourceNotFound && !goneBlock.test(reason.message)) return failureOfNode(reason);
  // A contract may revert with exactly these words.
  return isExecutionError(reason) ? failureOfNode(reason) : reorganised();
}
