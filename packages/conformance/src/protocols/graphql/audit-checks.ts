import { isRecord } from "@nodewright/api-model";
import { mediaTypeOf } from "../../client/media-type.ts";
import type { Answer } from "../../contract/exchange.ts";
import { type Level, type Rule, rule } from "../../contract/rule.ts";
import { legacyMediaType as json, responseMediaType as own } from "./graphql-request.ts";

/** One thing that GraphQL over HTTP requires of a response. */
export interface AuditCheck {
  readonly rule: Rule;
  /** What is wrong, in one sentence without values; undefined when nothing is. */
  readonly problemOf: (response: Answer) => string | undefined;
}

const mediaTypes: Readonly<Record<string, string>> = { own, json };

/** Reads a check: the number of its rule, level, audit of `graphql-http`, what has to be, and after = a title in place of these. */
export function checkOf(what: string, check: string): AuditCheck {
  const [columns = "", title] = check.split(" = ");
  const [id, level, source, ...wanted] = columns.split(" ");
  const from = source === "-" ? "GraphQL over HTTP" : `GraphQL over HTTP; audit ${source} of graphql-http`;
  return {
    rule: rule(`G${id}`, level as Level, title ?? `${what}: ${wanted.map(wordsOf).join(", ")}`, from),
    problemOf: (response) => {
      // Some statuses are those of refusals under the media type of GraphQL's own alone.
      const isOther =
        wanted.includes("refused") && (mediaTypeOf(response) !== own || noMember(response, "data") !== undefined);
      if (isOther) return undefined;
      const checked = wanted.filter((one) => one !== "refused");
      return checked.map((one) => problemOf(one, response)).find((problem) => problem !== undefined);
    },
  };
}

function wordsOf(wanted: string): string {
  if (/^\d/.test(wanted)) return `status ${wanted.replaceAll("|", " or ")}`;
  return mediaTypes[wanted] ?? { utf8: "UTF-8" }[wanted] ?? wanted.replace("-", " ");
}

/** `400`, `4xx|5xx`; `own` and `json`: the media type; `utf8`; `no-errors` and `no-data`: members of the response. */
function problemOf(wanted: string, response: Answer): string | undefined {
  const { status, text, headers } = response;
  if (/^\d/.test(wanted)) {
    const isWanted = new RegExp(`^(?:${wanted.replaceAll("x", "\\d")})$`).test(String(status));
    return isWanted ? undefined : `The status is ${status} instead of ${wanted}`;
  }
  const mediaType = mediaTypes[wanted];
  if (mediaType !== undefined)
    return mediaTypeOf(response) === mediaType ? undefined : `The content type is not ${mediaType}`;
  if (wanted === "utf8") {
    const charset = /charset="?([^";\s]+)/i.exec(headers.get("content-type") ?? "")?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) return "The content type names another charset than UTF-8";
    return text === undefined ? "The body is not UTF-8" : undefined;
  }
  return noMember(response, wanted.replace("no-", ""));
}

function noMember(response: Answer, member: string): string | undefined {
  const body = bodyOf(response);
  if (body === undefined) return "The body is no JSON object";
  return Object.hasOwn(body, member) ? `The response has ${member}` : undefined;
}

export function bodyOf({ text }: Answer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
