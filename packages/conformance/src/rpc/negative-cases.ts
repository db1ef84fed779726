import { armsOf } from "../compare/member-facts.ts";
import { counted } from "../basics/counted.ts";
import { inTurns } from "../basics/in-turns.ts";
import type { Rule } from "../contract/rule.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { acceptedText } from "../compare/accepted-value.ts";
import { kindOf } from "@nodewright/api-model";
import { isValueOf } from "../types/violations.ts";
import { wrongValuesOf } from "../types/wrong-values.ts";
import { plausibleInput, requiredOf, sendableInput, withoutValue } from "./good-inputs.ts";
import { notFoundDrafts } from "./not-found-drafts.ts";
import { missingFindings } from "./missing-method.ts";
import { refusalFindings, type RefusalOptions } from "./refusal.ts";
import { askWith } from "./rpc-call.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { type Input, paramsOf } from "./rpc-params.ts";
import type { RpcParams } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

/**
 * Breaks every constraint of every parameter, those first that a careless server overlooks. Each parameter has its turn for each kind of
 * mistake before one of them has a second value of the same kind.
 */
export function* negativeDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const base = plausibleInput(context, method);
  if (base === undefined) return;
  const ofParameters = method.parameters.map((parameter) => wrongDrafts(context, method, parameter, base));
  const firsts = ofParameters.map(({ first }) => first);
  const isConstraint = (one: WrongDraft | undefined): boolean => one?.isOtherKind === false;
  yield* firsts.flatMap((list) => (isConstraint(list[0]) ? list.slice(0, 1) : [])).map(({ draft }) => draft);
  yield* notFoundDrafts(context, method, base);
  yield* missingDrafts(context, method, base);
  const later = firsts.map((list) => (isConstraint(list[0]) ? list.slice(1) : list));
  yield* inTurns(later).map(({ draft }) => draft);
  yield* surplusDrafts(context, method, base);
  yield* nullDrafts(context, method, base);
  yield* inTurns(ofParameters.map(({ further }) => further)).map(({ draft }) => draft);
}

interface WrongDraft {
  readonly draft: CaseDraft;
  /** True where the value is of another kind of JSON than the parameter's, whatever else it breaks. */
  readonly isOtherKind: boolean;
}

/** A parameter's wrong values: the first for each constraint and one of another kind, and all that come after these. */
interface WrongDrafts {
  readonly first: readonly WrongDraft[];
  readonly further: readonly WrongDraft[];
}

function wrongDrafts(context: RpcContext, method: SuiteRpcMethod, parameter: SuiteParameter, base: Input): WrongDrafts {
  const { property, type, required } = parameter;
  const { types } = context.suite;
  const kinds = kindsOf(type, types);
  const turns = new Map<string, number>();
  const all = wrongValuesOf(type, types, base[property]).flatMap(({ name, value, place, keyword }) => {
    // Null stands for a parameter that is left out.
    if (value === null && !required) return [];
    if (isValueOf(type, value, types, "request")) return [];
    const input = sendableInput(context, method, { ...base, [property]: value });
    if (input === undefined) return [];
    const isOtherKind = !kinds.has(kindOf(value));
    const isCoercible = isOtherKind && readsAs(type, value, types);
    const reason = isCoercible ? "coercible" : isOtherKind ? "kind" : keyword;
    const turn = turns.get(reason) ?? 0;
    turns.set(reason, turn + 1);
    const draft = refusedDraft(context, method, `${property}-${name}`, paramsOf(method, input), {
      place: place ?? parameter.place,
      accepted: `${parameter.name}: ${acceptedText(type, value, types)}`,
      ...(isCoercible ? { acceptedRule: rpcRules.coercibleAccepted } : {}),
    });
    return [{ draft, isOtherKind, turn }];
  });
  // Constraints before kinds, and of each one value, then a second one, and so on.
  const ordered = all.toSorted(
    (left, right) => Number(left.isOtherKind) - Number(right.isOtherKind) || left.turn - right.turn,
  );
  return { first: ordered.filter(({ turn }) => turn === 0), further: ordered.filter(({ turn }) => turn > 0) };
}

