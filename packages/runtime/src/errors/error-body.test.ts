import { describe, expect, it } from "vitest";
import { decodeInput, type InputFacts } from "../operations/decode-input.ts";
import {
  graphqlErrorResponse,
  graphqlExtensions,
  prefersJson,
  restErrorResponse,
  rpcErrorResponse,
} from "./error-body.ts";
import { HttpFailure, isHttpFailure } from "./http-failure.ts";
import { ServiceError } from "./service-error.ts";
import type { Violation } from "./violation.ts";

const error = new ServiceError("not_found", "No such\r\n  block \n", { details: { height: 5 } });
const late = new ServiceError("overloaded", "Later", { retryAfterSeconds: 1.2 });
const stranger = new ServiceError("unauthenticated", "No key");

describe("the response of a failure", () => {
  it("to REST is one line of text, or JSON where it is requested", () => {
    expect(restErrorResponse(error, undefined)).toEqual({
      status: 404,
      headers: { "content-type": "text/plain" },
      body: "No such block",
    });
    expect(restErrorResponse(error, "application/json")).toEqual({
      status: 404,
      headers: { "content-type": "application/json" },
      body: '{"error":{"code":"not_found","message":"No such\\r\\n  block \\n"}}',
    });
  });

  it.each([
    [undefined, false],
    ["", false],
    ["*/*", false],
    ["text/html", false],
    ["application/json", true],
    ["text/html, application/json;q=0.5", true],
    ["application/json, */*", false],
  ])("to REST is JSON for Accept: %s: %s", (accept, isJson) => {
    expect(prefersJson(accept)).toBe(isJson);
  });

  it("to JSON-RPC has the id and the members that its envelope requests", () => {
    const object = `"error":{"code":${error.rpcCode},"message":"No such\\r\\n  block \\n","data":{"height":5}}`;
    expect(rpcErrorResponse(error)).toEqual({
      status: error.rpcHttpStatus,
      headers: { "content-type": "application/json" },
      body: `{"jsonrpc":"2.0","result":null,${object},"id":null}`,
    });
    expect(rpcErrorResponse(error, 7n, "one").body).toBe(`{"jsonrpc":"2.0",${object},"id":7}`);
    expect(JSON.parse(rpcErrorResponse(late, "a").body).error).toEqual({ code: late.rpcCode, message: "Later" });
  });

  it("to GraphQL has no data, and the code among the extensions", () => {
    expect(graphqlErrorResponse(error)).toEqual({
      status: 404,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: '{"errors":[{"message":"No such\\r\\n  block \\n","extensions":{"height":5,"code":"NOT_FOUND"}}]}',
    });
    expect(graphqlErrorResponse(error, "application/graphql-response+json", 400)).toMatchObject({
      status: 400,
      headers: { "content-type": "application/graphql-response+json; charset=utf-8" },
    });
    expect(graphqlExtensions(new ServiceError("not_found", "", { details: { code: "other" } }))).toEqual({
      code: "NOT_FOUND",
    });
  });

  it("says when to try again, in whole seconds, and how to say who one is", () => {
    expect(restErrorResponse(late, undefined).headers).toEqual({ "content-type": "text/plain", "retry-after": "2" });
    expect(restErrorResponse(stranger, undefined).headers).toEqual({
      "content-type": "text/plain",
      "www-authenticate": 'Basic realm="nodewright", charset="UTF-8"',
    });
  });
});

describe("a failure of HTTP", () => {
  it("is known by its name, and empty unless it is given more", () => {
    const failure = new HttpFailure(418);
    expect(failure).toMatchObject({ name: "HttpFailure", message: "Responded with 418", status: 418, headers: {} });
    expect([failure.body, failure.contentType, failure.cause]).toEqual([undefined, undefined, undefined]);
    const full = { body: { a: 1 }, headers: { x: "y" }, contentType: "text/a", cause: "why" };
    expect(new HttpFailure(400, full)).toMatchObject({ status: 400, ...full });
    expect(
      [failure, Object.assign(new Error(""), { name: "HttpFailure" }), new Error(""), { name: "HttpFailure" }].map(
        isHttpFailure,
      ),
    ).toEqual([true, true, false, false]);
  });
});

describe("an input", () => {
  const refuse = (violations: readonly Violation[]) =>
    new ServiceError("invalid_request", "No", { details: { violations } });
  const facts = (changes: Partial<InputFacts["input"]> = {}, body?: InputFacts["body"]): InputFacts => ({
    parameters: ["a", "b", "c"].map((name) => ({
      name,
      property: name,
      location: "query",
      required: name !== "c",
    })),
    ...(body === undefined ? {} : { body }),
    input: { is: (_value): _value is unknown => true, violationsOf: () => [], ...changes },
  });
  const violation = (pointer: string, keyword = "type") => ({ pointer, keyword, message: "is wrong" });
  const missing = (pointer: string) => ({ pointer, keyword: "required", message: "is missing" });
  const reported = (operation: InputFacts, wire: Readonly<Record<string, unknown>>): unknown => {
    try {
      decodeInput(operation, wire, refuse);
    } catch (reason) {
      return (reason as ServiceError).details?.["violations"];
    }
    throw new Error("It was taken");
  };

  it("that is valid is decoded, or given as it is", () => {
    const wire = { a: 1 };
    expect(decodeInput(facts(), wire, refuse)).toBe(wire);
    expect(decodeInput(facts({ decode: () => "decoded" }), wire, refuse)).toBe("decoded");
  });

  it("that a codec refuses is refused with the codec's words, any other error is thrown", () => {
    const failing = (reason: Error) =>
      facts({
        decode: () => {
          throw reason;
        },
      });
    expect(reported(failing(new RangeError("more than 8 decimals")), {})).toEqual([
      { pointer: "", keyword: "format", message: "more than 8 decimals" },
    ]);
    expect(() => decodeInput(failing(new TypeError("ours")), {}, refuse)).toThrow(new TypeError("ours"));
  });

  it("that is not valid is refused with what is wrong, what is missing at its own place", () => {
    const is = (_value: unknown): _value is unknown => false;
    const some = [violation("/a"), violation("/b", "required"), violation("")];
    expect(reported(facts({ is, violationsOf: () => some }), {})).toEqual(some);

    const lacking = { is, violationsOf: () => [violation("", "required"), violation("/c")] };
    expect(reported(facts(lacking), { a: 1 })).toEqual([missing("/b"), violation("/c")]);
    expect(reported(facts(lacking, { required: true }), { a: 1, b: null })).toEqual([
      missing("/body"),
      violation("/c"),
    ]);
    expect(reported(facts(lacking, { required: false }), { a: 1, b: null })).toEqual([violation("/c")]);
    expect(reported(facts(lacking, { required: true }), { body: 0 })).toEqual([
      missing("/a"),
      missing("/b"),
      violation("/c"),
    ]);
  });
});
