import { isRecord } from "../json/is-record.ts";
import { writeLosslessJson } from "../json/lossless-json.ts";
import type { GraphqlDocumentFacts, ValueCodec } from "../operations/operation.ts";
import { apiErrorOf, findJson, readValue } from "./read-response.ts";
import { type Caller, createCaller, retryAfterSeconds } from "./caller.ts";
import { GraphqlError, type GraphqlErrorEntry, InvalidResponseError } from "./client-errors.ts";
import type { CallOptions, ClientFacts, GivenClientOptions, TransportResponse } from "./client-options.ts";
import { type GraphqlSubscription, openSubscription } from "./graphql-subscription.ts";
import { createRangePages, type PageOptions, type RangePages } from "./range-pages.ts";

/** Interface that generated GraphQL clients call. */
export interface GraphqlClient {
  /**
   * Calls an operation. Throws `GraphqlError`, partial data in it, `ApiError`, `TransportError`, `TimeoutError`, `InvalidResponseError`, or
   * a signal's reason.
   */
  call<Variables, Data>(
    document: GraphqlDocumentFacts<Variables, Data>,
    variables: Variables | undefined,
    options: CallOptions | undefined,
  ): Promise<Data>;
  /** Returns the results of a subscription, which is sent when the first is consumed. Each may throw what `call` throws. */
  subscription<Variables, Data>(
    document: GraphqlDocumentFacts<Variables, Data>,
    variables: Variables | undefined,
    options: CallOptions | undefined,
  ): GraphqlSubscription<Data>;
  /**
   * Returns the results of an operation over a range of integers, page by page. `end`: the operation that returns the end of an open range,
   * if the document names one.
   */
  pages<Variables, Data, Item>(
    document: GraphqlDocumentFacts<Variables, Data>,
    end: GraphqlDocumentFacts | undefined,
    variables: Variables | undefined,
    options: PageOptions | undefined,
  ): RangePages<Data, Item>;
  readonly query: GraphqlQuery;
  readonly subscribe: GraphqlSubscribe;
}

/** Options of a handwritten query. */
export interface GraphqlQueryOptions extends CallOptions {
  /** Operation to execute, where the document contains several. */
  readonly operationName?: string | undefined;
}

/**
 * Function that sends a handwritten query or mutation. `Data` is not validated. A document that contains the word `mutation` is sent once,
 * whatever `retries` is.
 */
export type GraphqlQuery = <Data = unknown, Variables extends object = Readonly<Record<string, unknown>>>(
  text: string,
  variables?: Variables,
  options?: GraphqlQueryOptions,
) => Promise<Data>;

/** The same for a subscription. */
export type GraphqlSubscribe = <Data = unknown, Variables extends object = Readonly<Record<string, unknown>>>(
  text: string,
  variables?: Variables,
  options?: GraphqlQueryOptions,
) => GraphqlSubscription<Data>;

/** A request, with the reading of its data. */
interface GraphqlRequest<Data> {
  /** Name for errors. */
  readonly name: string;
  readonly root: GraphqlDocumentFacts["root"];
  readonly text: string;
  readonly variables: unknown;
  readonly operationName?: string | undefined;
  readonly output: ValueCodec<Data>;
}

const headers = {
  accept: "application/graphql-response+json, application/json;q=0.9",
  "content-type": "application/json",
};

/** Creates the GraphQL client that generated clients are built on. */
export function createGraphqlClient(options: GivenClientOptions, facts: ClientFacts): GraphqlClient {
  const caller = createCaller(options, facts);
  return {
    call: (document, variables, callOptions) => send(caller, { ...document, variables }, callOptions),
    subscription: (document, variables, callOptions) => subscribe(caller, { ...document, variables }, callOptions),
    pages: (document, end, variables, pageOptions) =>
      createRangePages({
        document,
        endDocument: end,
        variables,
        options: pageOptions,
        call: (called, values) => send(caller, { ...called, variables: values }, pageOptions),
      }),
    query(text, variables, callOptions) {
      const root = /\bmutation\b/.test(text) ? "mutation" : "query";
      return send(caller, ownRequest(root, text, variables, callOptions), callOptions) as Promise<never>;
    },
    subscribe: (text, variables, callOptions) =>
      subscribe(
        caller,
        ownRequest("subscription", text, variables, callOptions),
        callOptions,
      ) as GraphqlSubscription<never>,
  };
}

