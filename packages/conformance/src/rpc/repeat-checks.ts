import { armsOf, memberOf } from "../compare/member-facts.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Finding } from "../contract/finding.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isRecord } from "../types/is-record.ts";
import { isIdentifying } from "./parameter-role.ts";
import { resultType } from "./rpc-call.ts";
import type { RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import type { Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Parameters of which a result may have another value than the one that was sent: what was found, or what it was made into. */
const adjustedName =
  /limit|size|count|page|offset|skip|start|cursor|token|after|before|sort|order|fields?|include|expand|lang|locale|format|time|date|since|until|version|status|state|type|kind|target|blocks|amount|value|price|total|cost|sum|fee|balance|level/;
/** Numbers that are so near may be rounded. */
const nearNumbers = 1;

/** What a call has to say, and a result says of the same name and kind, is what was said. */
export function checkRepeats(
  { suite }: RpcContext,
  method: SuiteRpcMethod,
  input: Input,
  value: unknown,
): readonly Finding[] {
  if (!isRecord(value)) return [];
  return method.parameters.flatMap((parameter): readonly Finding[] => {
    const { name, property, required } = parameter;
    if (!required || isIdentifying(parameter) || adjustedName.test(plainName(name))) return [];
    const own = Object.keys(value).find((one) => plainName(one) === plainName(name));
    const member = own === undefined ? undefined : memberOf(resultType(method), own, suite.types);
    if (own === undefined || member === undefined || !isSameKind(parameter.type, member.type, suite.types)) return [];
    const [asked, given] = [input[property], value[own]];
    if (isNear(asked, given) || isShownOtherwise(method, parameter, own)) return [];
    const detail = `${own} is ${showValue(given)}, asked for was ${showValue(asked)}`;
    const message = `the member ${own} is not the ${name} that was asked for`;
    return [
      finding(rpcRules.repeated, message, detail, { pointer: `/${own}`, place: member.place ?? parameter.place }),
    ];
  });
}

/** Both are numbers, or the same choice of values. */
function isSameKind(left: SuiteType, right: SuiteType, types: SuiteTypes): boolean {
  const choicesOf = (type: SuiteType): string =>
    armsOf(type, types)
      .flatMap((arm) => (arm.kind === "enumeration" ? arm.values.map(String) : [arm.kind]))
      .toSorted()
      .join("\n");
  const isPlain = armsOf(left, types).every(({ kind }) => kind === "enumeration" || kind === "number");
  return isPlain && choicesOf(left) === choicesOf(right);
}

function isNear(asked: unknown, given: unknown): boolean {
  if (asked === undefined || asked === null || given === null) return true;
  const [left, right] = [Number(asked), Number(given)];
  return Number.isNaN(left) || Number.isNaN(right) ? asked === given : Math.abs(left - right) < nearNumbers;
}

/** Whether an example shows that the two are not the same. */
function isShownOtherwise({ examples }: SuiteRpcMethod, { property }: SuiteParameter, name: string): boolean {
  return examples.some(
    ({ input, outcome }) =>
      outcome.kind === "success" && isRecord(outcome.value) && !isNear(input[property], outcome.value[name]),
  );
}
