import { type Finding, finding } from "../../contract/finding.ts";
import { resolveType } from "../../compare/member-facts.ts";
import { showValue } from "../../compare/show-value.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { isValueOf } from "../../types/violations.ts";
import { formOf, formParameters } from "./parameter-role.ts";
import { inspectResult } from "./property-drafts.ts";
import { answerTypeOf } from "../../suite/answer-type.ts";
import type { ResultCheck, RpcContext } from "./rpc-context.ts";
import type { Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** What holds within a result, given what was asked for. */
export const resultChecks: readonly ResultCheck[] = [checkForm, inspectResult];

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
  const resolved = resolveType(answerTypeOf(method), suite.types);
  return resolved?.kind === "union" ? [...resolved.members] : [];
}

function isArm({ suite }: RpcContext, arms: Parameters<typeof isValueOf>[0][], arm: number, value: unknown): boolean {
  const type = arms[arm];
  return type !== undefined && isValueOf(type, value, suite.types, "answer");
}
