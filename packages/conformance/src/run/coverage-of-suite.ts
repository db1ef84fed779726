import { readRpcReply } from "../capabilities/rpc-reply.ts";
import type { SeenAnswer } from "../live/live-values.ts";
import type { ConformanceSuite, SuiteHttpOperation, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import type { Answer } from "../contract/exchange.ts";
import { violationsOf } from "../types/violations.ts";
import type { Evidence } from "../session/coverage.ts";

/** Levels of members that are counted, and how many of one operation. */
const deepest = 5;
const mostNames = 300;

/** Announces what a suite describes. Types and fields of GraphQL are announced by who reads the schema. */
export function announceSuite(evidence: Evidence, suite: ConformanceSuite): void {
  if (suite.protocol === "graphql") return;
  for (const operation of suite.operations) {
    const { name, parameters, successes } = operation;
    for (const parameter of parameters) evidence.announce(name, "parameters", parameter.name);
    for (const status of statusNames(operation)) evidence.announce(name, "statuses", status);
    for (const { content } of successes) {
      if (content === undefined) continue;
      announceType(evidence, name, content.type, suite.types);
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

function announceType(evidence: Evidence, operation: string, type: SuiteType, types: SuiteTypes): void {
  let left = mostNames;
  const visit = (one: SuiteType, pointer: string, depth: number, path: readonly string[]): void => {
    if (depth > deepest || left <= 0) return;
    switch (one.kind) {
      case "reference": {
        const target = types[one.target];
        if (target !== undefined && !path.includes(one.target)) visit(target, pointer, depth, [...path, one.target]);
        return;
      }
      case "record":
        for (const member of one.members) {
          if (member.access === "write-only") continue;
          left -= 1;
          evidence.announce(operation, "members", `${pointer}/${member.name}`);
          visit(member.type, `${pointer}/${member.name}`, depth + 1, path);
        }
        return;
      case "list":
        visit(one.element, `${pointer}/*`, depth + 1, path);
        return;
      case "union":
        for (const [index, arm] of one.members.entries()) {
          evidence.announce(operation, "arms", armName(pointer, arm, index));
          visit(arm, pointer, depth + 1, path);
        }
        return;
      case "intersection":
        for (const member of one.members) visit(member, pointer, depth + 1, path);
        return;
      default:
        return;
    }
  };
  visit(type, "", 0, []);
}

function armName(pointer: string, arm: SuiteType, index: number): string {
  const name = arm.kind === "reference" ? arm.target : `${index + 1}, ${arm.kind}`;
  return `${pointer === "" ? "/" : pointer} (${name})`;
}

/** Notes the status of an answer, by the name that the description has for it. */
export function noteAnswer(evidence: Evidence, suite: ConformanceSuite, operation: string, answer: Answer): void {
  switch (suite.protocol) {
    case "http":
      noteStatus(evidence, suite.operations, operation, answer.status);
      return;
    case "rpc": {
      const reply = readRpcReply(answer.text);
      if (reply === undefined) return;
      evidence.seen(operation, "statuses", reply.error === undefined ? "result" : String(reply.error.code));
      return;
    }
    case "graphql":
      return;
    default:
      suite satisfies never;
  }
}

const patternsByOperation = new WeakMap<readonly SuiteHttpOperation[], ReadonlyMap<string, ReadonlySet<string>>>();

function noteStatus(
  evidence: Evidence,
  operations: readonly SuiteHttpOperation[],
  operation: string,
  status: number,
): void {
  let patterns = patternsByOperation.get(operations);
  if (patterns === undefined) {
    patterns = new Map(operations.map((one) => [one.name, new Set(statusNames(one))]));
    patternsByOperation.set(operations, patterns);
  }
  const own = patterns.get(operation);
  if (own === undefined) return;
  const name = [String(status), `${Math.floor(status / 100)}XX`, "default"].find((pattern) => own.has(pattern));
  evidence.seen(operation, "statuses", name ?? String(status));
}

/** Notes what of its description a good answer shows, and what was asked. */
export function noteSeen(
  evidence: Evidence,
  suite: ConformanceSuite,
  { operation, input, type, value }: SeenAnswer,
): void {
  if (suite.protocol === "graphql") return;
  for (const name of Object.keys(input)) evidence.seen(operation, "parameters", name);
  let left = mostNames * 10;
  const visit = (one: SuiteType, own: unknown, pointer: string, depth: number): void => {
    left -= 1;
    if (depth > deepest || left <= 0) return;
    switch (one.kind) {
      case "reference": {
        const target = suite.types[one.target];
        if (target !== undefined) visit(target, own, pointer, depth);
        return;
      }
      case "record":
        if (typeof own !== "object" || own === null || Array.isArray(own)) return;
        for (const member of one.members) {
          if (!Object.hasOwn(own, member.name)) continue;
          evidence.seen(operation, "members", `${pointer}/${member.name}`);
          visit(member.type, Reflect.get(own, member.name), `${pointer}/${member.name}`, depth + 1);
        }
        return;
      case "list":
        if (Array.isArray(own))
          for (const element of own.slice(0, 20)) visit(one.element, element, `${pointer}/*`, depth + 1);
        return;
      case "union":
        for (const [index, arm] of one.members.entries()) {
          if (violationsOf(arm, own, suite.types, "answer").length > 0) continue;
          evidence.seen(operation, "arms", armName(pointer, arm, index));
          visit(arm, own, pointer, depth + 1);
        }
        return;
      case "intersection":
        for (const member of one.members) visit(member, own, pointer, depth + 1);
        return;
      default:
        return;
    }
  };
  visit(type, value, "", 0);
}
