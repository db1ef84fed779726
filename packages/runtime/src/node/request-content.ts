import type { Readable } from "node:stream";
import type { ContentFacts, HttpOperation } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import { decodeBody, decodeItems, isStreamed } from "../wire/body.ts";
import type { ServerSentEvent } from "../wire/event-stream.ts";
import { decodeScalar } from "../wire/scalar-text.ts";
import type { WireLimits } from "../wire/wire-limits.ts";
import { readJsonBody, readTextBody } from "./json-body.ts";
import { boundedChunks, readBytes } from "./read-bytes.ts";
import { serviceErrorOfWire } from "./wire-failure.ts";

export interface BodyLimits {
  readonly bytes: number;
  readonly wire: WireLimits;
}

/** Inputs of the reading of a body, other than its content. */
export interface BodyReading {
  readonly operation: HttpOperation;
  /** Content type as it was sent, with its parameters. */
  readonly contentType: string | undefined;
  readonly limits: BodyLimits;
}

/**
 * Reads the wire value of a body; undefined for an empty one. The items of a sequence are read, validated and decoded on demand. Throws
 * `ServiceError` and `WireError`.
 */
export async function readContent(stream: Readable, content: ContentFacts, reading: BodyReading): Promise<unknown> {
  const { limits, contentType } = reading;
  if (isStreamed(content)) return readItems(boundedChunks(stream, limits.bytes), content, reading);
  const bytes = await readBytes(stream, limits.bytes);
  if (bytes.length === 0) return undefined;
  switch (content.form) {
    case "json":
      return readJsonBody(bytes, limits.wire.maximumDepth);
    case "text":
      return decodeScalar(content.decoding ?? "string", readTextBody(bytes));
    default:
      return decodeBody(content, bytes, contentType, { limits: limits.wire, keepsLongIntegers: true });
  }
}

async function* readItems(
  chunks: AsyncIterable<Uint8Array>,
  content: ContentFacts,
  { operation, limits }: BodyReading,
): AsyncGenerator<unknown, void, undefined> {
  const options = { limits: limits.wire, keepsLongIntegers: operation.inputItem?.decode !== undefined };
  const items = decodeItems(content, chunks, options);
  let position = 0;
  try {
    for await (const item of items) {
      if (content.form === "event-stream") {
        const event = item as ServerSentEvent;
        yield { ...event, data: readItem(event.data, operation.inputItem, position) };
      } else yield readItem(item, operation.inputItem, position);
      position += 1;
    }
  } catch (error) {
    throw serviceErrorOfWire(error);
  }
}

/** Reads an item. Thrown where the handler consumes the item: it may have processed those before. */
function readItem(item: unknown, facts: HttpOperation["inputItem"], position: number): unknown {
  if (facts === undefined) return item;
  if (!facts.is(item)) {
    const violations = facts.violationsOf(item, `/body/${position}`);
    const reasons = violations.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
    throw new ServiceError("invalid_input", `The body is wrong: ${reasons}`, { details: { violations } });
  }
  return facts.decode === undefined ? item : facts.decode(item);
}
