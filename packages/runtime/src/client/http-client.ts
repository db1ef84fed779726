import type { ContentFacts, HttpOperation, ParameterFacts, SuccessFacts } from "../operation.ts";
import { decodeScalar, writeParameter } from "../parameter-text.ts";
import { apiErrorOf, findJson, readText, readValue } from "./answer.ts";
import { type Caller, createCaller, type OutgoingCall } from "./caller.ts";
import { InvalidResponseError } from "./client-errors.ts";
import type { CallOptions, ClientOptions, KeyNames, TransportResponse } from "./client-options.ts";
import { nextPageInput, type WireInput } from "./next-page.ts";

/** What generated REST clients call. */
export interface HttpClient {
  /** Throws `ApiError`, `TransportError`, `TimeoutError`, `InvalidResponseError`, or the reason of an aborted signal. */
  call<Input, Output>(
    operation: HttpOperation<Input, Output>,
    input: Input | undefined,
    options: CallOptions | undefined,
  ): Promise<Output>;
  /** The answers of an operation and of those that its document's `next` links lead to, each asked for when it is wanted. */
  pages<Input, Output>(
    operations: Readonly<Record<string, HttpOperation>>,
    operation: HttpOperation<Input, Output>,
    input: Input | undefined,
    options: CallOptions | undefined,
  ): AsyncGenerator<Output, void, undefined>;
}

/** An answer as it stands on the wire. */
interface WireAnswer {
  readonly content: ContentFacts | undefined;
  readonly wire: unknown;
}

export function createHttpClient(options: ClientOptions, keyNames: KeyNames): HttpClient {
  const caller = createCaller(options, keyNames);
  return {
    async call(operation, input, callOptions) {
      const { wire } = await exchange(caller, operation, wireInput(operation, input), callOptions);
      return readValue(caller, operation.name, operation.output, wire);
    },
    async *pages<Input, Output>(
      operations: Readonly<Record<string, HttpOperation>>,
      first: HttpOperation<Input, Output>,
      input: Input | undefined,
      callOptions: CallOptions | undefined,
    ) {
      let operation: HttpOperation | undefined = first;
      let values: WireInput | undefined = wireInput(first, input);
      while (operation !== undefined && values !== undefined) {
        const { wire } = await exchange(caller, operation, values, callOptions);
        // A link leads to more of the same.
        yield readValue(caller, operation.name, operation.output, wire) as Output;
        values = nextPageInput(operation, values, wire);
        operation = operation.next === undefined ? undefined : operations[operation.next.operation];
      }
    },
  };
}

function wireInput<Input>(operation: HttpOperation<Input, unknown>, input: Input | undefined): WireInput {
  if (input === undefined) return {};
  const encoded = operation.input.encode === undefined ? input : operation.input.encode(input);
  return (encoded ?? {}) as WireInput;
}

async function exchange(
  caller: Caller,
  operation: HttpOperation,
  input: WireInput,
  options: CallOptions | undefined,
): Promise<WireAnswer> {
  const response = await caller.send(outgoingCall(operation, input), options);
  const success = operation.successes.find(({ status }) => status === response.status);
  if (success === undefined) throw failureOf(caller, operation, response);
  return { content: success.content, wire: readWire(operation, success, response) };
}

function failureOf(caller: Caller, operation: HttpOperation, response: TransportResponse): Error {
  if (response.status >= 400 || response.status < 200 || response.status >= 300) {
    return apiErrorOf(caller, operation.name, operation.failures, response);
  }
  return new InvalidResponseError(operation.name, `the status ${response.status} is not in the document`);
}

function readWire(operation: HttpOperation, { content }: SuccessFacts, response: TransportResponse): unknown {
  switch (content?.form) {
    case undefined:
      return undefined;
    case "binary":
      return response.body;
    case "text":
      return decodeScalar(content.decoding ?? "string", readText(response));
    case "json": {
      const value = findJson(response, operation.output.decode !== undefined);
      if (value === undefined) throw new InvalidResponseError(operation.name, "the answer is not JSON");
      return value;
    }
    default:
      throw new InvalidResponseError(operation.name, "the answer is in a form that is not known");
  }
}

function outgoingCall(operation: HttpOperation, input: WireInput): OutgoingCall {
  const parameters = operation.parameters.filter((facts) => input[facts.property] !== undefined);
  const written = (location: ParameterFacts["location"]): readonly (readonly [string, string])[] =>
    parameters
      .filter((facts) => facts.location === location)
      .flatMap((facts) => writeParameter(facts, input[facts.property]));
  const cookies = written("cookie").map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  const body = outgoingBody(operation, input);
  return {
    operation: operation.name,
    method: operation.method,
    path: outgoingPath(operation, input),
    query: written("query")
      .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
      .join("&"),
    headers: {
      accept: acceptOf(operation),
      ...Object.fromEntries(written("header").map(([name, text]) => [name.toLowerCase(), text])),
      ...(cookies.length === 0 ? {} : { cookie: cookies.join("; ") }),
      ...(body === undefined ? {} : { "content-type": body.mediaType }),
    },
    ...(body === undefined ? {} : { body: body.content }),
    idempotent: operation.idempotent,
  };
}

/** `*∕*` last: a failure is text, whatever the success is. */
function acceptOf(operation: HttpOperation): string {
  const types = operation.successes.flatMap(({ content }) => (content === undefined ? [] : [content.mediaType]));
  return [...new Set(types), "*/*;q=0.1"].join(", ");
}

/** Segments that URLs take for steps through the path, whatever their escaping. */
const stepSegment = /^(?:\.|%2e){0,2}$/i;

function outgoingPath(operation: HttpOperation, input: WireInput): string {
  const path = operation.parameters
    .filter((facts) => facts.location === "path")
    .reduce((text, facts) => text.replace(`{${facts.name}}`, () => pathText(operation, facts, input)), operation.path);
  return path;
}

function pathText(operation: HttpOperation, facts: ParameterFacts, input: WireInput): string {
  const value = input[facts.property];
  const text =
    value === undefined
      ? ""
      : writeParameter(facts, value)
          .map(([, written]) => written)
          .join("");
  const encoded = encodeURIComponent(text);
  if (stepSegment.test(encoded)) {
    throw new RangeError(`${operation.name}: ${facts.property} can't stand in a path`);
  }
  return encoded;
}

/** A body in the content that the input's `body` has the type of: the first in JSON, else the first. */
function outgoingBody(
  operation: HttpOperation,
  input: WireInput,
): { readonly mediaType: string; readonly content: string | Uint8Array } | undefined {
  const body = input["body"];
  if (operation.body === undefined || body === undefined) return undefined;
  const { contents } = operation.body;
  const content = contents.find(({ form }) => form === "json") ?? contents[0];
  if (content === undefined) return undefined;
  if (content.form === "json") return { mediaType: content.mediaType, content: JSON.stringify(body) };
  return { mediaType: content.mediaType, content: body instanceof Uint8Array ? body : String(body) };
}
