/** What the code that is emitted for a golden case is run with. Only what `cases.ts` names is called. */
export interface GoldenCases {
  /** By operation, or by field of a root type. */
  // biome-ignore lint/suspicious/noExplicitAny: cases give the inputs of documents that no type here knows
  readonly handlers: Readonly<Record<string, (input: any) => unknown>>;
  /** Further options of the server's plugin. */
  readonly options?: object;
  /** Calls of the emitted client, answered by the emitted server. */
  readonly calls?: readonly GoldenCall[];
  /** What the emitted sender of webhooks sends to the emitted receiver. */
  readonly webhooks?: readonly GoldenCall[];
  /** Requests to the emitted server that its client would not send. */
  readonly requests?: readonly GoldenRequest[];
  /** Values of the wire by the name of their type, for the emitted validators. */
  readonly values?: Readonly<
    Record<string, { readonly valid: readonly unknown[]; readonly invalid: readonly unknown[] }>
  >;
}

export interface GoldenCall {
  /** Method of the client, `pages.list` for one of a member, and its input. */
  readonly call: readonly [method: string, input?: unknown];
  /** What a handler is given. */
  readonly received?: readonly [handler: string, input: unknown];
  readonly returns?: unknown;
  /** The values of an iterable. */
  readonly yields?: readonly unknown[];
  /** Part of the error's text. */
  readonly rejects?: string;
}

export interface GoldenRequest {
  /** Method and path. */
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Sent as it is, as JSON unless `headers` name another type. */
  readonly text?: string;
  readonly status: number;
  /** The whole body. */
  readonly response?: string;
  /** Part of the body. */
  readonly includes?: string;
}
