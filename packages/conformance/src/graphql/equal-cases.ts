import { withPlace } from "../suite/with-place.ts";
import {
  type GraphQLArgument,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
} from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { differences } from "../compare/differences.ts";
import { isLastingKeyName } from "./field-names.ts";
import { type CaseParts, graphqlCase } from "./graphql-case.ts";
import type { GraphqlQuestion } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { rootSite } from "./field-site.ts";
import { placeOf } from "./place-of.ts";
import { planDefaults, planSteady } from "./property-cases.ts";
import { uniqueFindings } from "./read-response.ts";
import { type RefusalKind, refusalOf } from "./refusal.ts";
import {
  type DeclaredVariable,
  type FieldSelection,
  type QuestionOptions,
  type Selection,
  trimmed,
  typename,
  writeQuestion,
} from "./selection.ts";

/** The same data asked for in other ways: under aliases, through fragments, with directives, literals, defaults and by GET. */
export function planEqualWays(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const { operation } = base;
  const plain: FieldSelection = { ...base.selection, selections: trimmed(base.selection.selections) };
  const make = (parts: Pick<CaseParts, "name" | "rule" | "expected" | "play"> & Partial<CaseParts>): PlannedCase =>
    graphqlCase({ operation, group: "relation", ...parts });
  const equal = (
    name: string,
    rule: Rule,
    expected: string,
    others: readonly Selection[],
    options: QuestionOptions = {},
  ): PlannedCase =>
    make({ name, rule, expected, play: (play) => playSideBySide(run, base, rule, plain, others, options, play) });
  const cases: PlannedCase[] = [
    ...planSteady(run, base),
    equal("alias", graphqlRules.alias, "the same under an alias", [{ ...plain, alias: "otherName" }]),
  ];
  if ((plain.arguments ?? []).length > 0) {
    cases.push(
      equal("literals", graphqlRules.variable, "the same for literals and for variables", [
        {
          ...plain,
          alias: "byLiterals",
          arguments: (plain.arguments ?? []).map((one) => ({ ...one, isLiteral: true })),
        },
      ]),
    );
  }
  const ofSelections = plain.selections.length > 0 ? planSelectionWays(run, base, plain, equal) : [];
  cases.push(
    ...planDefaults(run, rootSite(run, base)),
    ...planArgumentWays(base, plain, equal),
    ...ofSelections.slice(0, 1),
    planDirectives(run, base, plain, make),
    planOperationName(run, base, plain, make),
  );
  if ((plain.arguments ?? []).length > 0) {
    cases.push(
      make({
        name: "variable-defaults",
        requests: 2,
        rule: graphqlRules.variableDefault,
        expected: "the same where the variables' values are their defaults",
        play: (play) =>
          playOther(
            run,
            base,
            graphqlRules.variableDefault,
            plain,
            writeQuestion([plain], { style: "defaults" }),
            play,
          ),
      }),
    );
  }
  cases.push(
    make({
      name: "get",
      requests: 2,
      rule: graphqlRules.get,
      expected: "the same by GET, where the target serves GET",
      play: (play) => playGet(run, base, plain, play),
    }),
    ...ofSelections.slice(1),
  );
  return cases;
}

type MakeEqual = (
  name: string,
  rule: Rule,
  expected: string,
  others: readonly Selection[],
  options?: QuestionOptions,
) => PlannedCase;

type MakeCase = (parts: Pick<CaseParts, "name" | "rule" | "expected" | "play"> & Partial<CaseParts>) => PlannedCase;

