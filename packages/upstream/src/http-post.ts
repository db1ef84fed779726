import type { Dispatcher } from "undici";
import type { CallScope } from "./call-scope.ts";
import type { PostDispatcher } from "./single-use-dispatcher.ts";

/** What came back over HTTP, before anybody looked at it as JSON-RPC. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** What the header Retry-After asks for, in milliseconds. */
  readonly retryAfterMilliseconds?: number | undefined;
  /** Whether the node ends the connection with this answer. */
  readonly endsConnection: boolean;
}

/** Takes the body of an answer as it arrives. */
export interface BodyReader {
  push(chunk: Buffer): void;
  /** What is to be read as the answer's text. */
  text(): string;
}

export interface HttpPost {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly scope: CallScope;
  /** Of the answer's body. */
  readonly maximumBytes: number;
  createReader(status: number): BodyReader;
  onBytes(count: number): void;
}

/** A request without a whole answer. */
export class PostFailure extends Error {
  override readonly name = "PostFailure";
  /** Whether any of the request was written: without that, the node cannot have got it. */
  readonly wasSent: boolean;
  /** Whether any of the answer had come. */
  readonly hasBegun: boolean;

  constructor(reason: unknown, wasSent: boolean, hasBegun: boolean) {
    super("The request failed", { cause: reason });
    this.wasSent = wasSent;
    this.hasBegun = hasBegun;
  }
}

/** The answer is longer than the service takes. */
export class AnswerTooLong extends Error {}

/**
 * Sends one request, once. Rejects with a `PostFailure`, whose cause is the scope's reason when that has ended the request.
 *
 * Speaks to undici by its handlers: its streams and their iterators cost several times of what is left.
 */
export function post(dispatcher: PostDispatcher, request: HttpPost): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const handler = new PostHandler(request, resolve, reject);
    const { path, headers, body } = request;
    dispatcher.dispatch({ method: "POST", path, headers, body }, handler);
    request.scope.listen(handler.end);
  });
}

class PostHandler implements Dispatcher.DispatchHandler {
  readonly #request: HttpPost;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (failure: PostFailure) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #ended: { readonly reason: unknown } | undefined;
  #reader: BodyReader | undefined;
  #status = 0;
  #length = 0;
  #retryAfterMilliseconds: number | undefined;
  #endsConnection = false;

  constructor(request: HttpPost, resolve: (answer: HttpAnswer) => void, reject: (failure: PostFailure) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** A request that still waits for its connection is dropped when that comes. */
  readonly end = (reason: unknown): void => {
    if (this.#ended !== undefined) return;
    this.#ended = { reason };
    this.#fail(reason);
    this.#controller?.abort(abandoned);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#ended !== undefined) controller.abort(abandoned);
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Informational answers come before the one.
    if (status < 200) return;
    this.#status = status;
    this.#reader = this.#request.createReader(status);
    const { connection, "retry-after": retryAfter } = headers;
    this.#endsConnection = typeof connection === "string" && connection.toLowerCase() === "close";
    if (typeof retryAfter === "string") this.#retryAfterMilliseconds = readRetryAfter(retryAfter);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length;
    this.#request.onBytes(chunk.length);
    if (this.#length > this.#request.maximumBytes) throw new AnswerTooLong();
    this.#reader?.push(chunk);
  }

  onResponseEnd(): void {
    this.#request.scope.listen(undefined);
    this.#resolve({
      status: this.#status,
      text: this.#reader?.text() ?? "",
      retryAfterMilliseconds: this.#retryAfterMilliseconds,
      endsConnection: this.#endsConnection,
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(reason: unknown): void {
    this.#request.scope.listen(undefined);
    this.#reject(new PostFailure(reason, this.#controller !== undefined, this.#reader !== undefined));
  }
}

/** Never seen: the promise has been rejected with the reason. */
const abandoned = new Error("Abandoned");

/** Reads the whole body as UTF-8. */
export function createTextReader(): BodyReader {
  const chunks: Buffer[] = [];
  return {
    push(chunk) {
      chunks.push(chunk);
    },
    text() {
      const [only] = chunks;
      return (chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)).toString("utf8");
    },
  };
}

/** Seconds, or a date (RFC 9110, section 10.2.3); `undefined` for anything else. */
function readRetryAfter(text: string): number | undefined {
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
