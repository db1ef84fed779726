/** A request as it goes out. Its URL and headers may hold the API key: a transport shows neither to anybody. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Aborted when the caller gives up or time is up. */
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  readonly body: Uint8Array;
  /** Value of a header, its name in lower case. */
  header(name: string): string | undefined;
}

/** Sends one request and reads the whole answer. Rejects when there is none; any status is an answer. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export interface ClientOptions {
  /** Where the interface stands: `https://nodes.example/bitcoin-mainnet/indexer/rest`. */
  readonly baseUrl: string;
  /** Sent with each request; never part of an error. */
  readonly apiKey?: string;
  /** `query`: as the document's query parameter; `header`: as its header, so that no proxy on the way logs it. Absent: `query`. */
  readonly apiKeyLocation?: "query" | "header";
  /** Longest wait for each attempt's answer. Absent: `defaultClientOptions`. */
  readonly timeoutMilliseconds?: number;
  /** Further attempts of an idempotent call that got no answer, or 429, 502, 503 or 504. Absent: `defaultClientOptions`. */
  readonly retries?: number;
  /** First delay before a further attempt, doubled each time, half of it by chance. Absent: `defaultClientOptions`. */
  readonly retryDelayMilliseconds?: number;
  /** Holds each answer against its type. Absent: off. */
  readonly validateResponses?: boolean;
  /** Absent: `fetch`. */
  readonly transport?: Transport;
  /** Sent with each request; taken for secret. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What one call may have of its own. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly timeoutMilliseconds?: number;
  readonly retries?: number;
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