function planSelectionWays(
  run: GraphqlRun,
  { field }: BaseAnswer,
  plain: FieldSelection,
  equal: MakeEqual,
): readonly PlannedCase[] {
  const type = getNamedType(field.type);
  const { selections } = plain;
  const half = Math.ceil(selections.length / 2);
  const [first, second] = [selections.slice(0, half), selections.slice(half)];
  const wrapped: Selection[] = [{ kind: "fragment", type: type.name, selections: first }];
  if (second.length > 0) wrapped.push({ kind: "fragment", selections: second });
  const cases = [
    equal("fragments", graphqlRules.fragment, "the same through named and inline fragments", [
      { ...plain, alias: "byName", selections: [{ kind: "fragment", name: "Whole", type: type.name, selections }] },
      { ...plain, alias: "inline", selections: wrapped },
    ]),
    equal("another-order", graphqlRules.fieldOrder, "the same values in another order of fields", [
      { ...plain, alias: "reversed", selections: selections.toReversed() },
      { ...plain, alias: "some", selections: first },
    ]),
  ];
  if (second.length > 0) {
    cases.push(
      equal("merged", graphqlRules.merged, "one value for a field that is selected twice", [
        { ...plain, alias: "twice", selections: first },
        { ...plain, alias: "twice", selections: [...second, ...first.slice(0, 1)] },
      ]),
    );
  }
  if (isCompositeType(type) && isAbstractType(type)) {
    // Each possible type by itself, its type condition being all that selects.
    const possible = run.schema.getPossibleTypes(type).slice(0, 4);
    const arms = possible.map(
      (one): Selection => ({
        kind: "fragment",
        type: one.name,
        selections: [{ kind: "field", name: "__typename", alias: `is${one.name}`, selections: [] }],
      }),
    );
    const selectionsOfArms: readonly Selection[] = [typename, ...arms];
    // They come before the order of fields: servers get a type wrong sooner than an order.
    cases.splice(
      1,
      0,
      equal("type-conditions", graphqlRules.fragment, "what stands under a type only for objects of it", [
        { ...plain, alias: "byType", selections: selectionsOfArms },
      ]),
    );
  }
  return cases;
}

const switches: readonly DeclaredVariable[] = [
  { name: "yes", type: "Boolean!", value: true },
  { name: "no", type: "Boolean!", value: false },
];

/** Half of the fields stay, by each form of the two directives; the walk over the answer sees whether the others are gone. */
function planDirectives(run: GraphqlRun, base: BaseAnswer, plain: FieldSelection, make: MakeCase): PlannedCase {
  const staying = ["@include(if: true)", "@include(if: $yes)", "@skip(if: false)", "@skip(if: $no)"];
  const going = [
    "@include(if: false)",
    "@include(if: $no)",
    "@skip(if: true)",
    "@skip(if: $yes)",
    "@include(if: true) @skip(if: true)",
  ];
  const decided = plain.selections.map((selection, index): Selection => {
    const forms = index % 2 === 0 ? staying : going;
    return { ...selection, directives: forms[(index >> 1) % forms.length] ?? "" };
  });
  const whole = decided.length > 0 ? [{ ...plain, alias: "decided", selections: [typename, ...decided] }] : [];
  const gone = going.map((directives, index): Selection => ({ ...plain, alias: `gone${index}`, directives }));
  const there = staying.map((directives, index): Selection => ({ ...plain, alias: `there${index}`, directives }));
  const others = [...whole, ...gone, ...there.slice(0, 2)];
  return make({
    name: "include-and-skip",
    rule: graphqlRules.directive,
    expected: "the fields that the directives leave, and no others",
    play: (play) => playSideBySide(run, base, graphqlRules.directive, plain, others, { declares: switches }, play),
  });
}

function planOperationName(run: GraphqlRun, base: BaseAnswer, plain: FieldSelection, make: MakeCase): PlannedCase {
  const chosen = writeQuestion([plain], { name: "Chosen" });
  const query = `query Before { before: __typename }\n${chosen.query}\nquery After { after: __typename }`;
  return make({
    name: "operation-name",
    requests: 2,
    rule: graphqlRules.operationName,
    expected: "the operation that operationName names",
    play: (play) =>
      playOther(run, base, graphqlRules.operationName, plain, { ...chosen, query, operationName: "Chosen" }, play),
  });
}

