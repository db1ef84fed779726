import { differences } from "../../compare/differences.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import type { CallOptions, Input, Operation, Outcome } from "../../properties/operation.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import type { Problem, Property } from "../../properties/property.ts";
import { rootSite } from "./field-site.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { findingAt } from "./place-of.ts";
import { propertyOperation } from "./field-operation.ts";
import { isByChance } from "./field-types.ts";
import { casesOf, planDefaults, planSteady } from "./property-cases.ts";
import { refusalOf } from "./refusal.ts";
import { type FieldSelection, trimmed, writeQuestion } from "./selection.ts";
import { type Way, waysOf } from "./ways.ts";

interface PlannedWay {
  readonly run: GraphqlRun;
  readonly base: BaseAnswer;
  readonly plain: FieldSelection;
  readonly way: Way;
}

/** The same data requested in other ways: under aliases, through fragments, with directives, literals, defaults and by GET. */
export function planEqualWays(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const plain: FieldSelection = { ...base.selection, selections: trimmed(base.selection.selections) };
  const [alias, ...ways] = waysOf(run, base, plain).map((way) => planWay({ run, base, plain, way }));
  return [...planSteady(run, base), ...(alias ?? []), ...planDefaults(run, rootSite(run, base)), ...ways.flat()];
}

/** The case of a way: it has the value of the plain way, but for what moves. */
function planWay(planned: PlannedWay): readonly PlannedCase[] {
  const { run, base, plain, way } = planned;
  const site = rootSite(run, base);
  const operation: Operation = {
    ...propertyOperation(run, site, undefined),
    known: [{ input: {}, value: base.value }],
    call: (play, inputs, options) => callWay(planned, play, inputs, options),
  };
  const forms = way.others?.map(({ alias = plain.name }) => ({ key: alias })) ?? [{ key: plain.name }];
  const property: Property = {
    name: way.name,
    rule: way.rule,
    *checks() {
      yield {
        name: way.name,
        expected: way.expected,
        inputs: [{}, ...forms],
        isWhole: true,
        verify: async (call) => {
          const [expected, ...others] = await call({}, ...forms);
          return others.flatMap(({ value }) => differencesOf(run, base, expected.value, value));
        },
      };
    },
  };
  return casesOf(site, operation, [property]);
}

/** Whether members are there is for the walk over the response: here only what both have is compared. */
function differencesOf(
  run: GraphqlRun,
  { field, operation }: BaseAnswer,
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

/** The values of a field in its plain way, where no key is given, and under the keys of another way. */
async function callWay(
  { run, base, plain, way }: PlannedWay,
  play: CasePlay,
  inputs: readonly Input[],
  { allowsEarlier }: CallOptions,
): Promise<readonly Outcome[]> {
  const isGet = way.by === "GET";
  if (isGet && run.servesGet === false) return play.skip("The target does not serve GET");
  const { others = [], declares = [], question } = way;
  const held = await run.ask(play, question ?? writeQuestion([plain, ...others], { declares }), way.by);
  if (isGet) run.servesGet ??= held.data !== undefined;
  // GET is left to servers (GraphQL over HTTP, section Request).
  if (isGet && held.data === undefined && run.servesGet !== true) return play.skip("The target does not serve GET");
  const refused = refusedFindings(base, way.rule, held, play);
  if (refused !== undefined) return inputs.map(() => ({ findings: refused }));
  const isEarlier = question !== undefined && allowsEarlier;
  const before = question === undefined ? held : isEarlier ? undefined : await run.ask(play, writeQuestion([plain]));
  return inputs.map(({ key }): Outcome => {
    const value = key === undefined ? (isEarlier ? base.value : before?.data?.[plain.name]) : held.data?.[String(key)];
    return { findings: held.findings, ...(value === undefined ? {} : { results: [{ value }] }) };
  });
}

/** What is wrong where another way is refused; undefined where the response has the data. */
function refusedFindings(
  { field }: BaseAnswer,
  rule: Rule,
  { response, data, findings }: HeldAnswer,
  play: CasePlay,
): readonly Finding[] | undefined {
  if (data !== undefined && response.errors.length === 0) return undefined;
  if (data !== undefined && isByChance(field)) return play.skip("What is chosen by chance may have errors of its own");
  const kind = refusalOf(response);
  if (kind === "denied" || kind === "size")
    return play.skip("The target says that this is too much, or not for everybody");
  if (data !== undefined && findings.some((finding) => finding.rule.level === "MUST")) return findings;
  // Fields below that fail now and then say nothing of the way.
  const isBelow = response.errors.every(({ path }) => (path?.length ?? 0) > 1);
  if (data !== undefined && isBelow) return play.skip("A part of the response failed");
  const message = `${field.name} is refused when it is requested in another way`;
  const detail = response.errors[0]?.message ?? `status ${response.answer.status}`;
  // Null is a value of a nullable argument: what validation refuses, or fails without a reason, does not take it.
  const isOfNull = rule === graphqlRules.nullArgument && kind !== "unknown" && (response.hasData || kind === "missing");
  const broken = rule === graphqlRules.nullArgument && !isOfNull ? propertyRules.validInput : rule;
  return [...findings, findingAt(field.astNode, broken, message, detail)];
}
