import type { Finding } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import { type Difference, differences } from "../compare/differences.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf, elementOf, membersOf, resolveType } from "../compare/member-facts.ts";
import type { SeenAnswer } from "../live/live-values.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { isValueOf } from "../types/violations.ts";
import { requiredOf } from "./good-inputs.ts";
import { isHash } from "./immutability.ts";
import { isIdentifying } from "./parameter-role.ts";
import { idMemberOf } from "./result-checks.ts";
import { ask, resultType } from "./rpc-call.ts";
import { type CaseDraft, judgedMethods, type RpcContext } from "./rpc-context.ts";
import type { Input } from "./rpc-params.ts";
import { recordTypeName } from "./record-type-name.ts";
import { rpcRules } from "./rpc-rules.ts";
import { isShortened } from "../compare/shortened-text.ts";
import { differencesOf, valueFindings } from "./same-answer.ts";

/** An object inside of a list that another method answers alone: members that both have are the same. */
export function* embeddedDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const [parameter, ...others] = requiredOf(method);
  if (parameter === undefined || others.length > 0 || !isIdentifying(parameter)) return;
  const alone = context.session.live.answersOf(method.name).find(({ value }) => isRecord(value));
  if (alone === undefined) return;
  for (const other of judgedMethods(context)) {
    if (other === method) continue;
    const found = embeddedIn(context, other, method, parameter);
    if (found === undefined) continue;
    // The other form of the method may be a text: what made it answer an object is kept.
    const input = { ...alone.input, [parameter.property]: found.id };
    yield {
      group: "relation",
      name: `embedded-in-${other.name}`,
      rule: rpcRules.embedded,
      expected: `what stands in the answer of ${other.method}`,
      requests: 4,
      usualRequests: 1,
      isLive: true,
      input,
      play: async (play): Promise<readonly Finding[]> => {
        const reply = await ask(context, play, method, input);
        if (reply.outcome.kind !== "result" || !isRecord(reply.outcome.value)) return reply.findings;
        const differing = differences(found.type, found.value, reply.outcome.value, context.suite.types).filter(
          (one) => one.kind !== "missing" && !isShortened(one),
        );
        const rule = { rule: found.isOfSameType ? rpcRules.embedded : rpcRules.embeddedHoped, place: method.place };
        const still = differing.length === 0 ? [] : await stillDiffering(context, play, method, other, input, found);
        const steady = differing.filter(({ steady: pointer }) => still.some((one) => one.steady === pointer));
        return [
          ...reply.findings,
          ...valueFindings(steady, { ...rule, subject: `the result, beside the answer of ${other.method},` }),
        ];
      },
    };
    return;
  }
}

/** Both are asked for once more, the list first: what moves meanwhile is no contradiction. */
async function stillDiffering(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  other: SuiteRpcMethod,
  input: Input,
  found: Embedded,
): Promise<readonly Difference[]> {
  const { types } = context.suite;
  const before = await ask(context, play, method, input);
  const list = await ask(context, play, other, found.answer.input);
  const after = await ask(context, play, method, input);
  if (list.outcome.kind !== "result" || before.outcome.kind !== "result" || after.outcome.kind !== "result") return [];
  const again = listsIn({ ...found.answer, value: list.outcome.value }, types)
    .flatMap(({ items }) => items)
    .filter(isRecord)
    .find((item) => canonicalText(item[found.member]) === canonicalText(found.id));
  if (again === undefined) return [];
  const moved = differencesOf(context, resultType(method), before.outcome.value, after.outcome.value);
  return differences(found.type, again, after.outcome.value, types).filter(
    ({ kind, steady }) => kind !== "missing" && !moved.some((one) => one.steady === steady),
  );
}

interface Embedded {
  /** That it stands in. */
  readonly answer: SeenAnswer;
  /** The member that names it. */
  readonly member: string;
  readonly id: unknown;
  readonly value: Readonly<Record<string, unknown>>;
  readonly type: SuiteType | undefined;
  readonly isOfSameType: boolean;
}

function embeddedIn(
  context: RpcContext,
  other: SuiteRpcMethod,
  method: SuiteRpcMethod,
  parameter: SuiteParameter,
): Embedded | undefined {
  const { types } = context.suite;
  for (const answer of context.session.live.answersOf(other.name)) {
    for (const { items, type } of listsIn(answer, types)) {
      for (const item of richest(items)) {
        if (!isRecord(item)) continue;
        const name = idMemberOf(method, parameter, Object.keys(item));
        const id = name === undefined ? undefined : item[name];
        if (name === undefined || id === undefined || !isValueOf(parameter.type, id, types, "request")) continue;
        const own = recordTypeName(context, method);
        const isOfSameType =
          own !== undefined &&
          type?.kind === "reference" &&
          (type.target === own || extendsType(types, own, type.target));
        // An `id` alone is no sign that both are the same thing.
        if (!isOfSameType && !isHash(id)) continue;
        return { answer, member: name, id, value: item, type, isOfSameType };
      }
    }
  }
  return undefined;
}

/** Whether one type is another one with more to it: a thing in full, and as lists show it. */
function extendsType(types: SuiteTypes, whole: string, part: string): boolean {
  const type = types[whole];
  if (type?.kind !== "intersection") return false;
  return type.members.some((member) => member.kind === "reference" && member.target === part);
}

/** Elements that are weighed, and those of them that are looked at. */
const mostWeighed = 20;
const mostLooked = 3;

/** The elements of a list that say most. */
function richest(items: readonly unknown[]): readonly unknown[] {
  return items
    .slice(0, mostWeighed)
    .map((item) => ({ item, length: canonicalText(item).length }))
    .toSorted((left, right) => right.length - left.length)
    .slice(0, mostLooked)
    .map(({ item }) => item);
}

function listsIn(
  { value, type }: SeenAnswer,
  types: SuiteTypes,
): readonly { readonly items: readonly unknown[]; readonly type: SuiteType | undefined }[] {
  const listOf = (items: unknown, listType: SuiteType | undefined) =>
    Array.isArray(items)
      ? [{ items: items as readonly unknown[], type: elementReference(listType, types, items[0]) }]
      : [];
  if (!isRecord(value)) return listOf(value, type);
  const own = armOf(type, value, types);
  return membersOf(own, types).flatMap((member) => listOf(value[member.name], member.type));
}

/** The arm of a union that a value is of. */
function armOf(type: SuiteType, value: unknown, types: SuiteTypes): SuiteType {
  const resolved = resolveType(type, types);
  if (resolved?.kind !== "union") return type;
  return resolved.members.find((member) => isValueOf(member, value, types, "answer")) ?? type;
}

/** The element's type as it is referred to; of a union, the arm that the element is of. */
function elementReference(type: SuiteType | undefined, types: SuiteTypes, item: unknown): SuiteType | undefined {
  const element = elementOf(type, 0, types);
  if (element?.kind !== "union") return element;
  return armsOf(element, types).length > 1
    ? element.members.find((member) => isValueOf(member, item, types, "answer"))
    : element;
}