function ownRequest(
  root: GraphqlDocumentFacts["root"],
  text: string,
  variables: unknown,
  options: GraphqlQueryOptions | undefined,
): GraphqlRequest<unknown> {
  const { operationName } = options ?? {};
  return { name: operationName ?? root, root, text, variables, operationName, output: {} };
}

async function send<Data>(
  caller: Caller,
  request: GraphqlRequest<Data>,
  options: CallOptions | undefined,
): Promise<Data> {
  const { name, root, output } = request;
  const call = { operation: name, method: "POST", path: "", headers, body: bodyOf(request) };
  const response = await caller.send({ ...call, idempotent: root === "query" }, options);
  const body = findJson(response, output.decode !== undefined);
  if (!isRecord(body) || isThirdPartyError(body, response)) throw apiErrorOf(caller, name, [], response);
  return readData(caller, request, body, response);
}

/**
 * Returns whether an error object comes from another server: one at a wrong address, or in the service's place, may write its errors as
 * JSON objects too.
 */
function isThirdPartyError(body: Readonly<Record<string, unknown>>, { status }: TransportResponse): boolean {
  return status >= 300 && body["data"] === undefined && body["errors"] === undefined;
}

function subscribe<Data>(
  caller: Caller,
  request: GraphqlRequest<Data>,
  options: CallOptions | undefined,
): GraphqlSubscription<Data> {
  const { name, output } = request;
  return openSubscription({
    caller,
    name,
    output,
    body: bodyOf(request),
    options,
    readData: (body, response) => readData(caller, request, body, response),
    failureOf: (response) => failureOf(caller, name, response),
  });
}

function bodyOf({ text, variables, operationName }: GraphqlRequest<unknown>): string {
  return writeLosslessJson({
    query: text,
    variables: variables ?? {},
    ...(operationName === undefined ? {} : { operationName }),
  });
}

/** Returns the data of a response. Throws its errors. */
function readData<Data>(
  caller: Caller,
  { name, output }: GraphqlRequest<Data>,
  body: unknown,
  response: TransportResponse,
): Data {
  if (!isRecord(body)) throw new InvalidResponseError(name, "the response is not an object");
  const errors = body["errors"] ?? undefined;
  // Section 7.1.2: a list of errors is not empty. Services that send an empty one nevertheless mean that there are none.
  const isEmpty = Array.isArray(errors) && errors.length === 0 && body["data"] !== undefined;
  if (errors !== undefined && !isEmpty) throw graphqlErrorOf(caller, name, errors, body["data"], response);
  if (body["data"] === undefined) throw new InvalidResponseError(name, "the response has neither data nor errors");
  return readValue(caller, name, output, body["data"]);
}

/** Returns the failure of a subscription that received no events: errors, or something outside GraphQL. */
function failureOf(caller: Caller, name: string, response: TransportResponse): Error {
  const body = findJson(response, false);
  if (isRecord(body) && body["errors"] !== undefined) {
    return graphqlErrorOf(caller, name, body["errors"], body["data"], response);
  }
  if (response.status === 200) return new InvalidResponseError(name, "the response is not an event stream");
  return apiErrorOf(caller, name, [], response);
}

function graphqlErrorOf(
  caller: Caller,
  name: string,
  errors: unknown,
  data: unknown,
  response: TransportResponse,
): GraphqlError {
  const status = { status: response.status, retryAfterSeconds: retryAfterSeconds(response) };
  return new GraphqlError(name, errorEntries(caller, errors), redacted(caller, data), status);
}

function errorEntries(caller: Caller, errors: unknown): readonly GraphqlErrorEntry[] {
  const entries = Array.isArray(errors) ? errors.filter(isRecord) : [];
  return entries.map((entry) => {
    const path = redacted(caller, entry["path"]);
    const extensions = redacted(caller, entry["extensions"]);
    return {
      message: typeof entry["message"] === "string" ? caller.endpoint.redaction.text(entry["message"]) : "",
      ...(Array.isArray(path) ? { path } : {}),
      ...(isRecord(extensions) ? { extensions } : {}),
    };
  });
}

/** Returns the value without secrets; `undefined` for one that is nested too deeply to be searched for the key. */
function redacted({ endpoint }: Caller, value: unknown): unknown {
  try {
    return endpoint.redaction.value(value);
  } catch {
    return undefined;
  }
}
