import { describe, expect, it } from "vitest";
import type { ContentFacts, HttpCall, SuccessFacts } from "../operations/operation.ts";
import { retryAfterSeconds, sleep } from "./caller.ts";
import type { TransportResponse } from "./client-options.ts";
import type { SecurityAdditions } from "./credentials.ts";
import { findSuccess, readWireResponse } from "./incoming-response.ts";
import { outgoingCall } from "./outgoing-request.ts";

const json: ContentFacts = { mediaType: "application/json", form: "json" };
const text: ContentFacts = { mediaType: "text/plain", form: "text" };
const anyImage: ContentFacts = { mediaType: "image/*", form: "binary" };
const success = (status: SuccessFacts["status"], content?: ContentFacts): SuccessFacts => ({
  status,
  headers: [],
  ...(content === undefined ? {} : { content }),
});
const call = (changes: object): HttpCall =>
  ({
    kind: "http",
    name: "call",
    method: "POST",
    path: "/a",
    parameters: [],
    successes: [],
    failures: [],
    idempotent: true,
    output: {},
    ...changes,
  }) as unknown as HttpCall;
const noSecurity: SecurityAdditions = { query: [], headers: {}, cookies: [], secrets: [] };
const send = (changes: object, input: Readonly<Record<string, unknown>> = {}, security = noSecurity) =>
  outgoingCall(call(changes), input, security);

describe("a request", () => {
  it("has the path, the query, the headers and the cookies of its parameters and of its credentials", () => {
    const parameters = ["path", "query", "header", "cookie"].map((location) => ({
      name: `x-${location}`,
      property: location,
      location,
      required: true,
    }));
    const security = { query: ["key=k"], headers: { authorization: "a" }, cookies: ["c=d", "e=f"], secrets: [] };
    const input = { path: 1, query: 2, header: 3, cookie: 4 };
    expect(send({ path: "/a/{x-path}", parameters }, input, security)).toEqual({
      operation: "call",
      method: "POST",
      path: "/a/1",
      query: "x-query=2&key=k",
      headers: { accept: "*/*;q=0.1", "x-header": "3", cookie: "x-cookie=4; c=d; e=f", authorization: "a" },
      idempotent: true,
    });
    expect(send({})).toMatchObject({ path: "/a", query: "", headers: { accept: "*/*;q=0.1" } });
    expect(send({}).headers).not.toHaveProperty("cookie");
    expect(send({ idempotent: false }).idempotent).toBe(false);
  });

  it("requests the first media type of each status, or for the one that its input names", () => {
    const successes = [
      success(200, text),
      success(200, json),
      success(201, anyImage),
      success("2XX", text),
      success(204),
    ];
    expect(send({ successes }).headers["accept"]).toBe("text/plain, image/*, */*;q=0.1");
    expect(send({ successes }, { accept: "a/b" }).headers["accept"]).toBe("text/plain, image/*, */*;q=0.1");
    expect(send({ successes, negotiates: true }, { accept: "a/b" }).headers["accept"]).toBe("a/b, */*;q=0.1");
    expect(send({ successes, negotiates: true }, { accept: 5 }).headers["accept"]).toBe(
      "text/plain, image/*, */*;q=0.1",
    );
  });

  const bodyOf = (contents: readonly ContentFacts[], input: Readonly<Record<string, unknown>>) => {
    const { headers, body } = send({ body: { required: true, contents } }, input);
    return [
      headers["content-type"],
      typeof body === "string" ? body : body && new TextDecoder().decode(body as Uint8Array),
    ];
  };

  it.each<[string, readonly ContentFacts[], Readonly<Record<string, unknown>>, unknown]>([
    ["none", [json], {}, [undefined, undefined]],
    ["the only content", [text], { body: "a" }, ["text/plain", "a"]],
    ["JSON where there is a choice", [text, json], { body: "a" }, ["application/json", '"a"']],
    ["the first where none is JSON", [text, anyImage], { body: "a" }, ["text/plain", "a"]],
    ["the content that is named", [json, text], { body: "a", contentType: "text/plain" }, ["text/plain", "a"]],
    [
      "the content that is named, with parameters",
      [json, text],
      { body: "a", contentType: "Text/Plain; a=b" },
      ["Text/Plain; a=b", "a"],
    ],
    ["the only content whatever is named", [text], { body: "a", contentType: "a/b" }, ["text/plain", "a"]],
    ["JSON under a name that nobody knows", [text, json], { body: "a", contentType: "a/b" }, ["a/b", '"a"']],
    [
      "a range that is named",
      [anyImage],
      { body: new Uint8Array([0x61]), contentType: "image/png" },
      ["image/png", "a"],
    ],
    ["a range that is not", [anyImage], { body: new Uint8Array([0x61]) }, ["application/octet-stream", "a"]],
  ])("has a body of %s", (_name, contents, input, expected) => {
    expect(bodyOf(contents, input)).toEqual(expected);
  });

  it("of a document without a body has none", () => {
    expect(send({}, { body: "a" }).body).toBeUndefined();
  });
});

