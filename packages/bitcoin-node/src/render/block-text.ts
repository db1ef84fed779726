import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import { confirmationsOf, renderBlockHeader, renderBlockSizes } from "./block.ts";

/** What is said of a block and never changes, as text with a comma before it: all but its confirmations and the next block's hash. */
export interface BlockText {
  /** From `height` to `previousblockhash`. */
  readonly header: string;
  /** From `strippedsize` to `weight`. */
  readonly sizes: string;
}

/** How the members of a block that never change are written. */
export function renderBlockText(record: BlockRecord): BlockText {
  const { nextHash: _next, ...rest } = record;
  const { hash: _hash, confirmations: _confirmations, ...header } = renderBlockHeader(rest, record.height);
  return { header: behindComma(header), sizes: behindComma(renderBlockSizes(record)) };
}

/** The header as `getblockheader` answers it. */
export function blockHeaderAnswer(record: BlockRecord, text: BlockText, tipHeight: number): string {
  return `${changingPart(record, text, tipHeight)}}`;
}

/** The block as `getblock` answers it, up to its transactions, which are to follow with the brace behind them. */
export function blockAnswerStart(record: BlockRecord, text: BlockText, tipHeight: number): string {
  return `${changingPart(record, text, tipHeight)}${text.sizes}`;
}

function changingPart(record: BlockRecord, { header }: BlockText, tipHeight: number): string {
  const { hash, nextHash } = record;
  const next = nextHash === undefined ? "" : `,"nextblockhash":"${nextHash}"`;
  return `{"hash":"${hash}","confirmations":${confirmationsOf(record, tipHeight)}${header}${next}`;
}

function behindComma(members: object): string {
  return `,${JSON.stringify(members).slice(1, -1)}`;
}
