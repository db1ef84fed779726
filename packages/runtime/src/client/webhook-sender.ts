import type { CallOptions, ClientOptions } from "./client-options.ts";
import { createHttpClient } from "./http-client.ts";
import type { HttpOperation } from "../operations/operation.ts";
import { evaluateUrl } from "../operations/runtime-expression.ts";

/** Options of a generated sender of webhooks. */
export interface WebhookSenderOptions extends Omit<ClientOptions, "baseUrl"> {
  /**
   * Returns whether a URL may be called. URLs come from subscribers: without this they reach whatever this process reaches, its own network
   * too.
   */
  readonly isAllowed?: (url: URL) => boolean | Promise<boolean>;
}

/** The request that registered the callbacks, and its response. */
export interface CallbackSource<Input, Output> {
  /** Input as its handler received it. */
  readonly input: Input;
  /** Output as its handler returned it; only where the URL is in the response. */
  readonly output?: Output;
  /** URL of the request, where the callback's URL is derived from it. */
  readonly url?: string;
  readonly statusCode?: number;
  /** Headers by lower-case name; for headers that the document does not describe. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Headers by lower-case name. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** A callback with the location of its URL in the document. */
export interface CallbackFacts<Input, Output> {
  readonly call: HttpOperation<Input, Output>;
  /** Runtime expression of the URL. */
  readonly expression: string;
}

/** Interface that generated senders call. Everything throws as a client does, and `RangeError` for a URL that is invalid or not allowed. */
export interface WebhookSender {
  /** Sends a webhook to a subscriber. */
  send<Input, Output>(
    operation: HttpOperation<Input, Output>,
    url: string,
    input: Input | undefined,
    options: CallOptions | undefined,
  ): Promise<Output>;
  /** Sends a callback to the URL from the request that registered it. */
  sendCallback<SentInput, ReceivedOutput, Input, Output>(
    asking: HttpOperation<SentInput, ReceivedOutput>,
    callback: CallbackFacts<Input, Output>,
    source: CallbackSource<SentInput, ReceivedOutput>,
    input: Input | undefined,
    options: CallOptions | undefined,
  ): Promise<Output>;
}

/** Creates the sender for the subscribers of an API. Nothing is sent before the first call. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const send: WebhookSender["send"] = async (operation, url, input, callOptions) => {
    const target = await allowedUrl(url, options);
    const credentials = target.username === "" ? "" : `${target.username}:${target.password}@`;
    const baseUrl = `${target.protocol}//${credentials}${target.host}/${target.search}`;
    const client = createHttpClient({ ...options, baseUrl }, noKeys);
    return client.call({ ...operation, path: target.pathname }, input, callOptions);
  };
  return {
    send,
    sendCallback(asking, { call, expression }, source, input, callOptions) {
      return send(call, callbackUrl(asking, expression, source), input, callOptions);
    },
  };
}

const noKeys = { query: "", header: "" } as const;

async function allowedUrl(text: string, { isAllowed }: WebhookSenderOptions): Promise<URL> {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new RangeError("A subscriber's URL is http or https");
  if (isAllowed !== undefined && !(await isAllowed(url)))
    throw new RangeError("The subscriber's URL may not be called");
  return url;
}

function callbackUrl<SentInput, ReceivedOutput>(
  asking: HttpOperation<SentInput, ReceivedOutput>,
  expression: string,
  source: CallbackSource<SentInput, ReceivedOutput>,
): string {
  const { input, output } = source;
  return evaluateUrl(expression, {
    operation: asking,
    input: wireRecord(asking.input.encode === undefined ? input : asking.input.encode(input)),
    output: output === undefined || asking.output.encode === undefined ? output : asking.output.encode(output),
    url: source.url,
    statusCode: source.statusCode,
    requestHeaders: source.requestHeaders ?? {},
    responseHeaders: source.responseHeaders ?? {},
  });
}

function wireRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
