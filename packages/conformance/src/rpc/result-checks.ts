import type { Finding } from "../contract/finding.ts";
import { isRecord } from "../types/is-record.ts";
import { memberOf, resolveType } from "../compare/member-facts.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { isValueOf } from "../types/violations.ts";
import { linkedMemberOf } from "./linked-members.ts";
import { checkMentions } from "./mention-checks.ts";
import { formOf, formParameters, isIdentifying } from "./parameter-role.ts";
import { inspectResult } from "./property-drafts.ts";
import { checkRepeats } from "./repeat-checks.ts";
import { resultType } from "./rpc-call.ts";
import type { ResultCheck, RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { isGraded, isLoose } from "../inference/name-meaning.ts";
import { elementTypeOf } from "./list-roles.ts";
import type { Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** What holds within a result, given what was asked for. */
export const resultChecks: readonly ResultCheck[] = [
  checkIds,
  checkElements,
  checkForm,
  checkRepeats,
  checkMentions,
  inspectResult,
];

/** What is asked for by its id has that id. Where an example shows it otherwise, nothing is said. */
function checkIds({ suite }: RpcContext, method: SuiteRpcMethod, input: Input, value: unknown): readonly Finding[] {
  if (!isRecord(value)) return [];
  return method.parameters.flatMap((parameter) => {
    const asked = input[parameter.property];
    if (asked === undefined || asked === null) return [];
    const names = Object.keys(value);
    // A name alone does not say that a member repeats a parameter; an example does.
    const shown = echoesOf(method, parameter).includes(true) ? sameNamed(parameter, names) : undefined;
    const linked = linkedMemberOf(suite, parameter);
    const name = idMemberOf(method, parameter, names) ?? shown ?? names.find((one) => one === linked);
    if (name === undefined || isSameId(asked, value[name]) !== false || isContradicted(method, parameter)) return [];
    const place = memberOf(resultType(method), name, suite.types)?.place ?? parameter.place;
    const detail = `${name} is ${showValue(value[name])}, asked for was ${showValue(asked)}`;
    const rule = name === linked ? rpcRules.linkedId : rpcRules.sameId;
    return [
      finding(rule, `the member ${name} is not the ${parameter.name} that was asked for`, detail, {
        pointer: `/${name}`,
        place,
      }),
    ];
  });
}

/** The member of a result that holds what a parameter asks for: of the same name, or `hash` for the only parameter `blockhash`. */
function idMemberOf(
  { parameters }: SuiteRpcMethod,
  parameter: SuiteParameter,
  names: readonly string[],
): string | undefined {
  if (!isIdentifying(parameter)) return undefined;
  const wanted = plainName(parameter.name);
  const same = names.find((name) => plainName(name) === wanted);
  if (same !== undefined) return same;
  const required = parameters.filter((one) => one.required);
  if (required.length !== 1 || required[0] !== parameter) return undefined;
  return ["hash", "id", "number", "height"]
    .filter((ending) => wanted.endsWith(ending))
    .map((ending) => names.find((name) => plainName(name) === ending))
    .find((name) => name !== undefined);
}

/** Undefined where it can't be told: a word such as `latest` stands for a number. */
export function isSameId(asked: unknown, given: unknown): boolean | undefined {
  if (typeof asked === "object" || typeof given === "object" || typeof asked === "boolean") return undefined;
  if (String(asked).toLowerCase() === String(given).toLowerCase()) return true;
  const [left, right] = [numberOf(asked), numberOf(given)];
  if (left !== undefined && right !== undefined) return left === right;
  return (left === undefined) === (right === undefined) ? false : undefined;
}

/** The number that an integer, or a short text of one in decimal or hexadecimal, stands for. */
function numberOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^(?:0x[0-9a-fA-F]{1,16}|[0-9]{1,19})$/.test(value) ? BigInt(value) : undefined;
}

/** Whether an example shows that a member is not what the parameter asks for. */
function isContradicted(method: SuiteRpcMethod, parameter: SuiteParameter): boolean {
  return echoesOf(method, parameter).includes(false);
}

/** Of each example with a result, whether it has what the parameter asks for. */
function echoesOf(method: SuiteRpcMethod, parameter: SuiteParameter): readonly boolean[] {
  return method.examples.flatMap(({ input, outcome }) => {
    const asked = input[parameter.property];
    if (outcome.kind !== "success" || asked === undefined || asked === null) return [];
    const objects = Array.isArray(outcome.value) ? outcome.value : [outcome.value];
    return objects.filter(isRecord).flatMap((object) => {
      const name = idMemberOf(method, parameter, Object.keys(object)) ?? sameNamed(parameter, Object.keys(object));
      const isEcho = name === undefined ? undefined : isSameId(asked, object[name]);
      return isEcho === undefined ? [] : [isEcho];
    });
  });
}

function sameNamed({ name }: SuiteParameter, names: readonly string[]): string | undefined {
  return names.find((one) => plainName(one) === plainName(name));
}

/** Elements of a list that were asked for by a member of theirs have that member. */
function checkElements(
  { suite }: RpcContext,
  method: SuiteRpcMethod,
  input: Input,
  value: unknown,
): readonly Finding[] {
  const elements = (listIn(value) ?? []).filter(isRecord);
  if (elements.length === 0) return [];
  return method.parameters.flatMap((parameter) => {
    const asked = input[parameter.property];
    const isNumber = typeof asked === "number" && /id$/.test(plainName(parameter.name));
    if (!isNumber && (typeof asked !== "string" || asked === "")) return [];
    const wrong = elements.find((element) => {
      const name = sameNamed(parameter, Object.keys(element));
      return name !== undefined && typeof element[name] === typeof asked && isSameId(asked, element[name]) === false;
    });
    const echoes = echoesOf(method, parameter);
    if (wrong === undefined || echoes.includes(false)) return [];
    const name = sameNamed(parameter, Object.keys(wrong)) ?? "";
    // What is looked for by words or by what it belongs to is held to what it leaves out instead.
    if (isLoose(name) && !parameter.required && echoes.length === 0) return [];
    const isOthersRight = elements.some((element) => isSameId(asked, element[name]) === true);
    const element = elementTypeOf(method, suite.types);
    const isCertain =
      echoes.length > 0 ||
      (parameter.required && isNumber) ||
      // What has an order may be asked for from there on.
      (!isGraded(name) &&
        !isLoose(name) &&
        (isOthersRight || isSameChoice(parameter.type, memberOf(element, name, suite.types)?.type, suite.types)));
    const rule = isCertain ? rpcRules.sameId : rpcRules.sameIdHoped;
    const message = `an element's member ${name} is not the ${parameter.name} that was asked for`;
    return [
      finding(rule, message, `${name} is ${showValue(wrong[name])}`, { pointer: `/*/${name}`, place: parameter.place }),
    ];
  });
}

/** Whether two types are the same choice of values. */
function isSameChoice(left: SuiteType, right: SuiteType | undefined, types: SuiteTypes): boolean {
  const [first, second] = [resolveType(left, types), resolveType(right, types)];
  if (first?.kind !== "enumeration" || second?.kind !== "enumeration") return false;
  return canonicalText(first.values) === canonicalText(second.values);
}

/** The list that a result is, or the only one that it has. */
function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  return lists.length === 1 ? lists[0] : undefined;
}

