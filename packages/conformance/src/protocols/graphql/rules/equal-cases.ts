import { differences } from "../../../compare/differences.ts";
import type { Finding } from "../../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../../contract/planned-case.ts";
import type { Rule } from "../../../contract/rule.ts";
import type { CallOptions, Input, Operation, Outcome } from "../../../properties/operation.ts";
import { propertyRules } from "../../../properties/property-rules.ts";
import type { Problem, Property } from "../../../properties/property.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import type { BaseResult, GraphqlRun, ValidatedResponse } from "../run/graphql-run.ts";
import { findingAt } from "../contract/place-of.ts";
import { fieldOperation, propertyOperation } from "../operation/field-operation.ts";
import { planCases } from "../../../properties/plan-operation.ts";
import { isByChance } from "../schema/field-types.ts";
import { casesOf, planDefaults, planSteady } from "../operation/property-cases.ts";
import { reasonOf, refusalOf, skipRefused } from "../response/refusal.ts";
import { type FieldSelection, trimmed, writeRequest } from "../selection/selection.ts";
import { type Way, waysOf } from "./ways.ts";

interface PlannedWay {
  readonly run: GraphqlRun;
  readonly base: BaseResult;
  readonly plain: FieldSelection;
  readonly way: Way;
}

/** Plans requests for the same data in other ways: with aliases, fragments, directives, literals, defaults and by GET. */
export function planEqualWays(run: GraphqlRun, base: BaseResult): readonly PlannedCase[] {
  const plain: FieldSelection = { ...base.selection, selections: trimmed(base.selection.selections) };
  const [alias = [], ...ways] = waysOf(run, base, plain).map((way) => {
    const call: Operation["call"] = (play, inputs, options) =>
      callWay({ run, base, plain, way }, play, inputs, options);
    const known = [{ input: {}, value: base.value }];
    return casesOf(run, base, { ...propertyOperation(run, base, undefined), known, call }, wayProperty(run, base, way));
  });
  return [
    ...planSteady(run, base),
    ...alias,
    ...planCases([fieldOperation(run, base)], [planDefaults]),
    ...ways.flat(),
  ];
}

/** Returns the property that another way has the same value under its keys as the plain way, except for members that change. */
function wayProperty(run: GraphqlRun, base: BaseResult, { name, rule, expected, keys }: Way): Property {
  const keyed = (keys.length > 0 ? keys : [base.field.name]).map((key) => ({ key }));
  return {
    name,
    rule,
    *checks() {
      yield {
        name,
        expected,
        inputs: [{}, ...keyed],
        isWhole: true,
        verify: async (call) => {
          const [plain, ...results] = await call({}, ...keyed);
          return results.flatMap(({ value }) => differencesOf(run, base, plain.value, value));
        },
      };
    },
  };
}

/** Returns the differences of members that both responses have: the walk over the response checks which members are present. */
function differencesOf(
  run: GraphqlRun,
  { field, operation }: BaseResult,
  expected: unknown,
  actual: unknown,
): readonly Problem[] {
  const moving = run.movingOf(operation);
  return differences(undefined, expected, actual, {})
    .filter(({ name, kind }) => kind !== "missing" && !moving.has(name))
    .slice(0, 3)
    .map(({ steady, pointer, message, detail }) => ({
      message: `${field.name}${steady} ${message}`,
      detail: `${pointer} ${detail}`,
      pointer: `/${field.name}${steady}`,
    }));
}

/** Requests a field in its plain way when no key is given, else in another way, and returns the values under its keys. */
async function callWay(
  { run, base, plain, way }: PlannedWay,
  play: CasePlay,
  inputs: readonly Input[],
  { allowsEarlier }: CallOptions,
): Promise<readonly Outcome[]> {
  const { request, keys, rule } = way;
  const isGet = rule === graphqlRules.get;
  if (isGet && run.servesGet === false) return play.skip("The target does not serve GET");
  const held = await run.execute(play, request, isGet ? "GET" : "POST");
  if (isGet) run.servesGet ??= held.data !== undefined;
  // Support of GET is optional (GraphQL over HTTP, section Request).
  if (isGet && held.data === undefined && run.servesGet !== true) return play.skip("The target does not serve GET");
  const refused = refusedFindings(base, rule, held, play);
  if (refused !== undefined) return inputs.map(() => ({ findings: refused }));
  const isEarlier = keys.length === 0 && allowsEarlier;
  const before = keys.length > 0 ? held : isEarlier ? undefined : await run.execute(play, writeRequest([plain]));
  return inputs.map(({ key }): Outcome => {
    const value = key === undefined ? (isEarlier ? base.value : before?.data?.[plain.name]) : held.data?.[String(key)];
    return { findings: held.findings, ...(value === undefined ? {} : { results: [{ value }] }) };
  });
}

/** Returns the faults of a refusal of another way; `undefined` when the response has the data. */
function refusedFindings(
  { field }: BaseResult,
  rule: Rule,
  { response, data, findings }: ValidatedResponse,
  play: CasePlay,
): readonly Finding[] | undefined {
  if (data !== undefined && response.errors.length === 0) return undefined;
  if (data !== undefined && isByChance(field)) return play.skip("What is chosen by chance may have errors of its own");
  const kind = refusalOf(response);
  if (kind !== "missing") skipRefused(play, response);
  if (data !== undefined && findings.some((finding) => finding.rule.level === "MUST")) return findings;
  // Fields below that fail intermittently do not indicate a fault of the way.
  const isBelow = response.errors.every(({ path }) => (path?.length ?? 0) > 1);
  if (data !== undefined && isBelow) return play.skip("A part of the response failed");
  const message = `${field.name} is refused when it is requested in another way`;
  // Null is a value of a nullable argument, so refusing it in validation or failing without a reason is a fault.
  const isOfNull = rule === graphqlRules.nullArgument && kind !== "unknown" && (response.hasData || kind === "missing");
  const broken = rule === graphqlRules.nullArgument && !isOfNull ? propertyRules.validInput : rule;
  return [...findings, findingAt(field.astNode, broken, message, reasonOf(response))];
}
