import { armsOf, membersOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Finding } from "../contract/finding.ts";
import type { SuiteRpcMethod } from "../suite/suite.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isRecord } from "../types/is-record.ts";
import { totalName } from "./list-roles.ts";
import { resultType } from "./rpc-call.ts";
import type { RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import type { Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Counts by each value of a choice, as `byStatus`, come to the count beside them. */
export function checkParts(
  { suite }: RpcContext,
  method: SuiteRpcMethod,
  _input: Input,
  value: unknown,
): readonly Finding[] {
  if (!isRecord(value)) return [];
  const members = membersOf(resultType(method), suite.types);
  const total = members.find(({ name }) => plainName(name) === "count" || totalName.test(plainName(name)));
  const counted = total === undefined ? undefined : value[total.name];
  if (total === undefined || typeof counted !== "number") return [];
  return members.flatMap((member): readonly Finding[] => {
    const parts = value[member.name];
    if (!isRecord(parts) || !isPartition(member, suite.types)) return [];
    const sum = Object.values(parts).reduce((before: number, part) => before + Number(part), 0);
    if (sum === counted) return [];
    const message = `the counts in ${member.name} do not come to ${total.name}`;
    const detail = `they come to ${sum}, beside ${counted}`;
    return [finding(rpcRules.parts, message, detail, { pointer: `/${member.name}`, place: member.place })];
  });
}

/** Whether an object has a count for each value of a choice that things of the document have one of. */
function isPartition({ name, type }: RecordMember, types: SuiteTypes): boolean {
  const choice = /^by(.+)$/.exec(plainName(name))?.[1];
  const counts = membersOf(type, types);
  const isCounts = counts.every(({ type: count }) => armsOf(count, types).every(isInteger));
  if (choice === undefined || counts.length < 2 || !isCounts) return false;
  const names = new Set(counts.map((count) => count.name));
  const things = Object.values(types).flatMap((thing) => membersOf(thing, types));
  return things.some((member) => plainName(member.name) === choice && isChoiceOf(member.type, names, types));
}

function isInteger(type: SuiteType): boolean {
  return type.kind === "number" && type.integer;
}

function isChoiceOf(type: SuiteType, names: ReadonlySet<string>, types: SuiteTypes): boolean {
  const arms = armsOf(type, types);
  const values = arms.flatMap((arm) => (arm.kind === "enumeration" ? arm.values : []));
  const isAll = values.length === names.size && values.every((value) => names.has(String(value)));
  return isAll && arms.every(({ kind }) => kind === "enumeration");
}
