import { rpcErrorObject } from "../error-body.ts";
import { writeLosslessJson } from "../lossless-json.ts";
import type { InvalidRpcRequest, RpcRequest } from "../rpc-request.ts";
import type { ServiceError } from "../service-error.ts";

/** What stands around a result: `both` of `result` and `error`, one of them null, or `one` of them. */
export type RpcEnvelopeMembers = "both" | "one";

/** One request of a body, be it the only one or a member of a batch. */
export type RpcMember = (RpcRequest | InvalidRpcRequest) & {
  /** The id as it was sent, where no number is the same. */
  readonly idText?: string;
};

/** JSON text, in whichever form it was given. */
export type ResultText = string | Uint8Array;

/** The answer of one member: its JSON text in pieces, which stand in it one after the other, and the error in it. */
export interface RpcAnswer {
  readonly pieces: readonly ResultText[];
  readonly error?: ServiceError;
}

/** Puts a result into the envelope of its request. */
export function resultAnswer(member: RpcMember, result: ResultText, members: RpcEnvelopeMembers): RpcAnswer {
  const before = `{${versionText(member)}"result":`;
  const behind = `${members === "both" ? ',"error":null' : ""},"id":${idText(member)}}`;
  return { pieces: typeof result === "string" ? [before + result + behind] : [before, result, behind] };
}

/** Puts an error into the envelope of its request. */
export function errorAnswer(member: RpcMember, error: ServiceError, members: RpcEnvelopeMembers): RpcAnswer {
  const result = members === "both" ? '"result":null,' : "";
  const object = writeLosslessJson(rpcErrorObject(error));
  return { pieces: [`{${versionText(member)}${result}"error":${object},"id":${idText(member)}}`], error };
}

/** Length of an answer: bytes, and characters where it is no bytes yet. */
export function lengthOfAnswer({ pieces }: RpcAnswer): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
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

/** Written anew for each answer, these would cost more than all else of a small one. */
const versionTexts: Readonly<Record<string, string>> = {
  "1.0": '"jsonrpc":"1.0",',
  "1.1": '"jsonrpc":"1.1",',
  "2.0": '"jsonrpc":"2.0",',
};

function versionText({ version }: RpcMember): string {
  return version === undefined ? "" : (versionTexts[version] ?? `"jsonrpc":${JSON.stringify(version)},`);
}

function idText({ id = null, idText: text }: RpcMember): string {
  if (text !== undefined) return text;
  return typeof id === "bigint" ? id.toString() : JSON.stringify(id);
}
