import { resolvePointer } from "../json/json-pointer.ts";
import type { HttpOperation, ParameterFacts } from "./operation.ts";

/** A request and its response, as runtime expressions see them: wire values. */
export interface ExpressionSubject {
  readonly operation: Pick<HttpOperation, "method" | "parameters">;
  /** Input by property; the body under `body`. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Body of the response. */
  readonly output: unknown;
  readonly url: string | undefined;
  readonly statusCode: number | undefined;
  /** Headers by lower-case name. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
}

/** Returns the value of a runtime expression (OpenAPI 3.1, section 4.8.20.4); undefined where it does not resolve or is invalid. */
export function evaluateExpression(expression: string, subject: ExpressionSubject): unknown {
  switch (expression) {
    case "$url":
      return subject.url;
    case "$method":
      return subject.operation.method;
    case "$statusCode":
      return subject.statusCode;
  }
  const [, side, place, rest = ""] = /^\$(request|response)\.(header|query|path|body)(.*)$/s.exec(expression) ?? [];
  if (side === undefined || place === undefined) return undefined;
  if (place === "body") {
    const body = side === "request" ? subject.input["body"] : subject.output;
    if (rest === "") return body;
    return rest.startsWith("#") ? resolvePointer(body, rest.slice(1)) : undefined;
  }
  const name = rest.startsWith(".") ? rest.slice(1) : "";
  if (side === "response") return place === "header" ? subject.responseHeaders[name.toLowerCase()] : undefined;
  return requestValue(place, name, subject);
}

/** Returns a parameter of the document, or another part of the request with that name. */
function requestValue(place: string, name: string, subject: ExpressionSubject): unknown {
  const facts = subject.operation.parameters.find((one) => one.location === place && isNamed(one, name));
  const value = facts === undefined ? undefined : subject.input[facts.property];
  if (value !== undefined) return value;
  if (place === "header") return subject.requestHeaders[name.toLowerCase()];
  if (place !== "query" || subject.url === undefined) return undefined;
  const mark = subject.url.indexOf("?");
  return mark === -1 ? undefined : (new URLSearchParams(subject.url.slice(mark + 1)).get(name) ?? undefined);
}

function isNamed(facts: ParameterFacts, name: string): boolean {
  return facts.location === "header" ? facts.name.toLowerCase() === name.toLowerCase() : facts.name === name;
}

/**
 * Returns the URL of a callback (OpenAPI 3.1, section 4.8.18.2): an expression, or text with expressions in braces. One at the beginning is
 * a URL or the start of one and is inserted unchanged; others are percent-encoded. Throws `RangeError` for an expression that resolves to
 * neither string nor number.
 */
export function evaluateUrl(template: string, subject: ExpressionSubject): string {
  if (template.startsWith("$")) return textOf(template, subject);
  return template.replaceAll(/\{(\$[^{}]*)\}/g, (_whole, expression: string, position: number) => {
    const text = textOf(expression, subject);
    return position === 0 ? text : encodeURIComponent(text);
  });
}

function textOf(expression: string, subject: ExpressionSubject): string {
  const value = evaluateExpression(expression, subject);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new RangeError(`The expression ${expression} leads to no part of a URL`);
}
