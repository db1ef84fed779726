import { describe, expect, it } from "vitest";
import type { ParameterFacts } from "./operation.ts";
import { evaluateExpression, evaluateUrl, type ExpressionSubject } from "./runtime-expression.ts";

const parameters: readonly ParameterFacts[] = [
  { name: "q", property: "query", location: "query", required: false },
  { name: "id", property: "id", location: "path", required: true },
  { name: "X-Where", property: "where", location: "header", required: false },
];

const subject: ExpressionSubject = {
  operation: { method: "POST", parameters },
  input: { query: "a b", id: 7, where: "https://x.example/", body: { url: "https://y.example/h?k=1", "a/b": ["c"] } },
  output: { next: { url: "https://z.example" } },
  url: "https://api.example/things/7?q=a%20b&other=1",
  statusCode: 201,
  requestHeaders: { "x-other": "o" },
  responseHeaders: { location: "/things/8" },
};

describe("a runtime expression", () => {
  it.each([
    ["$url", subject.url],
    ["$method", "POST"],
    ["$statusCode", 201],
    ["$request.query.q", "a b"],
    ["$request.query.other", "1"],
    ["$request.path.id", 7],
    ["$request.header.x-where", "https://x.example/"],
    ["$request.header.X-Other", "o"],
    ["$request.body#/url", "https://y.example/h?k=1"],
    ["$request.body#/a~1b/0", "c"],
    ["$request.body", subject.input["body"]],
    ["$response.body#/next/url", "https://z.example"],
    ["$response.header.Location", "/things/8"],
    ["$response.query.q", undefined],
    ["$request.body#/toString", undefined],
    ["$request.cookie.c", undefined],
    ["request.body", undefined],
    ["in $request.path.id", undefined],
  ])("%s leads to its place", (expression, value) => {
    expect(evaluateExpression(expression, subject)).toEqual(value);
  });

  it.each([
    ["$request.body#/url", "https://y.example/h?k=1"],
    ["{$request.body#/url}&id={$request.path.id}", "https://y.example/h?k=1&id=7"],
    [
      "https://n.example/{$request.query.q}?to={$request.header.x-where}",
      "https://n.example/a%20b?to=https%3A%2F%2Fx.example%2F",
    ],
    ["https://n.example/{id}", "https://n.example/{id}"],
  ])("is part of a URL, escaped where it is not its beginning: %s", (template, url) => {
    expect(evaluateUrl(template, subject)).toBe(url);
  });

  it.each(["$request.body#/none", "https://n.example/{$request.body}"])(
    "is no URL when it leads to no text: %s",
    (template) => {
      expect(() => evaluateUrl(template, subject)).toThrow(RangeError);
    },
  );
});
