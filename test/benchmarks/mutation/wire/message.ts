/** A request as a server sees it. */
export interface WireRequest {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer as a server gives it; names of headers in the letters that go over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

/** A server without its sockets. */
export type Dispatch = (request: WireRequest) => Promise<WireAnswer>;

/** The answer's header, whatever the letters of its name are. */
export function headerOf(answer: WireAnswer, name: string): string | undefined {
  for (const [key, value] of Object.entries(answer.headers)) {
    if (key.toLowerCase() === name) {
      return typeof value === "string" ? value : value.join(", ");
    }
  }
  return undefined;
}

/** The answer with some headers replaced; `undefined` takes one away. */
export function withHeaders(
  answer: WireAnswer,
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
): WireAnswer {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (!changed.has(name.toLowerCase())) {
      headers[name] = value;
    }
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined) {
      headers[name] = value;
    }
  }
  return { ...answer, headers };
}

/** The answer with another body, and the length that belongs to it. */
export function withBody(answer: WireAnswer, body: string | Buffer): WireAnswer {
  return withHeaders({ ...answer, body: Buffer.from(body) }, { "content-length": undefined, etag: undefined });
}

/** The body as JSON; `undefined` when it is none. */
export function jsonOf(message: { readonly body: Buffer }): unknown {
  try {
    return JSON.parse(message.body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** The answer with its JSON body written anew. */
export function withJson(answer: WireAnswer, value: unknown): WireAnswer {
  const etag = headerOf(answer, "etag");
  return withHeaders(withBody(answer, JSON.stringify(value)), { etag });
}
