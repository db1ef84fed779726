import { expectTypeOf } from "vitest";
import type { HttpOperation } from "../operations/operation.ts";
import type { ServerSentEvent } from "../wire/event-stream.ts";
import { type DeclaredFailure, isApiError } from "./client-errors.ts";
import type { BytesCall, HttpClient, NegotiatedCall, OptionalNegotiatedCall } from "./http-client.ts";

interface ChatInput {
  readonly prompt: string;
  readonly accept?: "application/json" | "text/event-stream";
}

type ChatReply =
  | { readonly status?: 200; readonly contentType?: "application/json"; readonly body: { readonly text: string } }
  | {
      readonly status?: 200;
      readonly contentType: "text/event-stream";
      readonly body: AsyncIterable<ServerSentEvent<number>>;
    }
  | { readonly status: 202; readonly body?: undefined };

export async function checkNegotiated(chat: NegotiatedCall<ChatInput, ChatReply, "application/json">): Promise<void> {
  type Json = { readonly text: string } | undefined;
  expectTypeOf(await chat({ prompt: "a" })).toEqualTypeOf<Json>();
  expectTypeOf(await chat({ prompt: "a", accept: "application/json" })).toEqualTypeOf<Json>();
  expectTypeOf(await chat({ prompt: "a", accept: "text/event-stream" })).toEqualTypeOf<
    AsyncIterable<ServerSentEvent<number>> | undefined
  >();
  // The document has no such media type, and the prompt is required.
  type Given = Parameters<typeof chat>[0];
  expectTypeOf<{ readonly prompt: string; readonly accept: "text/plain" }>().not.toExtend<Given>();
  expectTypeOf<{ readonly accept: "text/event-stream" }>().not.toExtend<Given>();
}

export async function checkOptional(
  chat: OptionalNegotiatedCall<Pick<ChatInput, "accept">, ChatReply, "application/json">,
): Promise<void> {
  expectTypeOf(await chat()).toEqualTypeOf<{ readonly text: string } | undefined>();
}

export async function checkBytes(
  client: HttpClient,
  operation: HttpOperation<{ readonly id: string }, Uint8Array>,
): Promise<void> {
  const download: BytesCall<{ readonly id: string }, Uint8Array> = client.method(operation);
  expectTypeOf(await download({ id: "a" })).toEqualTypeOf<Uint8Array>();
  expectTypeOf(await download({ id: "a" }, { inChunks: true })).toEqualTypeOf<AsyncIterable<Uint8Array>>();
}

type PutFailure =
  | DeclaredFailure<"Conflict", 409, { readonly title: string }>
  | DeclaredFailure<"Gone", 410>
  | DeclaredFailure<"Unexpected", number, string>;

export function checkFailure(error: unknown): void {
  if (isApiError(error)) expectTypeOf(error.value).toEqualTypeOf<unknown>();
  if (!isApiError<PutFailure>(error)) return;
  switch (error.failure) {
    case "Conflict":
      expectTypeOf(error.value).toEqualTypeOf<{ readonly title: string } | undefined>();
      expectTypeOf(error.status).toEqualTypeOf<409>();
      break;
    case "Unexpected":
      expectTypeOf(error.value).toEqualTypeOf<string | undefined>();
      break;
    case "Gone":
    case undefined:
      expectTypeOf(error.value).toEqualTypeOf<unknown>();
      break;
    default:
      expectTypeOf(error).toEqualTypeOf<never>();
  }
}
