import type { SecurityFacts } from "./credentials.ts";

/** A request as it is sent. Its URL and headers may contain credentials: a transport must not reveal either. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body; consecutive bytes where it is a sequence of items. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Signal that is aborted when the caller aborts or the timeout passes. */
  readonly signal: AbortSignal;
  /**
   * Returns whether a response with this status and media type should be streamed, as `chunks`. Absent: none. A transport that can't stream
   * may return the complete body.
   */
  streams?(status: number, contentType: string | undefined): boolean;
}

/** Response of a transport to one HTTP request. */
export interface TransportResponse {
  readonly status: number;
  /** Body; empty where there are `chunks`. */
  readonly body: Uint8Array;
  /** Body as a stream of chunks; a consumer that stops reading ends the exchange. */
  readonly chunks?: AsyncIterable<Uint8Array>;
  /** Returns the value of a header, its name in lower case. */
  header(name: string): string | undefined;
}

/**
 * Function that sends one request and reads the complete response, unless it should be streamed. Rejects when there is none; any status is
 * a response.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Part of a response before its body. */
export interface ResponseHead {
  /** Name of the operation; `batch` for a batch of JSON-RPC. */
  readonly operation: string;
  readonly status: number;
  /** Returns the value of a header, its name in any case. */
  header(name: string): string | undefined;
}

/** Options of a client, without the location of the interface. */
export interface CommonClientOptions {
  /** API key, sent with each request; never part of an error. */
  readonly apiKey?: string | undefined;
  /**
   * Location of the key. `query`: the document's query parameter; `header`: its header, so that no proxy in between logs it. Absent:
   * `query`.
   */
  readonly apiKeyLocation?: "query" | "header" | undefined;
  /** Timeout of each attempt's response in milliseconds; of a streamed one, of its beginning. Absent: `defaultClientOptions`. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Number of retries of an idempotent call without a response, or with 429, 502, 503 or 504. Absent: `defaultClientOptions`. */
  readonly retries?: number | undefined;
  /** First delay before a retry in milliseconds, doubled each time, half of it random. Absent: `defaultClientOptions`. */
  readonly retryDelayMilliseconds?: number | undefined;
  /** Whether each response is validated against its type. Absent: off. */
  readonly validateResponses?: boolean | undefined;
  /** Transport. Absent: `fetch`. */
  readonly transport?: Transport | undefined;
  /** Headers sent with each request; treated as secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Callback for each response, failures among them, before its body is read: for rate limits, pages and entity tags. */
  readonly onResponse?: ((head: ResponseHead) => void) | undefined;
}

/** Options of a generated client. */
export interface ClientOptions extends CommonClientOptions {
  /** Base URL of the interface: `https://nodes.example/bitcoin-mainnet/indexer/rest`. */
  readonly baseUrl: string;
}

/** Options that generated creators pass on: their own are narrower. */
export interface GivenClientOptions extends CommonClientOptions {
  readonly baseUrl?: string | undefined;
  /** `Credentials` by the names of the generated options. */
  readonly security?: object | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Signal that ends the call, and the items of its response; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMilliseconds?: number | undefined;
  readonly retries?: number | undefined;
  /** Headers in place of those that the client sends by the same names; treated as secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Callback for the response, in addition to the client's own `onResponse`. */
  readonly onResponse?: ((head: ResponseHead) => void) | undefined;
  /**
   * Maximum number of consecutive reconnections of an event stream after its connection was lost or ended, with `Last-Event-ID`. Absent:
   * none.
   */
  readonly reconnections?: number | undefined;
}

/** Options of a call whose binary response should be streamed. */
export interface ChunkedCallOptions extends CallOptions {
  readonly inChunks: true;
}

/** Facts of a generated client about its API. */
export interface ClientFacts extends KeyNames, SecurityFacts {
  /** Loads the table of operations with their validators, for clients that validate responses. */
  operations?(): Promise<{ readonly operations: object }>;
  /** Base URL of the API unless the options contain another. */
  readonly baseUrl?: string;
}

/** Names of the query parameter and the header with which an API accepts its key. */
export interface KeyNames {
  readonly query: string;
  readonly header: string;
}

/** Default options of generated clients. */
export const defaultClientOptions = {
  timeoutMilliseconds: 30_000,
  retries: 2,
  retryDelayMilliseconds: 200,
} as const;
