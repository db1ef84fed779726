import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { BoundedCache } from "@nodewright/runtime";
import { type BlockDetail, renderBlockBody, type TextPieces } from "./block-body.ts";
import { type BlockText, renderBlockText } from "./block-text.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Bytes of cached headers and bodies, each including its overhead. */
const headerBytes = 8 * 1024 * 1024;
const bodyBytes = 64 * 1024 * 1024;
const overheadBytes = 256;

/**
 * Cache of recently rendered blocks, without what changes with the tip. A block's hash determines its transactions and ancestors, so
 * entries stay true through any reorganization, and for every node of a network. Bounded in bytes.
 */
const headers = new BoundedCache<string, BlockText>(
  headerBytes,
  ({ header, sizes }) => header.length + sizes.length + overheadBytes,
);
const bodies = new BoundedCache<string, TextPieces>(bodyBytes, ({ bytes }) => bytes + overheadBytes);
const inProgress = new Map<string, Promise<TextPieces>>();

/** Returns the constant members of a block of the chain. */
export function blockTextOf(record: BlockRecord): BlockText {
  const kept = headers.find(record.hash);
  if (kept !== undefined) return kept;
  const text = renderBlockText(record);
  headers.set(record.hash, text);
  return text;
}

/** Returns the cached end of a block's result. */
export function keptBlockBody({ hash }: BlockRecord, detail: BlockDetail): TextPieces | undefined {
  return bodies.find(keyOf(hash, detail));
}

/** Returns the end of a block's result. Concurrent identical calls share it. Throws -5 when the block is dropped meanwhile. */
export function blockBodyOf(index: ChainQueries, record: BlockRecord, detail: BlockDetail): Promise<TextPieces> {
  const key = keyOf(record.hash, detail);
  let body = inProgress.get(key);
  if (body === undefined) {
    body = keepBody(key, index, record, detail).finally(() => inProgress.delete(key));
    inProgress.set(key, body);
  }
  return body;
}

async function keepBody(
  key: string,
  index: ChainQueries,
  record: BlockRecord,
  detail: BlockDetail,
): Promise<TextPieces> {
  const body = await renderBlockBody(index, record, detail, foundPart);
  // A stale block may be dropped, and fewer of the outputs that it spends may be known.
  if (record.onBestChain) bodies.set(key, body);
  return body;
}

function keyOf(hash: string, detail: BlockDetail): string {
  return `${detail} ${hash}`;
}

/** Returns a part of a block whose record existed a moment ago; a stale block may have been dropped since. Throws -5. */
export async function foundPart<Part>(part: Promise<Part | undefined>): Promise<Part> {
  const value = await part;
  if (value === undefined) throw rpcError("notFound", "Block not found");
  return value;
}
