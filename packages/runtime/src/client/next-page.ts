import { resolvePointer } from "../json/json-pointer.ts";
import { ownMember } from "../json/own-member.ts";
import type { HttpCall, ParameterFacts } from "../operations/operation.ts";

/** Wire values of an operation's inputs, by property. */
export type WireInput = Readonly<Record<string, unknown>>;

const locations: Readonly<Record<string, ParameterFacts["location"]>> = {
  path: "path",
  query: "query",
  header: "header",
};

/**
 * Returns the input of the next page, from the operation's `next` link; `undefined` when this page was the last, which is when the link's
 * target does not exist, or when it would lead to the same page again.
 */
export function nextPageInput(operation: HttpCall, input: WireInput, response: unknown): WireInput | undefined {
  const inputs = Object.entries(operation.next?.inputs ?? {}).map(
    ([property, expression]) => [property, resolveExpression(expression, operation, input, response)] as const,
  );
  if (inputs.length === 0 || inputs.some(([, value]) => value === undefined)) return undefined;
  if (inputs.every(([property, value]) => input[property] === value)) return undefined;
  return Object.fromEntries(inputs);
}

/** Resolves a runtime expression (OpenAPI 3.1, section 4.8.20.4) over a request and its response; any other value is returned unchanged. */
function resolveExpression(expression: unknown, operation: HttpCall, input: WireInput, response: unknown): unknown {
  if (typeof expression !== "string" || !expression.startsWith("$")) return expression;
  const [, place = "", name = ""] = /^\$request\.(path|query|header)\.(.+)$/.exec(expression) ?? [];
  if (place !== "") {
    const facts = operation.parameters.find((one) => one.location === locations[place] && one.name === name);
    return facts === undefined ? undefined : ownMember(input, facts.property);
  }
  const [, body = "", pointer = ""] = /^\$(request|response)\.body(?:#(.*))?$/.exec(expression) ?? [];
  if (body === "") return undefined;
  return resolvePointer(body === "request" ? input["body"] : response, pointer);
}
