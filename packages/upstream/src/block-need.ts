import { methodKindOf } from "./method-kind.ts";
import type { UpstreamCall, UpstreamResult } from "./upstream.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/** The block that an execution client must have to answer a call: the one of a hash, or of a height and all below. */
export type BlockNeed = { readonly hash: string } | { readonly height: number } | "latest";

/** Where a method's parameters name the block, counted from 0. */
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

/** Says which block a call needs; `undefined` when it needs none that is known. */
export function findBlockNeed({ method, params }: UpstreamCall): BlockNeed | undefined {
  if (!Array.isArray(params)) return undefined;
  const given = params as readonly unknown[];
  if (method === "eth_blockNumber") return "latest";
  if (method === "eth_getLogs") return readFilter(given[0]);
  const position = blockPositions.get(method);
  return position === undefined ? undefined : readReference(given[position]);
}

/** Those that answer null for what another node may have: a transaction may not have come to this one. */
const transactionMethods: ReadonlySet<string> = new Set(["eth_getTransactionByHash", "eth_getTransactionReceipt"]);

/**
 * True when a node's answer says that it lacks what another one may have: a block, the state after it, or the method. `height` is that of
 * the best block of all.
 */
export function saysLacking(call: UpstreamCall, result: UpstreamResult, height: number): boolean {
  if (methodKindOf(call.method) !== "read") return false;
  if (!result.ok) return isUpstreamRpcError(result.error) && saysUnknown(result.error.code, result.error.message);
  if (result.result !== null) return false;
  if (transactionMethods.has(call.method)) return true;
  const need = findBlockNeed(call);
  if (need === undefined) return false;
  return need === "latest" || "hash" in need || need.height <= height;
}

const methodNotFound = -32_601;

/** What geth, Besu, Nethermind, Erigon, Reth and anvil say of a block or a state that they do not have. A contract may say so too. */
const unknownBlock =
  /\bunknown (?:block|header)|\b(?:block|header|state|receipts|resource)\b.*\b(?:not found|be found|unavailable|not available)|missing trie node|pruned history|BlockOutOfRange/i;

function saysUnknown(code: number, message: string): boolean {
  return code === methodNotFound || (unknownBlock.test(message) && !/revert/i.test(message));
}

function readFilter(filter: unknown): BlockNeed | undefined {
  if (typeof filter !== "object" || filter === null) return undefined;
  const { blockHash, toBlock } = filter as Readonly<Record<string, unknown>>;
  return readReference(blockHash ?? toBlock);
}

/** A height, a tag, a hash, or an object with one (EIP-1898); without one, the latest block is meant. */
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
