import { describe, expect, it } from "vitest";
import type { HttpCall } from "../operations/operation.ts";
import type { GivenClientOptions } from "./client-options.ts";
import { createEndpoint } from "./endpoint.ts";
import { nextPageInput } from "./next-page.ts";

const names = { query: "api key", header: "X-API-Key", baseUrl: "https://document.example/" };
const endpointOf = (options: GivenClientOptions) => createEndpoint(options, names);

describe("an endpoint", () => {
  it.each<[GivenClientOptions, string, string | undefined, string]>([
    [{}, "/a", undefined, "https://document.example/a"],
    [{ baseUrl: "http://h:1" }, "/a", "", "http://h:1/a"],
    [{ baseUrl: "http://h/b/c/" }, "/a", "x=1", "http://h/b/c/a?x=1"],
    [{ baseUrl: "http://h/b//?t=1#f" }, "", "x=1", "http://h/b/?t=1&x=1"],
    [{ baseUrl: "http://h?t=1", apiKey: "k&" }, "/a", "x=1", "http://h/a?t=1&x=1&api%20key=k%26"],
    [{ baseUrl: "http://h", apiKey: "k", apiKeyLocation: "query" }, "/a", undefined, "http://h/a?api%20key=k"],
    [{ baseUrl: "http://h", apiKey: "k", apiKeyLocation: "header" }, "/a", undefined, "http://h/a"],
    [{ baseUrl: "http://u:p@h" }, "/a", undefined, "http://h/a"],
  ])("has the URLs of its paths: %j %s", (options, path, query, url) => {
    expect(query === undefined ? endpointOf(options).url(path) : endpointOf(options).url(path, query)).toBe(url);
  });

  it.each<[GivenClientOptions, Readonly<Record<string, string>>]>([
    [{}, {}],
    [{ apiKey: "k" }, {}],
    [
      { apiKey: "k", apiKeyLocation: "header", headers: { "x-api-key": "l", a: "b" } },
      { "x-api-key": "k", a: "b" },
    ],
    [{ baseUrl: "http://u%40:p%3A@h" }, { authorization: `Basic ${btoa("u@:p:")}` }],
    [{ baseUrl: "http://u@h" }, { authorization: `Basic ${btoa("u:")}` }],
    [{ baseUrl: "http://:p@h", headers: { authorization: "x" } }, { authorization: `Basic ${btoa(":p")}` }],
  ])("has the headers of its requests: %j", (options, headers) => {
    expect(endpointOf(options).headers).toEqual(headers);
  });

  it.each(["", "nonsense", "ftp://h", "ws://h", "xhttp://h", "httpss://h"])("needs http or https: %s", (baseUrl) => {
    expect(() => createEndpoint({ baseUrl }, names)).toThrow(
      new TypeError("The baseUrl of a client is an http or https URL"),
    );
  });

  it.each<[string, GivenClientOptions]>([
    ["the key", { apiKey: "SECRET" }],
    ["a key in the path", { baseUrl: "http://h/node/key/SECRET/" }],
    ["a password", { baseUrl: "http://u:SECRET@h" }],
    ["a parameter", { baseUrl: "http://h/?other=SECRET" }],
    ["a header", { headers: { other: "SECRET" } }],
  ])("takes out of texts what may be secret: %s", (_name, options) => {
    expect(endpointOf(options).redaction.text("a SECRET b")).toBe("a <API_KEY> b");
  });

  it("takes out a password as it was written, and what Basic makes of it", () => {
    const { redaction } = endpointOf({ baseUrl: "http://u:p%2F%2Fq@h" });
    for (const secret of ["p%2F%2Fq", "p//q", btoa("u:p//q")]) expect(redaction.text(secret)).toBe("<API_KEY>");
    expect(endpointOf({}).redaction.text("Basic document.example")).toBe("Basic document.example");
  });
});

describe("the next page", () => {
  const operationWith = (inputs: Readonly<Record<string, unknown>> | undefined): HttpCall =>
    ({
      parameters: ["path", "query", "header", "cookie"].map((location) => ({
        name: "p",
        property: `${location}P`,
        location,
        required: false,
      })),
      ...(inputs === undefined ? {} : { next: { inputs } }),
    }) as unknown as HttpCall;
  const input = { pathP: "a", queryP: "b", headerP: "c", body: { at: [1, 2] } };
  const response = { next: "n", list: [{ "a/b": 5 }], none: null };

  it.each<[unknown, unknown]>([
    ["$request.path.p", "a"],
    ["$request.query.p", "b"],
    ["$request.header.p", "c"],
    ["$request.body#/at/1", 2],
    ["$request.body", input.body],
    ["$response.body#/next", "n"],
    ["$response.body#/list/0/a~1b", 5],
    ["$response.body", response],
    ["text", "text"],
    [7, 7],
    [null, null],
  ])("has the input that %j leads to", (expression, value) => {
    expect(nextPageInput(operationWith({ x: expression }), input, response)).toEqual({ x: value });
  });

  it.each([
    "$request.path.other",
    "$request.cookie.p",
    "$request.path.",
    "$response.path.p",
    "$response.body#/other",
    "$response.bodies",
    "$url",
    "$request.paths.p",
  ])("is not there where %s leads nowhere", (expression) => {
    expect(nextPageInput(operationWith({ x: expression, y: 1 }), input, response)).toBeUndefined();
  });

  it("is another page than this one", () => {
    expect(nextPageInput(operationWith({ queryP: "b", pathP: "a" }), input, response)).toBeUndefined();
    expect(nextPageInput(operationWith({ queryP: "b", pathP: "z" }), input, response)).toEqual({
      queryP: "b",
      pathP: "z",
    });
    expect(nextPageInput(operationWith({}), input, response)).toBeUndefined();
    expect(nextPageInput(operationWith(undefined), input, response)).toBeUndefined();
  });
});
