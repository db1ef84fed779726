import { isRecord } from "@nodewright/api-model";
import type { Rule } from "../../contract/rule.ts";
import type { Answer } from "../../contract/exchange.ts";
import { mediaTypeOf } from "../../client/media-type.ts";

/** One thing that GraphQL over HTTP requires of a response. */
export interface AuditCheck {
  readonly rule: Rule;
  /** What is wrong, in one sentence without values; undefined when nothing is. */
  readonly problemOf: (response: Answer) => string | undefined;
}

export function isBetween(response: Answer, lowest: number, highest: number): boolean {
  return response.status >= lowest && response.status <= highest;
}

export function status(wanted: number): AuditCheck["problemOf"] {
  return (response) =>
    response.status === wanted ? undefined : `The status is ${response.status} instead of ${wanted}`;
}

export function between(lowest: number, highest: number): AuditCheck["problemOf"] {
  return (response) =>
    isBetween(response, lowest, highest)
      ? undefined
      : `The status is ${response.status} and not from ${lowest} to ${highest}`;
}

export function type(wanted: string): AuditCheck["problemOf"] {
  return (response) => (mediaTypeOf(response) === wanted ? undefined : `The content type is not ${wanted}`);
}

export function utf8(response: Answer): string | undefined {
  const charset = /charset="?([^";\s]+)/i.exec(response.headers.get("content-type") ?? "")?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return "The content type names another charset than UTF-8";
  return response.text === undefined ? "The body is not UTF-8" : undefined;
}

export function noErrors(response: Answer): string | undefined {
  const body = bodyOf(response);
  if (body === undefined) return "The body is no JSON object";
  return Object.hasOwn(body, "errors") ? "The response has errors" : undefined;
}

export function noData(response: Answer): string | undefined {
  const body = bodyOf(response);
  if (body === undefined) return "The body is no JSON object";
  return Object.hasOwn(body, "data") ? "The response has data" : undefined;
}

export function bodyOf({ text }: Answer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function all(...checks: readonly AuditCheck["problemOf"][]): AuditCheck["problemOf"] {
  return (response) => {
    for (const one of checks) {
      const problem = one(response);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}
