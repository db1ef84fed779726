import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import type { Dispatcher } from "undici";
import { type CallScope, DeadlinePassed } from "./call-scope.ts";
import { MalformedResponse } from "./http-response-reader.ts";
import { type ResponseLease, TooManyResponses } from "./response-budget.ts";
import type { ResponseLimits } from "./response-limits.ts";
import type { PostDispatcher } from "./single-use-dispatcher.ts";

/** Body of a response: the value of a JSON text, or the string, of which the beginning is enough where it is long and not JSON. */
export type ResponseBody =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string };

/** HTTP response before it is read as JSON-RPC. */
export interface HttpResponse {
  readonly status: number;
  readonly body: ResponseBody;
  /** Delay of the header Retry-After, in milliseconds. */
  readonly retryAfterMilliseconds?: number | undefined;
  /** Whether the node ends the connection with this response. */
  readonly endsConnection: boolean;
}

/** Consumer of the body of a response as it arrives. */
export interface BodyReader {
  push(chunk: Buffer): void;
  /** Returns the body when it is complete. */
  end(): ResponseBody;
  /** Frees the memory of what has arrived, whether the body is complete or not. Called last. */
  close?(): void;
}

export interface HttpPost {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly scope: CallScope;
  readonly limits: Pick<ResponseLimits, "bytes" | "isPassedByCorrectNodes">;
  createReader(status: number): BodyReader;
  onBytes(count: number): void;
  /** Memory of the response. Without a response, the owner of the lease releases it. */
  readonly lease: ResponseLease;
  /** Callback for a response that waits for others before it is read further, so that its node does not count as silent. */
  readonly onHeldUp?: (() => void) | undefined;
}

/** Failure of a request without a complete response. */
export class PostFailure extends Error {
  override readonly name = "PostFailure";
  /** Whether any of the request was written: otherwise the node cannot have received it. */
  readonly wasSent: boolean;
  /** Whether any of the response had arrived. */
  readonly hasBegun: boolean;

  constructor(reason: unknown, wasSent: boolean, hasBegun: boolean) {
    super("The request failed", { cause: reason });
    this.wasSent = wasSent;
    this.hasBegun = hasBegun;
  }
}

/** Failure of a response that is longer than its limit. */
export class ResponseTooLong extends Error {
  readonly isPassedByCorrectNodes: boolean;

  constructor({ isPassedByCorrectNodes }: Pick<ResponseLimits, "isPassedByCorrectNodes">) {
    super("The response is too long");
    this.isPassedByCorrectNodes = isPassedByCorrectNodes;
  }
}

/**
 * Maximum number of informational responses before the final one (RFC 9110, section 15.2): each takes time, and a node can send them
 * without end.
 */
const maximumInformational = 16;

/** Length in bytes above which a body is read in time slices that all large responses share. */
const inlineBytes = 65_536;

/**
 * Sends one request, once. Rejects with a `PostFailure`, whose cause is the scope's reason when that has ended the request.
 *
 * Uses undici's handlers: its streams and their iterators cost several times the rest.
 */
export function post(dispatcher: PostDispatcher, request: HttpPost): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const handler = new PostHandler(request, resolve, reject);
    const { path, headers, body } = request;
    dispatcher.dispatch({ method: "POST", path, headers, body }, handler);
    request.scope.listen(handler.end);
  });
}

class PostHandler implements Dispatcher.DispatchHandler {
  readonly #request: HttpPost;
  readonly #resolve: (response: HttpResponse) => void;
  readonly #reject: (failure: PostFailure) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #ended: { readonly reason: unknown } | undefined;
  #reader: BodyReader | undefined;
  #status = 0;
  #informational = 0;
  #length = 0;
  #retryAfterMilliseconds: number | undefined;
  #endsConnection = false;
  /** Chunks that wait for a time slice; the connection is paused meanwhile. */
  #backlog: Buffer[] | undefined;
  #isComplete = false;
  /**
   * Whether the response has waited for others. A passed deadline, or a node that waited too long, is then no evidence against the node.
   */
  #wasHeldUp = false;