/** Whether a value of another kind says the same as one of the type, as `"20"` does of 20: many servers coerce such values. */
function readsAs(type: SuiteType, value: unknown, types: SuiteTypes): boolean {
  const readings: readonly unknown[] =
    typeof value === "boolean"
      ? [Number(value)]
      : typeof value === "number"
        ? [value === 1, value !== 0]
        : typeof value === "string" && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value)
          ? [JSON.parse(value)]
          : [];
  return readings.some((reading) => isValueOf(type, reading, types, "request"));
}

/** The kinds of JSON that a parameter may be of. */
function kindsOf(type: SuiteType, types: SuiteTypes): ReadonlySet<string> {
  return new Set(
    armsOf(type, types).flatMap((arm): readonly string[] => {
      if (arm.kind === "enumeration") return arm.values.map(kindOf);
      return [arm.kind === "bytes" ? "string" : arm.kind];
    }),
  );
}

function* missingDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): Generator<CaseDraft> {
  const required = requiredOf(method);
  for (const { property, name: parameter, place } of required) {
    const without = withoutValue(base, property);
    const isLast = Object.keys(without).length === 0;
    const params = isLast
      ? method.parameterStructure === "by-name"
        ? {}
        : []
      : paramsWithout(context, method, without);
    const name = isLast && required.length === 1 ? "no-arguments" : `${property}-missing`;
    const accepted = `no ${parameter} was sent; the document requires it`;
    if (params !== undefined) yield refusedDraft(context, method, name, params, { place, accepted });
  }
}

function* nullDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): Generator<CaseDraft> {
  for (const { property, name, type, place } of requiredOf(method)) {
    if (isValueOf(type, null, context.suite.types, "request")) continue;
    const accepted = `${name}: ${acceptedText(type, null, context.suite.types)}`;
    const params = paramsOf(method, { ...base, [property]: null });
    yield refusedDraft(context, method, `${property}-null`, params, { place, accepted });
  }
}

/** By position only the last ones can be missing. */
function paramsWithout({ refusedStyles }: RpcContext, method: SuiteRpcMethod, input: Input): RpcParams | undefined {
  if (method.parameterStructure !== "by-position" && !refusedStyles.has("by-name"))
    return paramsOf(method, input, "by-name");
  const length = method.parameters.findIndex(({ property }) => input[property] === undefined);
  return method.parameters.slice(0, length).map(({ property }) => input[property]);
}

function* surplusDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): Generator<CaseDraft> {
  const { parameterStructure, parameters, place } = method;
  if (parameterStructure !== "by-name") {
    const params = [...fullPosition(context, method, base), "surplus"];
    if (params.length === parameters.length + 1) {
      const accepted = `a further parameter was accepted; the document has ${counted(parameters.length, "parameter")}`;
      yield refusedDraft(context, method, "surplus-parameter", params, { place, isHoped: true, accepted });
    }
  }
  if (parameterStructure !== "by-position" && !context.refusedStyles.has("by-name")) {
    const params = { ...paramsOf(method, base, "by-name"), "no-such-parameter": 1 };
    const accepted = 'the parameter "no-such-parameter" was accepted; the document has none of this name';
    yield refusedDraft(context, method, "unknown-name", params, { place, isHoped: true, accepted });
  }
}

/** A value for each parameter, as far as values are known. */
function fullPosition(context: RpcContext, method: SuiteRpcMethod, base: Input): readonly unknown[] {
  const values: unknown[] = [];
  for (const parameter of method.parameters) {
    const shown = [base[parameter.property], parameter.default, parameter.type.default, parameter.examples?.[0]];
    const ofExamples = method.examples.map(({ input }) => input[parameter.property]);
    const value = [...shown, ...ofExamples, ...context.session.live.valuesOf(method.name, parameter)].find(
      (candidate) => candidate !== undefined && candidate !== null,
    );
    if (value === undefined) return values;
    values.push(value);
  }
  return values;
}

function refusedDraft(
  context: RpcContext,
  method: SuiteRpcMethod,
  name: string,
  params: RpcParams,
  options: RefusalOptions,
): CaseDraft {
  const usual = options.isHoped === true ? rpcRules.surplusAccepted : rpcRules.wrongAccepted;
  const rule: Rule = options.acceptedRule ?? usual;
  return {
    group: "negative",
    name,
    rule,
    expected: "an error: -32602, or one that is documented",
    params,
    play: async (play) => {
      const reply = await askWith(context, play, method, params);
      return missingFindings(context, method, reply, play) ?? refusalFindings(method, reply, options);
    },
  };
}
