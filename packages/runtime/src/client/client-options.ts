import type { SecurityFacts } from "./credentials.ts";

/** A request as it goes out. Its URL and headers may hold credentials: a transport shows neither to anybody. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes that come one after the other where the body is a sequence of items. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Aborted when the caller gives up or time is up. */
  readonly signal: AbortSignal;
  /**
   * Whether an answer of this status and media type is wanted piece by piece, as `chunks`. Absent: none is. A transport that
   * can't do that may give the whole body.
   */
  streams?(status: number, contentType: string | undefined): boolean;
}

export interface TransportResponse {
  readonly status: number;
  /** Empty where there are `chunks`. */
  readonly body: Uint8Array;
  /** The body piece by piece; who stops reading ends the exchange. */
  readonly chunks?: AsyncIterable<Uint8Array>;
  /** Value of a header, its name in lower case. */
  header(name: string): string | undefined;
}

/** Sends one request and reads the whole answer, unless it is wanted in pieces. Rejects when there is none; any status is an answer. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** What came before the body of an answer. */
export interface AnswerHead {
  /** Name of the operation; `batch` of a batch of JSON-RPC. */
  readonly operation: string;
  readonly status: number;
  /** Value of a header, its name in any case. */
  header(name: string): string | undefined;
}

/** What a client is created with, but for where the interface stands. */
export interface CommonClientOptions {
  /** Sent with each request; never part of an error. */
  readonly apiKey?: string | undefined;
  /** `query`: as the document's query parameter; `header`: as its header, so that no proxy on the way logs it. Absent: `query`. */
  readonly apiKeyLocation?: "query" | "header" | undefined;
  /** Longest wait for each attempt's answer; of one that comes in pieces, for its beginning. Absent: `defaultClientOptions`. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Further attempts of an idempotent call that got no answer, or 429, 502, 503 or 504. Absent: `defaultClientOptions`. */
  readonly retries?: number | undefined;
  /** First delay before a further attempt, doubled each time, half of it by chance. Absent: `defaultClientOptions`. */
  readonly retryDelayMilliseconds?: number | undefined;
  /** Holds each answer against its type. Absent: off. */
  readonly validateResponses?: boolean | undefined;
  /** Absent: `fetch`. */
  readonly transport?: Transport | undefined;
  /** Sent with each request; taken for secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Told of each answer, failures among them, before its body is read: for rate limits, pages and entity tags. */
  readonly onAnswer?: ((head: AnswerHead) => void) | undefined;
}

export interface ClientOptions extends CommonClientOptions {
  /** Where the interface stands: `https://nodes.example/bitcoin-mainnet/indexer/rest`. */
  readonly baseUrl: string;
}

/** What generated creators hand on: their own options are narrower. */
export interface GivenClientOptions extends CommonClientOptions {
  readonly baseUrl?: string | undefined;
  /** `Credentials` by the names of the generated options. */
  readonly security?: object | undefined;
}

/** What one call may have of its own. */
export interface CallOptions {
  /** Ends the call, and the items of its answer; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMilliseconds?: number | undefined;
  readonly retries?: number | undefined;
  /** In place of those that the client sends by the same names; taken for secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Told of the answer beside the client's own `onAnswer`. */
  readonly onAnswer?: ((head: AnswerHead) => void) | undefined;
  /**
   * How often in a row a stream of events may be asked for again after its connection was lost or ended, with `Last-Event-ID`. Absent: never.
   */
  readonly reconnections?: number | undefined;
}

/** Options of a call whose answer of bytes is wanted piece by piece. */
export interface ChunkedCallOptions extends CallOptions {
  readonly inChunks: true;
}

/** What a generated client knows of its API. */
export interface ClientFacts extends KeyNames, SecurityFacts {
  /** The table of operations with their validators, loaded by clients that hold answers against their types. */
  operations?(): Promise<{ readonly operations: object }>;
  /** Where the API is served unless the options say otherwise. */
  readonly baseUrl?: string;
}

/** How an API takes its key: name of the query parameter and of the header. */
export interface KeyNames {
  readonly query: string;
  readonly header: string;
}

export const defaultClientOptions = {
  timeoutMilliseconds: 30_000,
  retries: 2,
  retryDelayMilliseconds: 200,
} as const;
