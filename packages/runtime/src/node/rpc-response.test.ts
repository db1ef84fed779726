import { describe, expect, it } from "vitest";
import { ServiceError } from "../errors/service-error.ts";
import type { JsonPiece } from "../json/prepared-json.ts";
import { errorResponse, lengthOfResponse, piecesOfResponses, resultResponse, type RpcMember } from "./rpc-response.ts";

const textOf = (pieces: readonly JsonPiece[]): string =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString();
const member = (changes: Partial<RpcMember> = {}): RpcMember => ({
  id: 1,
  version: "2.0",
  method: "m",
  params: [],
  ...(changes as object),
});

describe("the response to a member of a JSON-RPC body", () => {
  it.each<[Partial<RpcMember>, "both" | "one", string]>([
    [{}, "one", '{"jsonrpc":"2.0","result":5,"id":1}'],
    [{}, "both", '{"jsonrpc":"2.0","result":5,"error":null,"id":1}'],
    [{ version: "1.0" }, "one", '{"jsonrpc":"1.0","result":5,"id":1}'],
    [{ version: "1.1" }, "one", '{"jsonrpc":"1.1","result":5,"id":1}'],
    [{ version: undefined }, "one", '{"result":5,"id":1}'],
    [{ version: '"9"' }, "one", '{"jsonrpc":"\\"9\\"","result":5,"id":1}'],
    [{ id: undefined }, "one", '{"jsonrpc":"2.0","result":5,"id":null}'],
    [{ id: null }, "one", '{"jsonrpc":"2.0","result":5,"id":null}'],
    [{ id: 'a"' }, "one", '{"jsonrpc":"2.0","result":5,"id":"a\\""}'],
    [{ id: 2n ** 64n }, "one", '{"jsonrpc":"2.0","result":5,"id":18446744073709551616}'],
    [{ idText: "1.50" }, "one", '{"jsonrpc":"2.0","result":5,"id":1.50}'],
  ])("of %o has %s of result and error", (changes, members, text) => {
    const bytes = new TextEncoder().encode("5");
    for (const result of ["5", bytes, [bytes.subarray(0, 0), "5"]]) {
      const response = resultResponse(member(changes), result as string, members);
      expect(textOf(response.pieces)).toBe(text);
      expect(lengthOfResponse(response)).toBe(text.length);
      expect(response.error).toBeUndefined();
    }
  });

  it("that failed has the error, and null for the result where both stand there", () => {
    const error = new ServiceError("not_found", "é", { details: { a: 1 } });
    const object = '{"code":-32602,"message":"é","data":{"a":1}}';
    const [one, both] = (["one", "both"] as const).map((members) => errorResponse(member(), error, members));
    expect(textOf(one?.pieces ?? [])).toBe(`{"jsonrpc":"2.0","error":${object},"id":1}`);
    expect(textOf(both?.pieces ?? [])).toBe(`{"jsonrpc":"2.0","result":null,"error":${object},"id":1}`);
    expect(one?.error).toBe(error);
    expect(lengthOfResponse({ pieces: ["é", new Uint8Array(3)] })).toBe(5);
  });

  it("stands alone, or in the list of a batch", () => {
    const responses = [{ pieces: ["1", "2"] }, { pieces: ["3"] }];
    expect(piecesOfResponses(responses, true).join("")).toBe("[12,3]");
    expect(piecesOfResponses(responses.slice(1), true).join("")).toBe("[3]");
    expect(piecesOfResponses(responses.slice(1), false)).toEqual(["3"]);
    expect(piecesOfResponses([], false)).toEqual([]);
  });
});
