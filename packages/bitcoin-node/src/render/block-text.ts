import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import { confirmationsOf, renderBlockHeader, renderBlockSizes } from "./block.ts";

/** Constant members of a block, as text with a comma before it: all except its confirmations and the next block's hash. */
export interface BlockText {
  /** Members from `height` to `previousblockhash`. */
  readonly header: string;
  /** Members from `strippedsize` to `weight`. */
  readonly sizes: string;
}

/** Renders the constant members of a block. */
export function renderBlockText(record: BlockRecord): BlockText {
  const { nextHash: _next, ...rest } = record;
  const { hash: _hash, confirmations: _confirmations, ...header } = renderBlockHeader(rest, record.height);
  return { header: afterComma(header), sizes: afterComma(renderBlockSizes(record)) };
}

/** Returns the header as the result of `getblockheader`. */
export function blockHeaderResult(record: BlockRecord, text: BlockText, tipHeight: number): string {
  return `${changingPart(record, text, tipHeight)}}`;
}

/** Returns the block as the result of `getblock`, up to its transactions, which must follow with the brace after them. */
export function blockResultStart(record: BlockRecord, text: BlockText, tipHeight: number): string {
  return `${changingPart(record, text, tipHeight)}${text.sizes}`;
}

function changingPart(record: BlockRecord, { header }: BlockText, tipHeight: number): string {
  const { hash, nextHash } = record;
  const next = nextHash === undefined ? "" : `,"nextblockhash":"${nextHash}"`;
  return `{"hash":"${hash}","confirmations":${confirmationsOf(record, tipHeight)}${header}${next}`;
}

function afterComma(members: object): string {
  return `,${JSON.stringify(members).slice(1, -1)}`;
}
