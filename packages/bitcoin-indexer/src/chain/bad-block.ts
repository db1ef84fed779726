import { isMalformedBytesError, type Network } from "@nodewright/bitcoin-primitives";
import { IndexerError } from "../basics/indexer-error.ts";

/** Origin of a block's bytes, for a person. */
export interface BlockOrigin {
  /** Path of a file, or a word for the node; without credentials. */
  readonly name: string;
  /** 0-based byte offset in that file; absent when the block came from elsewhere. */
  readonly offset?: number;
}

/** Error for a block that can't be on the chain. Caught where the block's origin is known. */
export class BadBlock extends Error {
  override readonly name = "BadBlock";
  /** Offset of the invalid part, 0-based, in bytes from the block's start. */
  readonly offset: number;

  constructor(reason: string, offset: number = 0) {
    super(reason);
    this.offset = offset;
  }
}

/** Returns an error with the position of a bad block. Any other failure is returned unchanged. */
export function explainBadBlock(reason: unknown, origin: BlockOrigin, height: number, network: Network): unknown {
  const problem = problemOf(reason);
  if (problem === undefined) return reason;
  const subject = `block ${height} of ${network.name}`;
  if (origin.offset === undefined) {
    return new IndexerError("bad-block", `${origin.name} gave a wrong ${subject}: ${problem.reason}.`, { retry: true });
  }
  const offset = origin.offset + problem.offset;
  return new IndexerError("bad-block", `Byte ${offset} of ${origin.name} is wrong, in ${subject}: ${problem.reason}.`, {
    place: { file: origin.name, offset },
  });
}

function problemOf(reason: unknown): { readonly reason: string; readonly offset: number } | undefined {
  if (reason instanceof BadBlock) return { reason: reason.message, offset: reason.offset };
  if (isMalformedBytesError(reason)) return { reason: reason.reason, offset: reason.offset };
  return undefined;
}
