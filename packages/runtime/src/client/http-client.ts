import type { ContentFacts, HttpCall } from "../operations/operation.ts";
import { isStreamed } from "../wire/body.ts";
import { apiErrorOf, readValue } from "./read-response.ts";
import { type Caller, createCaller, type ReceivedResponse } from "./caller.ts";
import { InvalidResponseError, isApiError, TransportError } from "./client-errors.ts";
import type {
  CallOptions,
  ChunkedCallOptions,
  ClientFacts,
  GivenClientOptions,
  TransportResponse,
} from "./client-options.ts";
import { createSecurityWriter, type SecurityWriter } from "./credentials.ts";
import { findSuccess, readWireResponse } from "./incoming-response.ts";
import { readChunks, readItems } from "./item-reader.ts";
import { nextPageInput, type WireInput } from "./next-page.ts";
import { outgoingCall } from "./outgoing-request.ts";
import { isSuccessStatus } from "./status-pattern.ts";
import { type CallResolver, createCallResolver } from "./validated-call.ts";

/** A call whose binary response can be streamed. */
export interface BytesCall<Input, Output> {
  (input: Input, options: ChunkedCallOptions): Promise<AsyncIterable<Uint8Array>>;
  (input: Input, options?: CallOptions): Promise<Output>;
}

/** The same with an entirely optional input. */
export interface OptionalBytesCall<Input, Output> {
  (input: Input | undefined, options: ChunkedCallOptions): Promise<AsyncIterable<Uint8Array>>;
  (input?: Input, options?: CallOptions): Promise<Output>;
}

/** A call whose response has the media type that its input requests by `accept`, `Usual` where it does not. */
export type NegotiatedCall<Input, Reply, Usual extends string> = <const Accept extends string = Usual>(
  input: Input & { readonly accept?: Accept },
  options?: CallOptions,
) => Promise<NegotiatedBody<Reply, Accept>>;

/** The same with an entirely optional input. */
export type OptionalNegotiatedCall<Input, Reply, Usual extends string> = <const Accept extends string = Usual>(
  input?: Input & { readonly accept?: Accept },
  options?: CallOptions,
) => Promise<NegotiatedBody<Reply, Accept>>;

/** Bodies of those replies that have a media type, or whose media type is not negotiated. */
export type NegotiatedBody<Reply, Accept> = Reply extends { readonly body?: infer Body }
  ? Reply extends { readonly contentType?: infer Type }
    ? Accept extends Type
      ? Body
      : never
    : Body
  : never;

/** Interface that generated REST clients call. */
export interface HttpClient {
  /**
   * Calls an operation. Throws `ApiError`, `TransportError`, `TimeoutError`, `InvalidResponseError`, or the reason of an aborted signal;
   * `RangeError` for an input that can't be sent. A response that is a sequence of items is returned once it has begun, to be iterated
   * over: each item may throw the same.
   */
  call<Input, Output>(
    operation: HttpCall<Input, Output>,
    input: Input | undefined,
    options: CallOptions | undefined,
  ): Promise<Output>;
  /** Creates the call of an operation whose response depends on its input or options: `Call` is its type in generated code. */
  method<Call, Input, Output>(operation: HttpCall<Input, Output>): Call;
  /** Returns the responses of an operation and of its document's `next` links, each requested when it is consumed. */
  pages<Input, Output>(
    operations: Readonly<Record<string, HttpCall>>,
    operation: HttpCall<Input, Output>,
    input: Input | undefined,
    options: CallOptions | undefined,
  ): AsyncGenerator<Output, void, undefined>;
}

/** State shared by all calls of a client. */
interface Connection {
  readonly caller: Caller;
  readonly resolveCall: CallResolver;
  readonly writeSecurity: SecurityWriter;
}

/** A call of an operation. */
interface Call extends Connection {
  readonly operation: HttpCall;
  readonly input: WireInput;
  readonly options: (CallOptions & { readonly inChunks?: boolean }) | undefined;
}

/** A successful response, with its content. */
interface SuccessfulResponse {
  readonly content: ContentFacts | undefined;
  readonly response: ReceivedResponse;
}

