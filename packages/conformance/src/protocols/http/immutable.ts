import { isNamedByHash } from "../../inference/lasting.ts";
import type { Observation } from "./http-context.ts";
import { pathParametersOf } from "./operation-shape.ts";

/** Whether a response never changes: the description or the server says so, or a hash in the path lets guess it. */
export function isImmutableObservation(observation: Observation): boolean {
  const { operation, input } = observation;
  if (operation.isImmutable !== undefined || operation.method !== "GET") return operation.isImmutable === true;
  const inPath = pathParametersOf(operation).map(({ property, name }) => [name, input[property]] as const);
  return isDeclaredImmutable(observation) || isNamedByHash(operation.path, Object.fromEntries(inPath));
}

/** Returns whether the description, or the server by `Cache-Control: immutable` (RFC 8246), says that an answer never changes. */
export function isDeclaredImmutable({ operation, judged }: Observation): boolean {
  const control = judged.answer.headers.get("cache-control") ?? "";
  return operation.isImmutable ?? /(?:^|[\s,])immutable(?:[\s,]|$)/i.test(control);
}
