import type { ServiceError } from "../service-error.ts";

/** JSON text, in whichever form it was given. */
export type ResultText = string | Uint8Array;

/** The answer of one member: its JSON text in pieces, which stand in it one after the other, and the error in it. */
export interface RpcAnswer {
  readonly pieces: readonly ResultText[];
  readonly error?: ServiceError;
}

/**
 * The body that answers make: the one of a single request, or all of a batch. It is a string unless bytes stand in it, which are
 * copied once, to their place in it.
 */
export function bodyOfAnswers(answers: readonly RpcAnswer[], isBatch: boolean): string | Buffer {
  const pieces = isBatch ? batchPieces(answers) : (answers[0]?.pieces ?? []);
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : joinBytes(pieces);
}

function batchPieces(answers: readonly RpcAnswer[]): readonly ResultText[] {
  const pieces: ResultText[] = [];
  for (const answer of answers) pieces.push(pieces.length === 0 ? "[" : ",", ...answer.pieces);
  pieces.push("]");
  return pieces;
}

function joinBytes(pieces: readonly ResultText[]): Buffer {
  let length = 0;
  for (const piece of pieces) length += typeof piece === "string" ? Buffer.byteLength(piece) : piece.byteLength;
  const body = Buffer.allocUnsafe(length);
  let end = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      end += body.write(piece, end);
    } else {
      body.set(piece, end);
      end += piece.byteLength;
    }
  }
  return body;
}