/** What the examples of a method say about the form of its result. */
interface Forms {
  readonly parameters: readonly SuiteParameter[];
  /** What an input asks for, by `formOf` → arms of the result's union that examples of it are of. */
  readonly arms: ReadonlyMap<string, ReadonlySet<number>>;
}

const knownForms = new WeakMap<SuiteRpcMethod, Forms>();

/** A parameter that picks the form of the result picks the arm of its union that the examples show. */
function checkForm(context: RpcContext, method: SuiteRpcMethod, input: Input, value: unknown): readonly Finding[] {
  const arms = unionOf(context, method);
  if (arms.length < 2 || value === null) return [];
  const { parameters, arms: shown } = formsOf(context, method);
  const wanted = shown.get(formOf(parameters, input));
  if (wanted === undefined || !picks(shown)) return [];
  const isOfWanted = [...wanted].some((arm) => isArm(context, arms, arm, value));
  if (isOfWanted) return [];
  const names = parameters.map(({ name }) => name).join(", ");
  const message = `the result is not of the form that examples show for this ${names}`;
  return [finding(rpcRules.arm, message, showValue(value), { place: parameters[0]?.place ?? method.place })];
}

function formsOf(context: RpcContext, method: SuiteRpcMethod): Forms {
  const known = knownForms.get(method);
  if (known !== undefined) return known;
  const parameters = formParameters(method, context.suite.types);
  const union = unionOf(context, method);
  const arms = new Map<string, Set<number>>();
  for (const { input, params, outcome } of method.examples) {
    if (outcome.kind !== "success" || params !== undefined || outcome.value === null) continue;
    const form = formOf(parameters, input);
    const ofForm = arms.get(form) ?? new Set<number>();
    for (const arm of union.keys()) if (isArm(context, union, arm, outcome.value)) ofForm.add(arm);
    arms.set(form, ofForm);
  }
  const forms = { parameters, arms };
  knownForms.set(method, forms);
  return forms;
}

/** Whether what is asked for decides about the arm: there are two forms without an arm in common. */
function picks(shown: Forms["arms"]): boolean {
  const all = [...shown.values()];
  return all.some((left, index) => all.slice(index + 1).some((right) => ![...left].some((arm) => right.has(arm))));
}

function unionOf({ suite }: RpcContext, method: SuiteRpcMethod): Parameters<typeof isValueOf>[0][] {
  const resolved = resolveType(resultType(method), suite.types);
  return resolved?.kind === "union" ? [...resolved.members] : [];
}

function isArm({ suite }: RpcContext, arms: Parameters<typeof isValueOf>[0][], arm: number, value: unknown): boolean {
  const type = arms[arm];
  return type !== undefined && isValueOf(type, value, suite.types, "answer");
}
