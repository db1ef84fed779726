import type { EthereumNode } from "../ethereum-node.ts";
import type { Eventually } from "../eventually.ts";
import { isMachineFailure } from "../calls/machine-failure.ts";
import type { StateReference } from "../state-reference.ts";
import type { RequestBlocks } from "../request-blocks.ts";
import { type Form, isData, isQuantity, listOf, members, objectOf } from "./answer-forms.ts";
import { failureOfNode, keyOfCall, throwFailureOfNode, type UpstreamCalls } from "../node-calls/upstream-calls.ts";
import { isUpstreamRpcError } from "@nodewright/upstream";
import { notUnderstood, reorganised } from "../node-calls/unusable-answer.ts";

/** JSON-RPC 2.0, section 5.1. */
export const invalidParams = -32602;

/** What one request reads of the states after blocks. */
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
  read(method: string, params: readonly unknown[], state: StateReference): Eventually<unknown> {
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
      // Refused may be the caller's params, or the naming of a state by hash.
      const isRefused = isUpstreamRpcError(reason) && reason.code === invalidParams;
      if (isRefused && !(await capabilities.has("eip1898"))) return await this.#readByNumber(method, params, blockHash);
      throw failureOfState(reason);
    }
  }

  /** For clients that name states by height alone: the height has to mean the block, as it did before, afterwards too. */
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

/** What is kept of what was read of a state. What is wrong with anything else is found, and its parts kept, by who asks for it. */
const forms: Readonly<Record<string, Form>> = {
  eth_call: isData,
  eth_estimateGas: isQuantity,
  eth_getBalance: isQuantity,
  eth_getCode: isData,
  // Some clients answer no bytes for a slot that holds nothing.
  eth_getStorageAt: (value) => value === "0x" || isQuantity(value),
  eth_getTransactionCount: isQuantity,
  eth_simulateV1: listOf(
    objectOf(members("required", listOf(objectOf(members("required", isQuantity, "gasUsed"))), "calls")),
  ),
};

/** Throws `upstream_unavailable` for what is no answer to the method, so that nothing of it is kept. */
function checked(method: string, value: unknown): unknown {
  const form = forms[method];
  if (form === undefined || form(value)) return value;
  throw notUnderstood(method);
}

/** Names what was read of the state after a block. */
export function keyOfState(method: string, params: readonly unknown[], blockHash: string): string {
  return keyOfCall(`${blockHash} ${method}`, params);
}

/** Resource not found (EIP-1474). */
const resourceNotFound = -32_001;

/** How clients say that they do not have a block that they named before. */
const goneBlock = /(?:header|block)(?: for hash)? not found|unknown block|hash .*is not currently canonical/i;

/** What a node's error answer means to a call about a block that the node has named. */
export function failureOfState(reason: unknown): unknown {
  if (!isUpstreamRpcError(reason)) return reason;
  if (reason.code !== resourceNotFound && !goneBlock.test(reason.message)) return failureOfNode(reason);
  // A contract may revert with these very words.
  return isMachineFailure(reason) ? failureOfNode(reason) : reorganised();
}