  constructor(request: HttpPost, resolve: (response: HttpResponse) => void, reject: (failure: PostFailure) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Ends the request. A request that still waits for its connection is dropped when the connection is available. */
  readonly end = (reason: unknown): void => {
    if (this.#ended !== undefined) return;
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
    if (status < 200) {
      this.#informational += 1;
      if (this.#informational > maximumInformational) throw new MalformedResponse("Too many informational responses");
      return;
    }
    this.#status = status;
    this.#reader = this.#request.createReader(status);
    const { connection, "retry-after": retryAfter } = headers;
    this.#endsConnection = typeof connection === "string" && connection.toLowerCase() === "close";
    if (typeof retryAfter === "string") this.#retryAfterMilliseconds = readRetryAfter(retryAfter);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended !== undefined) return;
    this.#length += chunk.length;
    this.#request.onBytes(chunk.length);
    const { limits } = this.#request;
    if (this.#length > limits.bytes) throw new ResponseTooLong(limits);
    if (
      this.#length <= inlineBytes ||
      (this.#backlog === undefined && !isTimeSliceUsedUp() && this.#request.lease.mayReadOn())
    ) {
      this.#reader?.push(chunk);
      return;
    }
    if (this.#backlog !== undefined) {
      this.#backlog.push(chunk);
      return;
    }
    this.#backlog = [chunk];
    controller.pause();
    void this.#readBacklog(controller);
  }

  onResponseEnd(): void {
    this.#isComplete = true;
    if (this.#backlog === undefined) this.#succeed();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  /** Reads the waiting chunks, as many in each time slice as there is time for, and then resumes receiving. */
  async #readBacklog(controller: Dispatcher.DispatchController): Promise<void> {
    await nextTimeSlice();
    try {
      for (;;) {
        await this.#waitForOthers();
        const chunk = this.#backlog?.shift();
        if (this.#ended !== undefined) return;
        if (chunk === undefined) break;
        this.#reader?.push(chunk);
        if (isTimeSliceUsedUp()) await nextTimeSlice();
      }
    } catch (reason) {
      this.end(reason);
      return;
    }
    this.#backlog = undefined;
    if (this.#isComplete) this.#succeed();
    else if (this.#ended === undefined) controller.resume();
  }

  async #waitForOthers(): Promise<void> {
    const hasAll = this.#isComplete && this.#backlog?.length === 0;
    if (hasAll || this.#ended !== undefined || this.#request.lease.mayReadOn()) return;
    this.#wasHeldUp = true;
    this.#request.onHeldUp?.();
    await this.#request.lease.waitForTurn();
  }

  #succeed(): void {
    if (this.#ended !== undefined) return;
    let body: ResponseBody;
    try {
      body = this.#reader?.end() ?? { kind: "text", text: "" };
    } catch (reason) {
      this.#fail(reason);
      return;
    }
    this.#close();
    this.#request.lease.deliver();
    this.#resolve({
      status: this.#status,
      body,
      retryAfterMilliseconds: this.#retryAfterMilliseconds,
      endsConnection: this.#endsConnection,
    });
  }

  #fail(cause: unknown): void {
    if (this.#ended !== undefined) return;
    const isOurFault = this.#wasHeldUp && (cause instanceof DeadlinePassed || isBrokenConnection(cause));
    const reason = isOurFault ? new TooManyResponses("The response has waited too long for others") : cause;
    this.#ended = { reason };
    this.#close();
    this.#reject(new PostFailure(reason, this.#controller !== undefined, this.#reader !== undefined));
  }

  #close(): void {
    this.#request.scope.listen(undefined);
    this.#reader?.close?.();
  }
}

/** Returns whether a connection has ended on which a response was expected. */
export function isBrokenConnection(reason: unknown): boolean {
  return /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(errorCode(reason));
}

export function errorCode(reason: unknown): string {
  return reason instanceof Error && "code" in reason && typeof reason.code === "string" ? reason.code : "";
}

/** Error that is never visible: the promise has been rejected with the reason. */
const abandoned = new Error("Abandoned");

/** Reads seconds or a date (RFC 9110, section 10.2.3); `undefined` for anything else. */
function readRetryAfter(text: string): number | undefined {
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
