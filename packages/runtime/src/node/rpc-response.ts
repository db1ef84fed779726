import { rpcErrorObject } from "../errors/error-body.ts";
import { writeLosslessJson } from "../json/lossless-json.ts";
import type { JsonPiece } from "../json/prepared-json.ts";
import type { InvalidRpcRequest, RpcRequest } from "../operations/rpc-request.ts";
import type { ServiceError } from "../errors/service-error.ts";
import { byteLengthOf, isInPieces, type PreparedText } from "./prepared-text.ts";

/** Members of an envelope: `both` of `result` and `error`, one of them null, or `one` of them. */
export type RpcEnvelopeMembers = "both" | "one";

/** One request of a body, the only one or a member of a batch. */
export type RpcMember = (RpcRequest | InvalidRpcRequest) & {
  /** The id as it was sent, where no number equals it. */
  readonly idText?: string;
};

/** Response of one member: its JSON text in consecutive pieces, and its error. */
export interface RpcResponse {
  readonly pieces: readonly JsonPiece[];
  readonly error?: ServiceError;
}

/** Creates the response of a result, in the envelope of its request. */
export function resultResponse(member: RpcMember, result: PreparedText, members: RpcEnvelopeMembers): RpcResponse {
  const before = `{${versionText(member)}"result":`;
  const behind = `${members === "both" ? ',"error":null' : ""},"id":${idText(member)}}`;
  if (typeof result === "string") return { pieces: [before + result + behind] };
  return { pieces: isInPieces(result) ? [before, ...result, behind] : [before, result, behind] };
}

/** Creates the response of an error, in the envelope of its request. */
export function errorResponse(member: RpcMember, error: ServiceError, members: RpcEnvelopeMembers): RpcResponse {
  const result = members === "both" ? '"result":null,' : "";
  const object = writeLosslessJson(rpcErrorObject(error));
  return { pieces: [`{${versionText(member)}${result}"error":${object},"id":${idText(member)}}`], error };
}

/** Returns the length of a response in bytes. */
export function lengthOfResponse({ pieces }: RpcResponse): number {
  return byteLengthOf(pieces);
}

/** Returns the body of responses, in pieces: the one of a single request, or all of a batch. */
export function piecesOfResponses(responses: readonly RpcResponse[], isBatch: boolean): readonly JsonPiece[] {
  if (!isBatch) return responses[0]?.pieces ?? [];
  const pieces: JsonPiece[] = [];
  for (const response of responses) {
    pieces.push(pieces.length === 0 ? "[" : ",");
    for (const piece of response.pieces) pieces.push(piece);
  }
  pieces.push("]");
  return pieces;
}

/** Cached: writing these for each response would cost more than the rest of a small one. */
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
