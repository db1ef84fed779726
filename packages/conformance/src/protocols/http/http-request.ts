import { type ContentFacts, writeParameters } from "@nodewright/runtime";
import { writeContent, type WrittenBody } from "../../client/write-content.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import type { PlainRequest } from "../../contract/exchange.ts";

/** Wire values by property of the input; the body under `body`. */
export type Input = Readonly<Record<string, unknown>>;

/** The request that an input makes; undefined for one that can't be written, such as a path without its parameter. */
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

/** A request as one text: two inputs that make the same one are the same input. */
export function requestKey(request: PlainRequest): string {
  const body =
    typeof request.body === "string" ? request.body : request.body && Buffer.from(request.body).toString("base64");
  return JSON.stringify([request.method, request.path, request.query, request.headers, body ?? null]);
}

/** The content in which a body is written when the input names none: JSON where there is any. */
export function contentOf({ body }: SuiteHttpOperation, input: Input = {}): ContentFacts | undefined {
  const contents = body?.contents ?? [];
  const named = contents.find(({ mediaType }) => mediaType === input["contentType"]);
  return named ?? contents.find(({ form }) => form === "json") ?? contents[0];
}

/** Asks for what is documented first: servers that offer more than the description says would answer that. */
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

/** A path as it is sent: what a description writes in other letters is percent-encoded (RFC 3986, section 2.5). */
function inAscii(path: string): string {
  return path.replaceAll(/[^\u0021-\u007e]+/gu, encodeURIComponent);
}
