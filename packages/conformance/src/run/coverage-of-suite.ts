import { readRpcReply } from "../capabilities/offer.ts";
import type { ObservedResult } from "../live/live-values.ts";
import type { ConformanceSuite, SuiteHttpOperation, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import type { ReceivedResponse } from "../contract/exchange.ts";
import { isRecord } from "@nodewright/api-model";
import { isValueOf } from "@nodewright/api-values";
import type { Evidence } from "../session/coverage.ts";

/** Nesting depth to which members are counted, and their maximum number for one operation. */
const deepest = 5;
const maximumNames = 300;

/** A member of responses, or of a union, by its place. */
type Part = readonly [kind: "members" | "arms", name: string];

interface Shown {
  readonly value: unknown;
}

/** Announces the elements that a suite describes. Types and fields of GraphQL are announced by the schema's reader. */
export function announceSuite(evidence: Evidence, suite: ConformanceSuite): void {
  if (suite.protocol === "graphql") return;
  for (const operation of suite.operations) {
    const { name, parameters, successes } = operation;
    for (const parameter of parameters) evidence.announce(name, "parameters", parameter.name);
    for (const status of statusNames(operation)) evidence.announce(name, "statuses", status);
    const types = successes.flatMap(({ content }) => content?.type ?? []);
    for (const type of types)
      for (const [kind, part] of partsOf(type, suite.types).take(maximumNames)) evidence.announce(name, kind, part);
  }
}

function statusNames(operation: SuiteHttpOperation | SuiteRpcMethod): readonly string[] {
  if ("path" in operation) {
    const { successes, failures } = operation;
    return [
      ...new Set([...successes, ...failures].flatMap(({ status }) => (status === undefined ? [] : [String(status)]))),
    ];
  }
  return ["result", ...operation.failures.flatMap(({ rpcCode }) => (rpcCode === undefined ? [] : [String(rpcCode)]))];
}

/** Records the status of a response, by its key in the description. */
export function recordCoverage(
  evidence: Evidence,
  suite: ConformanceSuite,
  operation: string,
  response: ReceivedResponse,
): void {
  if (suite.protocol === "rpc") {
    const reply = readRpcReply(response.text);
    if (reply === undefined) return;
    evidence.seen(operation, "statuses", reply.error === undefined ? "result" : String(reply.error.code));
  }
  const own = suite.protocol === "http" ? suite.operations.find(({ name }) => name === operation) : undefined;
  if (own === undefined) return;
  const { status } = response;
  const known = statusNames(own);
  const name = [String(status), `${Math.floor(status / 100)}XX`, "default"].find((pattern) => known.includes(pattern));
  evidence.seen(operation, "statuses", name ?? String(status));
}

/** Records which parts of its description a valid response covers, and its request. */
export function noteSeen(
  evidence: Evidence,
  suite: ConformanceSuite,
  { operation, input, type, value }: ObservedResult,
): void {
  if (suite.protocol === "graphql") return;
  for (const name of Object.keys(input)) evidence.seen(operation, "parameters", name);
  for (const [kind, part] of partsOf(type, suite.types, { value }).take(maximumNames * 10))
    evidence.seen(operation, kind, part);
}

/** Yields the members and union members of a type, up to the counted depth; with a value, only those that it has. */
function* partsOf(
  type: SuiteType,
  types: SuiteTypes,
  shown?: Shown,
  pointer = "",
  path: readonly string[] = [],
): Generator<Part> {
  if (pointer.split("/").length - 1 > deepest) return;
  switch (type.kind) {
    case "reference": {
      const target = types[type.target];
      if (target === undefined || (shown === undefined && path.includes(type.target))) return;
      yield* partsOf(target, types, shown, pointer, [...path, type.target]);
      return;
    }
    case "record":
      for (const { name, type: inner, access } of type.members) {
        const member = shown && isRecord(shown.value) && name in shown.value ? { value: shown.value[name] } : undefined;
        if (shown === undefined ? access === "write-only" : member === undefined) continue;
        yield ["members", `${pointer}/${name}`];
        yield* partsOf(inner, types, member, `${pointer}/${name}`, path);
      }
      return;
    case "list":
      for (const element of shown === undefined ? [undefined] : elementsOf(shown.value))
        yield* partsOf(type.element, types, element, `${pointer}/*`, path);
      return;
    case "union":
      for (const [index, arm] of type.members.entries()) {
        if (shown !== undefined && !isValueOf(arm, shown.value, types, "response")) continue;
        const name = arm.kind === "reference" ? arm.target : `${index + 1}, ${arm.kind}`;
        yield ["arms", `${pointer === "" ? "/" : pointer} (${name})`];
        yield* partsOf(arm, types, shown, pointer, path);
      }
      return;
    case "intersection":
      for (const member of type.members) yield* partsOf(member, types, shown, pointer, path);
      return;
    default:
      return;
  }
}

function elementsOf(value: unknown): readonly Shown[] {
  return Array.isArray(value) ? value.slice(0, 20).map((element: unknown) => ({ value: element })) : [];
}