describe("a response", () => {
  it.each<[number, string | undefined, readonly SuccessFacts[], readonly string[], number | undefined]>([
    [200, undefined, [success(200, json)], [], 0],
    [200, undefined, [success("default"), success("2XX"), success(200)], [], 2],
    [201, undefined, [success("default"), success("2XX"), success(200)], [], 1],
    [204, undefined, [success("default"), success(200)], [], 0],
    [404, undefined, [success("default")], [], undefined],
    [404, undefined, [success(404)], [], 0],
    [404, undefined, [success("4XX")], ["404"], undefined],
    [200, "text/plain; a=b", [success(200, json), success(200, text)], [], 1],
    [200, "image/png", [success(200, json), success(200, anyImage)], [], 1],
    [200, "a/b", [success(200, json), success(200, text)], [], 0],
    [200, "nonsense", [success(200, json), success(200, text)], [], 0],
    [200, undefined, [success(200, json), success(200, text)], [], 0],
    [200, "text/plain", [success(200), success(200, text)], [], 1],
    [500, undefined, [], [], undefined],
  ])("of %i, %s, is described by the document", (status, contentType, successes, failures, position) => {
    const operation = call({ successes, failures: failures.map((failed) => ({ status: Number(failed) })) });
    expect(findSuccess(operation, status, contentType)).toBe(position === undefined ? undefined : successes[position]);
  });

  const response = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): TransportResponse => ({
    status: 200,
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    header: (name) => headers[name],
  });

  it("has the value that its content says", () => {
    expect(readWireResponse(call({}), undefined, response("x"))).toBeUndefined();
    expect(readWireResponse(call({}), json, response("[9007199254740993]"))).toEqual([9_007_199_254_740_992]);
    expect(readWireResponse(call({ output: { decode: () => 1 } }), json, response("[9007199254740993]"))).toEqual([
      9_007_199_254_740_993n,
    ]);
    expect(readWireResponse(call({}), text, response("a"))).toBe("a");
    expect(() => readWireResponse(call({}), json, response("{"))).toThrow("the response is not JSON");
    expect(() => readWireResponse(call({}), text, response(new Uint8Array([0xff])))).toThrow(
      "call: the response can't be read: The body has bytes that are invalid in its character encoding",
    );
  });

  it.each([
    [undefined, undefined],
    ["5", 5],
    ["0", 0],
    ["1.5s", undefined],
    ["soon", undefined],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ])("says when to try again: %s", (text, seconds) => {
    expect(retryAfterSeconds(response("", text === undefined ? {} : { "retry-after": text }))).toBe(seconds);
  });
});

describe("a wait", () => {
  it("ends with the signal's reason, also where that came before", async () => {
    await expect(sleep(600_000, AbortSignal.abort("gone"))).rejects.toBe("gone");
    const controller = new AbortController();
    const waiting = sleep(600_000, controller.signal);
    controller.abort("gone");
    await expect(waiting).rejects.toBe("gone");
    await sleep(0, undefined);
    await sleep(0, new AbortController().signal);
  });
});