function planArgumentWays({ field }: BaseAnswer, plain: FieldSelection, equal: MakeEqual): readonly PlannedCase[] {
  const given = plain.arguments ?? [];
  const isGiven = (name: string): boolean => given.some((one) => one.name === name);
  const open = field.args.filter(({ name }) => !isGiven(name));
  const cases: PlannedCase[] = [];
  const nullable = open.filter((one) => !isNonNullType(one.type) && one.defaultValue === undefined);
  if (nullable.length > 0) {
    const nulls = nullable.map(({ name, type }) => ({ name, type, value: null }));
    cases.push(
      equal(
        "null-arguments",
        graphqlRules.nullArgument,
        "the same where arguments are null as where they are left out",
        [{ ...plain, alias: "byNull", arguments: [...given, ...nulls] }],
      ),
    );
  }
  const single = field.args.find((one) => isGiven(one.name) && coercedSingle(one, given) !== undefined);
  if (single !== undefined) {
    const coerced = given.map((one) =>
      one.name === single.name ? { ...one, value: coercedSingle(single, given), isLiteral: true } : one,
    );
    cases.push(
      equal("single-for-list", graphqlRules.coercion, "the same for a value and for a list of it", [
        { ...plain, alias: "bySingle", arguments: coerced },
      ]),
    );
  }
  return cases;
}

/** The only element of a list that is given. */
function coercedSingle(argument: GraphQLArgument, given: NonNullable<FieldSelection["arguments"]>): unknown {
  if (!isListType(getNullableType(argument.type))) return undefined;
  const value = given.find(({ name }) => name === argument.name)?.value;
  if (!Array.isArray(value) || value.length !== 1 || Array.isArray(value[0])) return undefined;
  return value[0] ?? undefined;
}

/** How often a difference is looked at again before it counts. */
const secondLooks = 3;

/**
 * Asks for a field plainly and in other ways in one request, so that nothing changes in between. What is another each time, as the order
 * of what waits may be, differs from itself within one request too: a difference counts where the plain form stays what it was.
 */
async function playSideBySide(
  run: GraphqlRun,
  base: BaseAnswer,
  rule: Rule,
  plain: FieldSelection,
  others: readonly Selection[],
  options: QuestionOptions,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const question = writeQuestion([plain, ...others], options);
  const held = await run.ask(play, question);
  const refused = refusedFindings(base, rule, held, play);
  if (refused !== undefined) return refused;
  const expected = held.data?.[plain.name];
  const different = othersFindings(run, base, rule, plain, others, held);
  for (let look = 0; different.length > 0 && look < secondLooks; look += 1) {
    const again = await run.ask(play, question);
    const moved = differences(undefined, expected, again.data?.[plain.name], {});
    if (moved.length > 0 || othersFindings(run, base, rule, plain, others, again).length === 0) {
      for (const { name } of moved) run.movingOf(base.operation).add(name);
      return uniqueFindings(held.findings);
    }
  }
  return uniqueFindings([...held.findings, ...different]);
}

/** Where a field that was asked for in other ways is not what it is plainly. */
function othersFindings(
  run: GraphqlRun,
  base: BaseAnswer,
  rule: Rule,
  plain: FieldSelection,
  others: readonly Selection[],
  { data }: HeldAnswer,
): readonly Finding[] {
  return others.flatMap((other) => {
    const key = other.kind === "field" ? (other.alias ?? other.name) : undefined;
    if (key === undefined || data === undefined || !Object.hasOwn(data, key)) return [];
    return sameFindings(run, base, rule, data[plain.name], data[key]);
  });
}

/** Asks for a field in another way alone, and holds it against a plain request, or against the answer that is known. */
async function playOther(
  run: GraphqlRun,
  base: BaseAnswer,
  rule: Rule,
  plain: FieldSelection,
  question: GraphqlQuestion,
  play: CasePlay,
  by: "POST" | "GET" = "POST",
): Promise<readonly Finding[]> {
  const held = await run.ask(play, question, by);
  const refused = refusedFindings(base, rule, held, play);
  if (refused !== undefined) return refused;
  const different = await stillDifferent(
    run,
    base,
    rule,
    plain,
    held.data?.[plain.name],
    () => run.ask(play, question, by),
    play,
  );
  return uniqueFindings([...held.findings, ...different]);
}

async function playGet(
  run: GraphqlRun,
  base: BaseAnswer,
  plain: FieldSelection,
  play: CasePlay,
): Promise<readonly Finding[]> {
  if (run.servesGet === false) return play.skip("The target does not serve GET");
  const question = writeQuestion([plain]);
  const held = await run.ask(play, question, "GET");
  if (run.servesGet === undefined) run.servesGet = held.data !== undefined;
  // GET is left to servers (GraphQL over HTTP, section Request).
  if (held.data === undefined && !run.servesGet) return play.skip("The target does not serve GET");
  const refused = refusedFindings(base, graphqlRules.get, held, play);
  if (refused !== undefined) return refused;
  const different = await stillDifferent(
    run,
    base,
    graphqlRules.get,
    plain,
    held.data?.[plain.name],
    () => run.ask(play, question, "GET"),
    play,
  );
  return uniqueFindings([...held.findings, ...different]);
}

