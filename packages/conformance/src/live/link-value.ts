import { ownMember } from "../basics/own-member.ts";
import { evaluateExpression } from "@nodewright/runtime";
import type { ObservedResult } from "./live-values.ts";
import type { LinkedOperation } from "./slots.ts";

/**
 * Returns the value of a link's input: a constant, or the result of an expression on a request and its response, undefined where there is
 * none. For OpenAPI a runtime expression (3.1.1, section 4.8.20.4), alone or in braces within a string; for OpenRPC a path from `params` or
 * `result` in the spellings in use, as its specification names only the language: `$result.items[0].id`, `${params.id}`, `{{result}}`.
 */
export function linkValueOf(expression: unknown, operation: LinkedOperation, response: ObservedResult): unknown {
  if (typeof expression !== "string") return expression;
  const evaluate = "path" in operation ? ofHttp : ofRpc;
  const whole = expression.startsWith("$") || rpcExpression.test(expression);
  if (whole) return evaluate(expression, operation, response);
  const parts = [...expression.matchAll(/\{(\$[^{}]*)\}/g)].map(([, part = ""]) => evaluate(part, operation, response));
  if (parts.some((part) => part === undefined || part === null || typeof part === "object")) return undefined;
  return parts.length === 0 ? expression : expression.replaceAll(/\{\$[^{}]*\}/g, () => String(parts.shift()));
}

function ofHttp(expression: string, operation: LinkedOperation, response: ObservedResult): unknown {
  const { input, value, url, statusCode, headers = {} } = response;
  return evaluateExpression(expression, {
    operation: { method: "path" in operation ? operation.method : "POST", parameters: operation.parameters },
    input,
    output: value,
    url,
    statusCode,
    requestHeaders: {},
    responseHeaders: headers,
  });
}

const rpcExpression = /^(?:\$\{|\{\{|\$)\s*(params|result)((?:[.[#/][^{}]*)?)(?:\}\}|\})?$/;

function ofRpc(expression: string, operation: LinkedOperation, { input, value }: ObservedResult): unknown {
  const [, side, path = ""] = rpcExpression.exec(expression) ?? [];
  if (side === undefined) return undefined;
  // By the described name, whatever the property in the suite is, and by position.
  const params = Object.fromEntries(
    operation.parameters.flatMap(({ name, property }, index) =>
      input[property] === undefined ? [] : [name, String(index)].map((key) => [key, input[property]] as const),
    ),
  );
  const names = path.match(/[^.[\]#/'"\s]+/g) ?? [];
  return names.reduce<unknown>(ownMember, side === "result" ? value : params);
}
