import { writeLosslessJson } from "../json/lossless-json.ts";
import type { RpcCall } from "../operations/operation.ts";
import { ownMember } from "../json/own-member.ts";
import { writeRpcArguments } from "../operations/rpc-parameters.ts";
import { apiErrorOf, findJson, readValue } from "./read-response.ts";
import { type Caller, createCaller, retryAfterSeconds } from "./caller.ts";
import { type CallResolver, createCallResolver } from "./validated-call.ts";
import { InvalidResponseError, RpcError } from "./client-errors.ts";
import type { CallOptions, ClientFacts, GivenClientOptions, TransportResponse } from "./client-options.ts";
import { isSuccessStatus } from "./status-pattern.ts";

/** Input and output types of an operation. */
type InputOf<Operation> = Operation extends RpcCall<infer Input, infer _Output> ? Input : never;
type OutputOf<Operation> = Operation extends RpcCall<infer _Input, infer Output> ? Output : never;

/** A member of a batch: the operation's name and its input, which may be omitted where nothing in it is required. */
export type BatchMember<Operations> = {
  readonly [Name in keyof Operations]: Readonly<Record<never, never>> extends InputOf<Operations[Name]>
    ? readonly [operation: Name, input?: InputOf<Operations[Name]>]
    : readonly [operation: Name, input: InputOf<Operations[Name]>];
}[keyof Operations];

/** Outcome of a member of a batch. */
export type BatchOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: RpcError | InvalidResponseError };

/** Outcomes of the members, in the order of the batch. */
export type BatchOutcomes<Operations, Members extends readonly BatchMember<Operations>[]> = {
  readonly [Position in keyof Members]: Members[Position] extends readonly [
    infer Name extends keyof Operations,
    ...unknown[],
  ]
    ? BatchOutcome<OutputOf<Operations[Name]>>
    : never;
};

/** Function that sends several calls as one request. Rejects when the complete request has failed; a member's failure is in its outcome. */
export type BatchCall<Operations> = <const Members extends readonly BatchMember<Operations>[]>(
  members: Members,
  options?: CallOptions,
) => Promise<BatchOutcomes<Operations, Members>>;

/** Interface that generated JSON-RPC clients call. */
export interface RpcClient {
  /**
   * Calls a method. Throws `RpcError`, `ApiError`, `TransportError`, `TimeoutError`, `InvalidResponseError`, or the reason of an aborted
   * signal.
   */
  call<Input, Output>(
    operation: RpcCall<Input, Output>,
    input: Input | undefined,
    options: CallOptions | undefined,
  ): Promise<Output>;
  batch<Operations extends object>(operations: Operations): BatchCall<Operations>;
}

/** A member of the response. */
type RpcMessage = Readonly<Record<string, unknown>>;

interface SentMember {
  readonly id: string;
  readonly operation: RpcCall;
  readonly input: unknown;
}

const batchName = "batch";

/** Creates the JSON-RPC client that generated clients are built on. */
export function createRpcClient(options: GivenClientOptions, facts: ClientFacts): RpcClient {
  const caller = createCaller(options, facts);
  const resolveCall = createCallResolver(options, facts);
  return {
    async call<Input, Output>(known: RpcCall<Input, Output>, input: Input | undefined, callOptions?: CallOptions) {
      const operation = await resolveCall(known);
      const member = { id: "1", operation, input };
      const { name, idempotent } = operation;
      const response = await send(caller, name, idempotent, requestOf(member), callOptions);
      if (operation.isNotification === true) return readNothing(caller, operation, response);
      const message = findJson(response, operation.output.decode !== undefined);
      if (!isMessage(message)) throw unreadable(caller, operation, response);
      return readResponse(caller, operation, member.id, message, response);
    },
    batch<Operations extends object>(operations: Operations): BatchCall<Operations> {
      const table = operations as Readonly<Record<string, RpcCall>>;
      const call = async (
        members: readonly (readonly [name: PropertyKey, input?: unknown])[],
        callOptions?: CallOptions,
      ) => callBatch(caller, { resolveCall, operations: table }, members, callOptions);
      // The types of the outcomes follow from those of the members, which the compiler can't infer through the table.
      return call as unknown as BatchCall<Operations>;
    },
  };
}

interface BatchTable {
  readonly resolveCall: CallResolver;
  readonly operations: Readonly<Record<string, RpcCall>>;
}

