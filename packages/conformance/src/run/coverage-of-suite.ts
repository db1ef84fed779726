import { readRpcReply } from "../capabilities/offer.ts";
import type { ObservedResult } from "../live/live-values.ts";
import type { ConformanceSuite, SuiteHttpOperation, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import type { ReceivedResponse } from "../contract/exchange.ts";
import { isRecord } from "@nodewright/api-model";
import { violationsOf } from "@nodewright/api-values";
import type { Evidence } from "../session/coverage.ts";

/** Nesting depth to which members are counted, and their maximum number for one operation. */
const deepest = 5;
const mostNames = 300;

/** Announces the elements that a suite describes. Types and fields of GraphQL are announced by the schema's reader. */
export function announceSuite(evidence: Evidence, suite: ConformanceSuite): void {
  if (suite.protocol === "graphql") return;
  for (const operation of suite.operations) {
    const { name, parameters, successes } = operation;
    for (const parameter of parameters) evidence.announce(name, "parameters", parameter.name);
    for (const status of statusNames(operation)) evidence.announce(name, "statuses", status);
    for (const { content } of successes) {
      if (content !== undefined)
        forEachPart(content.type, suite.types, undefined, (kind, part) => evidence.announce(name, kind, part));
    }
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
export function recordResult(
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
  forEachPart(type, suite.types, { value }, (kind, part) => evidence.seen(operation, kind, part));
}

/** Visits the members and union members of a type, up to the counted depth; with a value, only those that it has. */
function forEachPart(
  whole: SuiteType,
  types: SuiteTypes,
  shown: { readonly value: unknown } | undefined,
  note: (kind: "members" | "arms", name: string) => void,
): void {
  let left = shown === undefined ? mostNames : mostNames * 10;
  const visit = (type: SuiteType, own: typeof shown, pointer: string, depth: number, path: readonly string[]): void => {
    left -= own === undefined ? 0 : 1;
    if (depth > deepest || left <= 0) return;
    switch (type.kind) {
      case "reference": {
        const target = types[type.target];
        if (target === undefined || (own === undefined && path.includes(type.target))) return;
        visit(target, own, pointer, depth, [...path, type.target]);
        return;
      }
      case "record":
        for (const { name, type: inner, access } of type.members) {
          if (own === undefined ? access === "write-only" : !hasMember(own.value, name)) continue;
          left -= own === undefined ? 1 : 0;
          note("members", `${pointer}/${name}`);
          const member = own === undefined ? undefined : { value: Reflect.get(Object(own.value), name) };
          visit(inner, member, `${pointer}/${name}`, depth + 1, path);
        }
        return;
      case "list": {
        const elements = own === undefined ? [undefined] : elementsOf(own.value);
        for (const element of elements) visit(type.element, element, `${pointer}/*`, depth + 1, path);
        return;
      }
      case "union":
        for (const [index, arm] of type.members.entries()) {
          if (own !== undefined && violationsOf(arm, own.value, types, "answer").length > 0) continue;
          const name = arm.kind === "reference" ? arm.target : `${index + 1}, ${arm.kind}`;
          note("arms", `${pointer === "" ? "/" : pointer} (${name})`);
          visit(arm, own, pointer, depth + 1, path);
        }
        return;
      case "intersection":
        for (const member of type.members) visit(member, own, pointer, depth + 1, path);
        return;
      default:
        return;
    }
  };
  visit(whole, shown, "", 0, []);
}

function hasMember(value: unknown, name: string): boolean {
  return isRecord(value) && Object.hasOwn(value, name);
}

function elementsOf(value: unknown): readonly { readonly value: unknown }[] {
  return Array.isArray(value) ? value.slice(0, 20).map((element: unknown) => ({ value: element })) : [];
}