/**
 * Differences to what is known, and to what is served now where that is another by now: asked for again between two plain requests, so
 * that what moves from one to the other is told from what the way of asking changes.
 */
async function stillDifferent(
  run: GraphqlRun,
  base: BaseAnswer,
  rule: Rule,
  plain: FieldSelection,
  actual: unknown,
  askAgain: () => Promise<HeldAnswer>,
  play: CasePlay,
): Promise<readonly Finding[]> {
  if (sameFindings(run, base, rule, base.value, actual).length === 0) return [];
  const before = await run.ask(play, writeQuestion([plain]));
  const expected = before.data?.[plain.name];
  if (sameFindings(run, base, rule, expected, actual).length === 0) return [];
  const again = await askAgain();
  const after = await run.ask(play, writeQuestion([plain]));
  const moved = differences(undefined, expected, after.data?.[plain.name], {});
  for (const { name } of moved) run.movingOf(base.operation).add(name);
  return sameFindings(run, base, rule, expected, again.data?.[plain.name]);
}

/** What is to be said where another way of asking is refused; undefined where it is answered. */
function refusedFindings(
  { field }: BaseAnswer,
  rule: Rule,
  { response, data, findings }: HeldAnswer,
  play: CasePlay,
): readonly Finding[] | undefined {
  if (data !== undefined && response.errors.length === 0) return undefined;
  const kind = refusalOf(response);
  if (kind === "denied" || kind === "size")
    return play.skip("The target says that this is too much, or not for everybody");
  if (data !== undefined && findings.some((finding) => finding.rule.level === "MUST")) return findings;
  // Fields below that fail now and then say nothing of the way.
  const isBelow = response.errors.every(({ path }) => (path?.length ?? 0) > 1);
  if (data !== undefined && isBelow) return play.skip("A part of the answer failed");
  const message = `${field.name} is refused when it is asked for in another way`;
  const detail = response.errors[0]?.message ?? `status ${response.answer.status}`;
  return [
    ...findings,
    { rule: refusalRule(rule, kind, response), message, detail, ...withPlace(placeOf(field.astNode)) },
  ];
}

/** Null is a value of a nullable argument: what validation refuses, or fails without a reason, does not take it. */
function refusalRule(rule: Rule, kind: RefusalKind, { hasData }: HeldAnswer["response"]): Rule {
  if (rule !== graphqlRules.nullArgument) return rule;
  if (kind === "unknown") return graphqlRules.resolved;
  return hasData || kind === "missing" ? rule : graphqlRules.answered;
}

/** Differences of members that two answers share, but for those that change by themselves. */
function sameFindings(
  run: GraphqlRun,
  base: BaseAnswer,
  rule: Rule,
  expected: unknown,
  actual: unknown,
): readonly Finding[] {
  const moving = run.moving.get(base.operation);
  if (moving?.has("") === true && expected === base.value) return [];
  if (expected === undefined) return [];
  // Whether members are there is for the walk over the answer: here only what both have is compared.
  const found = differences(undefined, expected, actual, {});
  // Where a list stands in another order each time, what is at one place of it is another object.
  const strangers = found
    .filter(({ name }) => isLastingKeyName(name) && moving?.has(name) === true)
    .map(({ pointer }) => pointer.slice(0, pointer.lastIndexOf("/") + 1));
  return found
    .filter(({ name, kind }) => kind !== "missing" && moving?.has(name) !== true)
    .filter(({ pointer }) => !strangers.some((stranger) => pointer.startsWith(stranger)))
    .slice(0, 3)
    .map(({ steady, pointer, message, detail }) => ({
      rule,
      message: `${base.field.name}${steady} ${message}`,
      detail: `${pointer} ${detail}`,
      pointer: `/${base.field.name}${steady}`,
      ...withPlace(placeOf(base.field.astNode)),
    }));
}
