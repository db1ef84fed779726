import type { FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { negotiateMediaType, readGetRequest, readPostRequest } from "./graphql-request.ts";

const postWith = (text: string | undefined, headers: Readonly<Record<string, string>> = {}) =>
  ({
    headers: { "content-type": "application/json", ...headers },
    body: text === undefined ? undefined : Buffer.from(text),
  }) as unknown as FastifyRequest;
const getWith = (query: object) => ({ query }) as unknown as FastifyRequest;
const post = (text: string | undefined, headers?: Readonly<Record<string, string>>) =>
  readPostRequest(postWith(text, headers), 5);
const get = (query: object) => readGetRequest(getWith(query), 5);

/** Returns code and message of the thrown error. */
function failureOf(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    const { code, message } = error as { code: unknown; message: unknown };
    return [code, message];
  }
  throw new Error("It was read");
}

describe("a GraphQL request by POST", () => {
  const plain = { query: "{a}", operationName: undefined, variables: {} };

  it.each<[string, object]>([
    ['{"query":"{a}"}', plain],
    ['{"query":"{a}","operationName":"","variables":null,"extensions":null}', plain],
    ['{"query":"{a}","operationName":null,"extensions":{"a":1},"other":5}', plain],
    [
      '{"query":"","operationName":"A","variables":{"a":[{"b":1}]}}',
      { query: "", operationName: "A", variables: { a: [{ b: 1 }] } },
    ],
    ['{"query":"{a}","variables":{"a":9007199254740993}}', { ...plain, variables: { a: 9_007_199_254_740_993n } }],
  ])("is read: %s", (text, request) => {
    expect(post(text)).toEqual(request);
  });

  const invalid = "invalid_request";

  it.each<[string, string, string]>([
    ["[]", invalid, "A GraphQL request is a JSON object; batches are not supported"],
    ["null", invalid, "A GraphQL request is a JSON object; batches are not supported"],
    ['"a"', invalid, "A GraphQL request is a JSON object; batches are not supported"],
    ["{}", invalid, "A GraphQL request needs a query, a string"],
    ['{"query":1}', invalid, "A GraphQL request needs a query, a string"],
    ['{"extensions":{"persistedQuery":{}}}', invalid, "PersistedQueryNotSupported"],
    ['{"extensions":{"other":1}}', invalid, "A GraphQL request needs a query, a string"],
    ['{"extensions":[]}', invalid, "A GraphQL request needs a query, a string"],
    ['{"query":"{a}","operationName":5}', invalid, "operationName has to be a string"],
    ['{"query":"{a}","variables":[]}', invalid, "variables has to be an object"],
    ['{"query":"{a}","variables":"a"}', invalid, "variables has to be an object"],
    ['{"query":"{a}","extensions":5}', invalid, "extensions has to be an object"],
  ])("is refused: %s", (text, code, message) => {
    expect(failureOf(() => post(text))).toEqual([code, message]);
  });

  it("is no deeper than it may be, and JSON", () => {
    const nested = (depth: number) => `{"query":"{a}","variables":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
    expect(() => post(nested(3))).not.toThrow();
    expect(failureOf(() => post(nested(4)))).toEqual([invalid, expect.stringContaining("deep")]);
    expect(failureOf(() => post("{"))).toEqual(["parse_error", expect.any(String)]);
    expect(failureOf(() => post(undefined))).toEqual(["parse_error", expect.any(String)]);
  });

  it.each([
    ["application/json", true],
    ["Application/JSON ; Charset=UTF-8", true],
    ['application/json; charset="utf-8"', true],
    ["application/json; a=b", true],
    ["application/json; charset=latin1", false],
    ["application/json; charset=utf-80", false],
    ["application/json; charset=xutf-8", false],
    ["application/jsonp", false],
    ["text/plain", false],
    ["", false],
  ])("is JSON in UTF-8: %s: %s", (type, isTaken) => {
    const read = () => post('{"query":"{a}"}', { "content-type": type });
    if (isTaken) expect(read()).toEqual(plain);
    else {
      expect(failureOf(read)).toEqual(["unsupported_media_type", "A GraphQL request is application/json in UTF-8"]);
    }
  });

  it("is not compressed", () => {
    expect(post('{"query":"{a}"}', { "content-encoding": "Identity" })).toEqual(plain);
    expect(failureOf(() => post('{"query":"{a}"}', { "content-encoding": "gzip" }))).toEqual([
      "unsupported_media_type",
      "The body of a GraphQL request is sent as it is, not compressed",
    ]);
  });

  it("has ten thousand values at most", () => {
    // One for the request, one for the comma before the variables, one each for them and the list.
    const withValues = (count: number) => `{"query":"{a}","variables":{"a":[${"1,".repeat(count - 5)}1,1]}}`;
    expect(() => post(withValues(10_000))).not.toThrow();
    expect(failureOf(() => post(withValues(10_001)))).toEqual([
      expect.any(String),
      "The request has 10001 values, more than the limit of 10000; send fewer variables, or shorter lists",
    ]);
  });

  it("has no names of variables that are too long, wherever they stand", () => {
    const name = "n".repeat(10_000);
    for (const variables of [{ [name]: 1 }, { a: [{ b: { [name]: 1 } }] }]) {
      expect(failureOf(() => post(JSON.stringify({ query: "{a}", variables })))).toEqual([
        expect.any(String),
        expect.stringContaining("name"),
      ]);
    }
  });
});

describe("a GraphQL request by GET", () => {
  it("has its variables as JSON, and what is empty is absent", () => {
    expect(get({ query: "{a}", operationName: "A", variables: '{"a":1}', extensions: "{}" })).toEqual({
      query: "{a}",
      operationName: "A",
      variables: { a: 1 },
    });
    expect(get({ query: "{a}", operationName: "", variables: "", extensions: "" })).toEqual({
      query: "{a}",
      operationName: undefined,
      variables: {},
    });
  });

  it.each<[object, string, string]>([
    [{}, "invalid_request", "A GraphQL request needs a query, a string"],
    [{ query: "" }, "invalid_request", "A GraphQL request needs a query, a string"],
    [{ query: ["{a}", "{b}"] }, "invalid_request", "A GraphQL request needs a query, a string"],
    [{ extensions: '{"persistedQuery":1}' }, "invalid_request", "PersistedQueryNotSupported"],
    [{ query: "{a}", variables: "{" }, "parse_error", "variables is not valid JSON"],
    [{ query: "{a}", extensions: "{" }, "parse_error", "extensions is not valid JSON"],
    [{ query: "{a}", variables: '{"a":[[[[[]]]]]}' }, "invalid_request", "variables is nested too deep"],
    [{ query: "{a}", variables: ["{}", "{}"] }, "invalid_request", "variables has to be an object"],
    [{ query: "{a}", variables: "[]" }, "invalid_request", "variables has to be an object"],
  ])("is refused: %j", (query, code, message) => {
    expect(failureOf(() => get(query))).toEqual([code, message]);
  });

  it("has ten thousand values at most", () => {
    expect(failureOf(() => get({ query: "{a}", variables: `{"a":[${"1,".repeat(10_000)}1]}` }))).toEqual([
      expect.any(String),
      expect.stringContaining("more than the limit of 10000"),
    ]);
  });
});

describe("the media type of a GraphQL response", () => {
  const json = "application/json";
  const response = "application/graphql-response+json";

  it.each([
    [undefined, json],
    ["*/*", json],
    [json, json],
    ["", json],
    [response, response],
    [`${response}, ${json}`, response],
    [`${json}, ${response}`, json],
    [`${json};q=0.5, ${response}`, response],
    [`${response};q=0.4,${json};q=0.5`, json],
    [`${response};q=0, text/html`, json],
    [`${response};q=x, text/html`, json],
    [`text/html, ${response.toUpperCase()} ; a=b ; Q=0.1`, response],
    [`application/*, ${response};q=0.9`, json],
    [`*/*;q=0.9, ${response}`, response],
    ["text/html", json],
  ])("is the one that Accept likes best: %s", (accept, mediaType) => {
    expect(negotiateMediaType(accept)).toBe(mediaType);
  });
});
