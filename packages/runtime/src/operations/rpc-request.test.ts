import { describe, expect, it } from "vitest";
import { hasUnusualId, readIdTexts } from "./rpc-id.ts";
import { isInvalidRequest, isNotification, readRpcRequest } from "./rpc-request.ts";

describe("a JSON-RPC request", () => {
  it.each<[unknown, object]>([
    [
      { jsonrpc: "2.0", id: 1, method: "m", params: [1] },
      { id: 1, version: "2.0", method: "m", params: [1] },
    ],
    [
      { jsonrpc: "1.0", id: "a", method: "m", params: { a: 1 } },
      { id: "a", version: "1.0", method: "m", params: { a: 1 } },
    ],
    [
      { jsonrpc: "1.1", id: null, method: "m", params: null },
      { id: null, version: "1.1", method: "m", params: [] },
    ],
    [
      { id: 5n, method: "m" },
      { id: 5n, version: undefined, method: "m", params: [] },
    ],
    [
      { jsonrpc: null, method: "m" },
      { id: undefined, version: undefined, method: "m", params: [] },
    ],
  ])("is read, with or without a version: %o", (value, request) => {
    const read = readRpcRequest(value);
    expect(read).toEqual(request);
    expect(isInvalidRequest(read)).toBe(false);
  });

  const objects = "Invalid request: a request is an object";
  const ids = "Invalid request: the id has to be a string, a number or null";
  const methods = "Invalid request: the method has to be a string";
  const params = "Invalid request: params has to be an array or an object";

  it.each<[unknown, string, unknown, unknown]>([
    [[], objects, null, undefined],
    [null, objects, null, undefined],
    ["m", objects, null, undefined],
    [{ jsonrpc: "2.0", id: {}, method: "m" }, ids, null, "2.0"],
    [{ id: true, method: "m" }, ids, null, undefined],
    [{ jsonrpc: "3.0", id: 1, method: "m" }, "JSON-RPC version not supported", 1, undefined],
    [{ jsonrpc: 2, id: 1, method: "m" }, "jsonrpc field must be a string", 1, undefined],
    [{ jsonrpc: "3.0", method: "m" }, "JSON-RPC version not supported", null, undefined],
    [{ jsonrpc: "2.0", id: 1 }, methods, 1, "2.0"],
    [{ jsonrpc: "1.0", id: "a", method: "" }, methods, "a", "1.0"],
    [{ id: 1, method: 5 }, methods, 1, undefined],
    [{ jsonrpc: "2.0", id: 1, method: "m", params: "a" }, params, 1, "2.0"],
    [{ id: 1, method: "m", params: 0 }, params, 1, undefined],
    [Object.create({ method: "m" }), methods, null, undefined],
  ])("is refused, with its id where it has one: %o", (value, message, id, version) => {
    const read = readRpcRequest(value);
    expect(isInvalidRequest(read)).toBe(true);
    expect(read).toMatchObject({ id, error: { code: "invalid_request", message } });
    expect(read.version).toBe(version);
  });

  it.each([
    [{ jsonrpc: "2.0" }, true],
    [{ jsonrpc: "2.0", id: null }, false],
    [{ jsonrpc: "1.0" }, false],
    [{}, false],
  ])("is a notification without an id, from version 2.0 on: %j", (members, isOne) => {
    const request = readRpcRequest({ method: "m", ...members });
    if (isInvalidRequest(request)) throw new Error("It is valid");
    expect(isNotification(request)).toBe(isOne);
  });
});

describe("ids as they were sent", () => {
  it.each([
    ['{"id":1e400}', [{ id: 1 }], true],
    ['{"id" : 1.50}', [{ id: 1.5 }], true],
    ['{"id":-0}', [{ id: 0 }], true],
    ['{"id":1E5}', [{ id: 100_000 }], true],
    ['{"id":"1e400"}', [{ id: "1e400" }], false],
    ['{"id":1}', [{ id: 1 }], false],
    ['{"id":-12}', [{ id: -12 }], false],
    ['{"id":1,"params":[1.5]}', [{ id: 1 }], false],
    ['{"\\u0069d":1.5}', [{ id: 1.5 }], true],
    [`{"id":${"1".repeat(1000)}}`, [{ id: 1n }], true],
    [`{"id":${"1".repeat(999)}}`, [{ id: 1n }], false],
    ['{"id":1.5}', [{ id: null }, {}], false],
  ])("may be other than JavaScript writes them: %s", (text, members, isUnusual) => {
    expect(hasUnusualId(text, members)).toBe(isUnusual);
  });

  it("are had of numbers alone, for each member of a batch", () => {
    expect(readIdTexts('{"id":1.50}', [{ id: 1.5 }])).toEqual(["1.50"]);
    expect(
      readIdTexts('[{"id":1e2},{"id":"1e2"},{"x":1},5,{"id":-0}]', [
        { id: 100 },
        { id: "1e2" },
        {},
        { id: 5 },
        { id: 0n },
      ]),
    ).toEqual(["1e2", undefined, undefined, undefined, "-0"]);
  });
});