async function callBatch(
  caller: Caller,
  { resolveCall, operations }: BatchTable,
  members: readonly (readonly [name: PropertyKey, input?: unknown])[],
  options: CallOptions | undefined,
): Promise<readonly BatchOutcome<unknown>[]> {
  if (members.length === 0) return [];
  const sent = await Promise.all(
    members.map(async ([name, input], position): Promise<SentMember> => {
      const operation = ownMember(operations, String(name));
      if (operation === undefined) throw new TypeError(`There is no operation ${String(name)}`);
      return { id: String(position + 1), operation: await resolveCall(operation), input };
    }),
  );
  const idempotent = sent.every(({ operation }) => operation.idempotent);
  const response = await send(caller, batchName, idempotent, sent.map(requestOf), options);
  const isDecoded = sent.some(({ operation }) => operation.output.decode !== undefined);
  // A batch of only notifications has no response.
  const responses =
    response.body.length === 0 && sent.every(isNotified) && isSuccessStatus(response.status)
      ? []
      : findJson(response, isDecoded);
  if (isMessage(responses)) throw batchError(caller, responses, response);
  if (!Array.isArray(responses)) throw unreadable(caller, { name: batchName, failures: [] }, response);
  const byId = new Map(responses.filter(isMessage).map((message) => [message["id"], message]));
  return sent.map((member) => outcomeOf(caller, member, byId.get(member.id), response));
}

function isNotified({ operation }: SentMember): boolean {
  return operation.isNotification === true;
}

/**
 * Reads the response to a notification. JSON-RPC 2.0, section 4.1: its outcome is not reported, except for a request that was rejected
 * completely.
 */
function readNothing<Output>(
  caller: Caller,
  { name, failures }: Pick<RpcCall, "name" | "failures">,
  response: TransportResponse,
): Output {
  if (!isSuccessStatus(response.status)) throw apiErrorOf(caller, name, failures, response);
  // A notification's output is `undefined`.
  return undefined as Output;
}

function requestOf({ id, operation, input }: SentMember): unknown {
  const encoded = operation.input.encode === undefined || input === undefined ? input : operation.input.encode(input);
  const values = (encoded ?? {}) as Readonly<Record<string, unknown>>;
  return {
    jsonrpc: "2.0",
    ...(operation.isNotification === true ? {} : { id }),
    method: operation.method,
    params: writeRpcArguments(operation, values),
  };
}

function send(
  caller: Caller,
  operation: string,
  idempotent: boolean,
  body: unknown,
  options: CallOptions | undefined,
): Promise<TransportResponse> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  return caller.send(
    { operation, method: "POST", path: "", headers, body: writeLosslessJson(body), idempotent },
    options,
  );
}

function outcomeOf(
  caller: Caller,
  { id, operation }: SentMember,
  message: RpcMessage | undefined,
  response: TransportResponse,
): BatchOutcome<unknown> {
  if (operation.isNotification === true) return { ok: true, value: undefined };
  if (message === undefined) {
    return {
      ok: false,
      error: new InvalidResponseError(operation.name, "the response lacks this member of the batch"),
    };
  }
  try {
    return { ok: true, value: readResponse(caller, operation, id, message, response) };
  } catch (error) {
    if (error instanceof RpcError || error instanceof InvalidResponseError) return { ok: false, error };
    throw error;
  }
}

function readResponse<Output>(
  caller: Caller,
  operation: RpcCall<never, Output> | RpcCall<unknown, Output>,
  id: string,
  message: RpcMessage,
  response: TransportResponse,
): Output {
  const error = message["error"] ?? undefined;
  if (error !== undefined) throw rpcErrorOf(caller, operation.name, operation.failures, error, response);
  if (message["id"] !== id) throw new InvalidResponseError(operation.name, "the response is to another request");
  if (!("result" in message))
    throw new InvalidResponseError(operation.name, "the response has neither result nor error");
  return readValue(caller, operation.name, operation.output, message["result"]);
}

function batchError(caller: Caller, message: RpcMessage, response: TransportResponse): Error {
  const error = message["error"] ?? undefined;
  if (error === undefined) return new InvalidResponseError(batchName, "the response to a batch is not a list");
  return rpcErrorOf(caller, batchName, [], error, response);
}

function rpcErrorOf(
  caller: Caller,
  operation: string,
  failures: RpcCall["failures"],
  error: unknown,
  response: TransportResponse,
): Error {
  if (!isMessage(error) || typeof error["code"] !== "number") {
    return new InvalidResponseError(operation, "the error of the response has no code");
  }
  const { redaction } = caller.endpoint;
  const code = error["code"];
  return new RpcError({
    operation,
    code,
    message: typeof error["message"] === "string" ? redaction.text(error["message"]) : "",
    data: redaction.value(error["data"]),
    failure: failures.find(({ rpcCode }) => rpcCode === code)?.name,
    status: response.status,
    retryAfterSeconds: retryAfterSeconds(response),
  });
}

function unreadable(
  caller: Caller,
  { name, failures }: Pick<RpcCall, "name" | "failures">,
  response: TransportResponse,
): Error {
  if (response.status !== 200) return apiErrorOf(caller, name, failures, response);
  return new InvalidResponseError(name, "the response is not JSON-RPC");
}

function isMessage(value: unknown): value is RpcMessage {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
