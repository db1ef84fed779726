import { type ContentFacts, writeParameters } from "@nodewright/runtime";
import { writeContent, type WrittenBody } from "../../client/write-content.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import type { PlainRequest } from "../../contract/exchange.ts";

/** Wire values by property of the input, with the body under `body`. */
export type Input = Readonly<Record<string, unknown>>;

/** Returns the request of an input; `undefined` when it can't be written, such as a path without its parameter. */
export function requestOf(operation: SuiteHttpOperation, input: Input): PlainRequest | undefined {
  try {
    const written = writeParameters(operation.path, operation.parameters, input);
    const body = bodyOf(operation, input);
    const accept = acceptOf(operation, input);
    return {
      method: operation.method,
      path: inAscii(written.path),
      query: written.query,
      headers: {
        ...(accept === undefined ? {} : { accept }),
        ...written.headers,
        ...(body === undefined ? {} : { "content-type": body.contentType }),
      },
      ...(body === undefined ? {} : { body: body.body }),
    };
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Returns a string that identifies a request: two inputs with the same request are the same input. */
export function requestKey(request: PlainRequest): string {
  const body =
    typeof request.body === "string" ? request.body : request.body && Buffer.from(request.body).toString("base64");
  return JSON.stringify([request.method, request.path, request.query, request.headers, body ?? null]);
}

/** Returns the content for a body whose input names no media type: JSON when available. */
export function contentOf({ body }: SuiteHttpOperation, input: Input = {}): ContentFacts | undefined {
  const contents = body?.contents ?? [];
  const named = contents.find(({ mediaType }) => mediaType === input["contentType"]);
  return named ?? contents.find(({ form }) => form === "json") ?? contents[0];
}

/** Returns an `Accept` header that prefers documented media types: servers that support others would otherwise use those. */
function acceptOf(operation: SuiteHttpOperation, input: Input): string | undefined {
  const { accept } = input;
  if (typeof accept === "string") return accept;
  const documented = [
    ...operation.successes.map(({ content }) => content),
    ...operation.failures.flatMap((one) => one.contents),
  ];
  const names = [...new Set(documented.flatMap((content) => (content === undefined ? [] : [content.mediaType])))];
  const [first, ...others] = names;
  if (first === undefined) return undefined;
  return others.length === 0
    ? `${first}, */*;q=0.1`
    : [first, ...others.map((name) => `${name};q=0.9`), "*/*;q=0.1"].join(", ");
}

function bodyOf(operation: SuiteHttpOperation, input: Input): WrittenBody | undefined {
  const value = input["body"];
  if (value === undefined) return undefined;
  const content = contentOf(operation, input);
  return content === undefined ? undefined : writeContent(content, value);
}

/** Returns a path with all non-ASCII characters percent-encoded (RFC 3986, section 2.5). */
function inAscii(path: string): string {
  return path.replaceAll(/[^\u0021-\u007e]+/gu, encodeURIComponent);
}
