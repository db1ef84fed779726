import { methodKindOf } from "./method-kind.ts";
import type { UpstreamCall, UpstreamResult } from "./upstream.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/** Block that an execution client must have to execute a call: the one with a hash, or the one at a height and all below it. */
export type BlockNeed = { readonly hash: string } | { readonly height: number } | "latest";

/** Position of the parameter that names the block, by method, counted from 0. */
const blockPositions: ReadonlyMap<string, number> = new Map([
  ...positions(0, [
    "debug_getRawBlock",
    "debug_getRawHeader",
    "debug_getRawReceipts",
    "debug_traceBlockByHash",
    "debug_traceBlockByNumber",
    "eth_getBlockAccessList",
    "eth_getBlockAccessListByBlockHash",
    "eth_getBlockAccessListByBlockNumber",
    "eth_getBlockByHash",
    "eth_getBlockByNumber",
    "eth_getBlockReceipts",
    "eth_getBlockTransactionCountByHash",
    "eth_getBlockTransactionCountByNumber",
    "eth_getHeaderByHash",
    "eth_getHeaderByNumber",
    "eth_getTransactionByBlockHashAndIndex",
    "eth_getTransactionByBlockNumberAndIndex",
    "eth_getUncleByBlockHashAndIndex",
    "eth_getUncleByBlockNumberAndIndex",
    "eth_getUncleCountByBlockHash",
    "eth_getUncleCountByBlockNumber",
  ]),
  ...positions(1, [
    "debug_traceCall",
    "eth_call",
    "eth_createAccessList",
    "eth_estimateGas",
    "eth_feeHistory",
    "eth_getAccount",
    "eth_getAccountInfo",
    "eth_getBalance",
    "eth_getCode",
    "eth_getStorageValues",
    "eth_getTransactionCount",
    "eth_simulateV1",
  ]),
  ...positions(2, ["eth_getProof", "eth_getStorageAt"]),
]);

/** Returns the block that a call needs; `undefined` when it needs no known one. */
export function findBlockNeed({ method, params }: UpstreamCall): BlockNeed | undefined {
  if (!Array.isArray(params)) return undefined;
  const given = params as readonly unknown[];
  if (method === "eth_blockNumber") return "latest";
  if (method === "eth_getLogs") return readFilter(given[0]);
  const position = blockPositions.get(method);
  return position === undefined ? undefined : readReference(given[position]);
}

/** Methods that return null for what another node may have: a transaction may not have reached this one. */
const transactionMethods: ReadonlySet<string> = new Set(["eth_getTransactionByHash", "eth_getTransactionReceipt"]);

/**
 * Returns whether a node's result shows that it lacks what another node may have: a block, the state after it, or the method. `height` is
 * that of the best block of all nodes.
 */
export function indicatesMissingBlock(call: UpstreamCall, result: UpstreamResult, height: number): boolean {
  if (methodKindOf(call.method) !== "read") return false;
  if (!result.ok)
    return isUpstreamRpcError(result.error) && isUnknownBlockError(result.error.code, result.error.message);
  if (result.result !== null) return false;
  if (transactionMethods.has(call.method)) return true;
  const need = findBlockNeed(call);
  if (need === undefined) return false;
  return need === "latest" || "hash" in need || need.height <= height;
}

const methodNotFound = -32_601;

/**
 * Error messages of geth, Besu, Nethermind, Erigon, Reth and anvil for a block or a state that they do not have. A contract may return the
 * same.
 */
const unknownBlock =
  /\bunknown (?:block|header)|\b(?:block|header|state|receipts|resource)\b.*\b(?:not found|be found|unavailable|not available)|missing trie node|pruned history|BlockOutOfRange/i;

function isUnknownBlockError(code: number, message: string): boolean {
  return code === methodNotFound || (unknownBlock.test(message) && !/revert/i.test(message));
}

function readFilter(filter: unknown): BlockNeed | undefined {
  if (typeof filter !== "object" || filter === null) return undefined;
  const { blockHash, toBlock } = filter as Readonly<Record<string, unknown>>;
  return readReference(blockHash ?? toBlock);
}

/** Reads a height, a tag, a hash, or an object with one (EIP-1898). Without one, the latest block is meant. */
function readReference(reference: unknown): BlockNeed | undefined {
  if (reference === undefined || reference === null) return "latest";
  if (typeof reference === "object") {
    const { blockHash, blockNumber } = reference as Readonly<Record<string, unknown>>;
    return readReference(blockHash ?? blockNumber);
  }
  if (typeof reference !== "string") return undefined;
  if (reference === "latest" || reference === "pending") return "latest";
  if (!reference.startsWith("0x")) return undefined;
  return reference.length === 66 ? { hash: reference } : { height: Number(reference) };
}

function positions(position: number, methods: readonly string[]): readonly (readonly [string, number])[] {
  return methods.map((method) => [method, position]);
}