/** Creates the HTTP client that generated clients are built on. */
export function createHttpClient(options: GivenClientOptions, facts: ClientFacts): HttpClient {
  const connection: Connection = {
    caller: createCaller(options, facts),
    resolveCall: createCallResolver(options, facts),
    writeSecurity: createSecurityWriter(facts, options.security),
  };
  return {
    // The response has the operation's own type, which the table of facts carries.
    call: (operation, input, callOptions) => start(connection, operation, input, callOptions) as Promise<never>,
    method<Method, Input, Output>(operation: HttpCall<Input, Output>) {
      const method = (input: Input | undefined, callOptions: CallOptions | undefined): Promise<unknown> =>
        start(connection, operation, input, callOptions);
      return method as Method;
    },
    async *pages<Input, Output>(
      operations: Readonly<Record<string, HttpCall>>,
      first: HttpCall<Input, Output>,
      input: Input | undefined,
      callOptions: CallOptions | undefined,
    ) {
      let operation: HttpCall | undefined = first as HttpCall;
      let values: WireInput | undefined = wireInput(first, input);
      while (operation !== undefined && values !== undefined) {
        operation = await connection.resolveCall(operation);
        const { content, response } = await exchange({ ...connection, operation, input: values, options: callOptions });
        const wire = readWireResponse(operation, content, response);
        // A link leads to a page of the same type.
        yield readValue(connection.caller, operation.name, operation.output, wire) as Output;
        values = nextPageInput(operation, values, wire);
        operation = operation.next === undefined ? undefined : operations[operation.next.operation];
      }
    },
  };
}

function wireInput<Input>(operation: HttpCall<Input, unknown>, input: Input | undefined): WireInput {
  if (input === undefined) return {};
  const encoded = operation.input.encode === undefined ? input : operation.input.encode(input);
  return (encoded ?? {}) as WireInput;
}

async function start<Input, Output>(
  connection: Connection,
  facts: HttpCall<Input, Output>,
  input: Input | undefined,
  options: CallOptions | undefined,
): Promise<unknown> {
  const operation = (await connection.resolveCall(facts)) as HttpCall;
  const call: Call = { ...connection, operation, input: wireInput(facts, input), options };
  const { caller } = call;
  const { content, response } = await exchange(call);
  if (content !== undefined && isStreamed(content)) {
    const resume = (lastEventId: string): Promise<ReceivedResponse | undefined> => resumeEvents(call, lastEventId);
    return readItems({ caller, operation, content, response, options, resume });
  }
  // A response without a body has no content type.
  if (content === undefined) return undefined;
  if (call.options?.inChunks === true && content.form === "binary") return readChunks(response);
  return readValue(caller, operation.name, operation.output, readWireResponse(operation, content, response));
}

async function exchange(call: Call, headers: Readonly<Record<string, string>> = {}): Promise<SuccessfulResponse> {
  const { caller, operation, options } = call;
  const security = await call.writeSecurity(operation);
  caller.endpoint.redaction.learn(security.secrets);
  const outgoing = outgoingCall(operation, call.input, security);
  const streams = (status: number, contentType: string | undefined): boolean => {
    const content = findSuccess(operation, status, contentType)?.content;
    return content !== undefined && (isStreamed(content) || (options?.inChunks === true && content.form === "binary"));
  };
  const sent = { ...outgoing, headers: { ...outgoing.headers, ...headers }, streams };
  const response = await caller.send(sent, options);
  const success = findSuccess(operation, response.status, response.header("content-type"));
  if (success === undefined) throw failureOf(caller, operation, response);
  // RFC 9110, section 9.3.2: whatever the document contains, there is no body.
  const hasBody = operation.method !== "HEAD";
  return { content: hasBody ? success.content : undefined, response };
}

/**
 * Resumes events. WHATWG HTML, section 9.2.3: a response that is not an event stream ends them, and so does 204 whatever the document
 * contains.
 */
async function resumeEvents(call: Call, lastEventId: string): Promise<ReceivedResponse | undefined> {
  const { operation } = call;
  const [first, ...others] = operation.successes;
  const ended: HttpCall = { ...operation, successes: [first, ...others, { status: 204, headers: [] }] };
  const headers: Record<string, string> = lastEventId === "" ? {} : { "last-event-id": lastEventId };
  try {
    const { content, response } = await exchange(
      { ...call, operation: ended, options: { ...call.options, retries: 0 } },
      headers,
    );
    return content?.form === "event-stream" ? response : undefined;
  } catch (error) {
    if (isApiError(error) && temporaryStatuses.has(error.status)) {
      throw new TransportError(operation.name, `STATUS_${error.status}`);
    }
    throw error;
  }
}

const temporaryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function failureOf(caller: Caller, operation: HttpCall, response: TransportResponse): Error {
  if (!isSuccessStatus(response.status)) {
    return apiErrorOf(caller, operation.name, operation.failures, response);
  }
  return new InvalidResponseError(operation.name, `the status ${response.status} is not in the document`);
}
