import type { Transaction } from "@nodewright/ethereum-node-api/types";
import { ServiceError } from "@nodewright/runtime";
import { callIfSupported } from "../node/call-if-supported.ts";
import type { EthereumContext } from "../request/context.ts";
import { listRoot } from "../raw/list-root.ts";
import type { NodeBlock, NodeHeader, NodeReceipt } from "../results/node-values.ts";
import { isRawBlockOf, rawBlock, rawHeader } from "../raw/raw-block.ts";
import { rawReceipt } from "../raw/raw-receipt.ts";
import { rawTransaction } from "../raw/raw-transaction.ts";
import { readOmmer } from "./read-ommer.ts";
import { bytesOf, keccak256 } from "../raw/rlp.ts";
import type { BlockValue } from "../values/block-value.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/*
 * Encodings are created here from data that the node has returned anyway, and are valid because they have the hash. Where a chain has
 * something unknown here, the node is queried for them, and its result is compared with the hash as well.
 */

/** Returns the header in RLP. */
export async function readRawHeader(header: NodeHeader, context: EthereumContext): Promise<string> {
  const local = rawHeader(header);
  if (local !== undefined) return local;
  const raw = await context.read("debug_getRawHeader", [header.hash]);
  return isBytes(raw) && hasHash(raw, header.hash) ? raw : throwUnusable("header");
}

/** Returns the block in RLP; `0x` for an ommer, of which only the header is retained. */
export async function readRawBlock(value: BlockValue, context: EthereumContext): Promise<string> {
  if (value.block === undefined) return "0x";
  const [block, ommers] = await Promise.all([context.getFullBlock(value.hash), readOmmers(value.block, context)]);
  const local = ommers && encode(() => rawBlock(block, ommers));
  if (local !== undefined) return local;
  return doubtUnless(value.hash, context, async () => {
    const raw = await context.read("debug_getRawBlock", [value.hash]);
    return isBytes(raw) && isRawBlockOf(block, bytesOf(raw)) ? raw : throwUnusable("block");
  });
}

/** Returns the canonical encoding of a transaction (EIP-2718). */
export async function readRawTransaction(body: Transaction, context: EthereumContext): Promise<string> {
  const local = encode(() => rawTransaction(body));
  if (local !== undefined) return local;
  return doubtUnless(body.blockHash, context, async () => {
    const raw = await fetchRawTransaction(body.hash, context);
    return isBytes(raw) && hasHash(raw, body.hash) ? raw : throwUnusable("transaction");
  });
}

/** Returns the canonical encoding of a mined transaction's receipt (EIP-2718). */
export async function readRawReceipt(receipt: NodeReceipt, context: EthereumContext): Promise<string> {
  if (knownReceiptTypes.has(receipt.type ?? "0x0")) {
    const local = encode(() => rawReceipt(receipt));
    if (local !== undefined) return local;
    context.doubt(receipt.blockHash);
    throw unexpectedResult("a receipt that is not hexadecimal");
  }
  const [receipts, block] = await Promise.all([
    context.read("debug_getRawReceipts", [receipt.blockHash]),
    context.getBlockByHash(receipt.blockHash),
  ]);
  if (!isListOfBytes(receipts) || listRoot(receipts.map(bytesOf)) !== block.receiptsRoot.toLowerCase()) {
    return throwUnusable("receipts");
  }
  return receipts[Number(receipt.transactionIndex)] ?? throwUnusable("receipts");
}

/** Encodes; undefined also where a part is not hexadecimal. */
function encode(makeText: () => string | undefined): string | undefined {
  try {
    return makeText();
  } catch (reason) {
    if (reason instanceof ServiceError) return undefined;
    throw reason;
  }
}

/**
 * Drops the cached block unless the node's encoding has the hash: an object that could not be encoded here has an unknown type, or is
 * invalid. A valid encoding of the node shows the former.
 */
async function doubtUnless(
  blockHash: string | null | undefined,
  context: EthereumContext,
  readEncoding: () => Promise<string>,
): Promise<string> {
  try {
    return await readEncoding();
  } catch (reason) {
    if (typeof blockHash === "string") context.doubt(blockHash);
    throw reason;
  }
}

/** Types of transactions whose receipts have the form of EIP-2718, "Receipts", and no further fields. */
const knownReceiptTypes = new Set(["0x0", "0x1", "0x2", "0x3", "0x4"]);

/** Reads the ommers; undefined when the node does not have one of them. */
async function readOmmers(block: NodeBlock, context: EthereumContext): Promise<NodeHeader[] | undefined> {
  const headers = await Promise.all(block.uncles.map((_hash, position) => readOmmer(block, position, context)));
  const kept = headers.filter((header) => header !== null);
  return kept.length === headers.length ? kept : undefined;
}

async function fetchRawTransaction(hash: string, context: EthereumContext): Promise<unknown> {
  for (const method of ["eth_getRawTransactionByHash", "debug_getRawTransaction"] as const) {
    const raw = await callIfSupported(method, () => context.read(method, [hash]), context);
    if (raw !== undefined && raw !== null && raw !== "0x") return raw;
  }
  throw new ServiceError(
    "not_implemented",
    "The node does not offer encoded transactions of a type that is unknown here",
  );
}

function hasHash(raw: string, hash: string): boolean {
  return keccak256(bytesOf(raw)) === hash.toLowerCase();
}

function isBytes(value: unknown): value is string {
  return typeof value === "string" && /^0x(?:[0-9a-fA-F]{2})*$/.test(value);
}

function isListOfBytes(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isBytes);
}

function throwUnusable(what: string): never {
  throw unexpectedResult(`encoded bytes that do not have the hash of the ${what}`);
}
