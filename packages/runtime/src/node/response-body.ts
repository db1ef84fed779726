import { readLosslessJson } from "../lossless-json.ts";
import type { ContentFacts, HttpOperation } from "../operation.ts";
import { ServiceError } from "../service-error.ts";

/**
 * The body of an answer as it is sent; `undefined` when the document gives it none.
 *
 * With `validate`, what the caller would read is held against the document: a mismatch is our mistake and answered `internal`.
 */
export function writeBody(
  operation: HttpOperation,
  content: ContentFacts | undefined,
  value: unknown,
  validate: boolean,
): string | Uint8Array | undefined {
  if (content === undefined) return undefined;
  if (content.form === "binary") return writeBytes(operation, value);
  const wire = operation.output.encode === undefined ? value : operation.output.encode(value);
  if (content.form === "text") {
    if (validate) assertOutput(operation, wire);
    return String(wire);
  }
  const text = JSON.stringify(wire);
  if (text === undefined) throw new Error(`${operation.name} has answered nothing`);
  if (validate) assertOutput(operation, readLosslessJson(text));
  return text;
}

/** Throws `ServiceError` `internal`, its cause naming what does not match, unless the wire value is of the operation's output. */
export function assertOutput(operation: Pick<HttpOperation, "name" | "output">, wire: unknown): void {
  if (operation.output.is(wire)) return;
  const cause = operation.output.violationsOf(wire).map(({ pointer, message }) => `${pointer}: ${message}`);
  throw new ServiceError("internal", "Internal error", {
    cause: new Error(`The answer of ${operation.name} does not match its document: ${cause.join("; ")}`),
  });
}

function writeBytes(operation: HttpOperation, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error(`${operation.name} has to answer bytes`);
}
