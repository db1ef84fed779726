import { plainName } from "../../compare/volatile-names.ts";
import type { HttpContext, Observation } from "./http-context.ts";
import { isImmutableOperation, subjectParameterOf } from "./operation-shape.ts";

/**
 * Whether an answer never changes: the description says so, or its parameter's name or value is a hash, or the server itself says
 * that it may be kept for ever (RFC 8246).
 */
export function isImmutableObservation(context: HttpContext, observation: Observation): boolean {
  const { operation, input } = observation;
  if (operation.isImmutable !== undefined) return operation.isImmutable;
  if (isDeclaredImmutable(observation)) return true;
  if (isImmutableOperation(operation, context.types)) return true;
  const subject = subjectParameterOf(operation);
  const value = subject === undefined ? undefined : input[subject.property];
  const isHash = typeof value === "string" && /^(?:0x)?[0-9a-f]{64}$/i.test(value);
  return (
    isHash &&
    /^\/?(?:.*\/)?(?:blocks?|txs?|transactions?|objects?|blobs?|commits?|files?)\/\{[^}]*\}$/.test(operation.path) &&
    !/account|address|wallet/.test(plainName(operation.path))
  );
}

/** Returns whether the description, or the server by `Cache-Control: immutable` (RFC 8246), says that an answer never changes. */
export function isDeclaredImmutable({ operation, judged }: Observation): boolean {
  const control = judged.answer.headers.get("cache-control") ?? "";
  return operation.isImmutable ?? /(?:^|[\s,])immutable(?:[\s,]|$)/i.test(control);
}
