import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { BoundedCache } from "@nodewright/runtime";
import { type BlockDetail, renderBlockBody, type TextPieces } from "./render/block-body.ts";
import { type BlockText, renderBlockText } from "./render/block-text.ts";
import { rpcError } from "./rpc-error.ts";

/** Of headers and bodies that are kept, each with what it takes beside its text. */
const headerBytes = 8 * 1024 * 1024;
const bodyBytes = 64 * 1024 * 1024;
const overheadBytes = 256;

/**
 * Blocks rendered lately, without what changes with the tip. A block's hash names its transactions and all that came before, so what
 * is kept stays true through any reorganisation, and for every node of a network. Bounded in bytes.
 */
const headers = new BoundedCache<string, BlockText>(
  headerBytes,
  ({ header, sizes }) => header.length + sizes.length + overheadBytes,
);
const bodies = new BoundedCache<string, TextPieces>(bodyBytes, ({ bytes }) => bytes + overheadBytes);
const inProgress = new Map<string, Promise<TextPieces>>();

/** The members of a block of the chain that never change. */
export function blockTextOf(record: BlockRecord): BlockText {
  const kept = headers.find(record.hash);
  if (kept !== undefined) return kept;
  const text = renderBlockText(record);
  headers.set(record.hash, text);
  return text;
}

/** The end of a block's answer when it is kept. */
export function keptBlockBody({ hash }: BlockRecord, detail: BlockDetail): TextPieces | undefined {
  return bodies.find(keyOf(hash, detail));
}

/** The end of a block's answer. Who asks for the same one meanwhile gets the same. Throws -5 when the block is dropped meanwhile. */
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
  // A block that is stale may be dropped, and of the outputs that it spends less may be known.
  if (record.onBestChain) bodies.set(key, body);
  return body;
}

function keyOf(hash: string, detail: BlockDetail): string {
  return `${detail} ${hash}`;
}

/** A part of a block whose record was there a moment ago; a stale block may have been dropped since. Throws -5. */
export async function foundPart<Part>(part: Promise<Part | undefined>): Promise<Part> {
  const value = await part;
  if (value === undefined) throw rpcError("notFound", "Block not found");
  return value;
}
