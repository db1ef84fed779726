import {
  type GraphQLArgument,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
} from "graphql";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { rootSite } from "./field-site.ts";
import { graphqlCase } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { planDefaults, planSteady } from "./property-cases.ts";
import { playWay, type Way } from "./play-way.ts";
import {
  type DeclaredVariable,
  type FieldSelection,
  type Selection,
  trimmed,
  typename,
  writeQuestion,
} from "./selection.ts";

/** The same data requested in other ways: under aliases, through fragments, with directives, literals, defaults and by GET. */
export function planEqualWays(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const plain: FieldSelection = { ...base.selection, selections: trimmed(base.selection.selections) };
  const caseOf = (way: Way): PlannedCase =>
    graphqlCase({
      operation: base.operation,
      group: "relation",
      name: way.name,
      rule: way.rule,
      expected: way.expected,
      requests: way.question === undefined ? 1 : 2,
      play: (play) => playWay({ run, base, plain, way, play }),
    });
  const [selectionWay, ...selectionWays] = plain.selections.length > 0 ? waysOfSelections(run, base, plain) : [];
  const ofArguments = (plain.arguments ?? []).length > 0;
  return [
    ...planSteady(run, base),
    caseOf(beside("alias", graphqlRules.alias, "the same under an alias", [{ ...plain, alias: "otherName" }])),
    ...(ofArguments ? [caseOf(literals(plain))] : []),
    ...planDefaults(run, rootSite(run, base)),
    ...[
      ...waysOfArguments(base, plain),
      ...(selectionWay === undefined ? [] : [selectionWay]),
      directives(plain),
      operationName(plain),
      ...(ofArguments ? [variableDefaults(plain)] : []),
      byGet(plain),
      ...selectionWays,
    ].map(caseOf),
  ];
}

/** Another way within the request that has the plain one, so that nothing changes in between. */
function beside(
  name: string,
  rule: Way["rule"],
  expected: string,
  others: readonly FieldSelection[],
  declares: readonly DeclaredVariable[] = [],
): Way {
  return { name, rule, expected, others, declares };
}

function literals(plain: FieldSelection): Way {
  const literal = (plain.arguments ?? []).map((one) => ({ ...one, isLiteral: true }));
  return beside("literals", graphqlRules.variable, "the same for literals and for variables", [
    { ...plain, alias: "byLiterals", arguments: literal },
  ]);
}

function waysOfSelections(run: GraphqlRun, { field }: BaseAnswer, plain: FieldSelection): readonly Way[] {
  const type = getNamedType(field.type);
  const { selections } = plain;
  const half = Math.ceil(selections.length / 2);
  const [first, second] = [selections.slice(0, half), selections.slice(half)];
  const inline: Selection[] = [{ kind: "fragment", type: type.name, selections: first }];
  if (second.length > 0) inline.push({ kind: "fragment", selections: second });
  const ways = [
    beside("fragments", graphqlRules.fragment, "the same through named and inline fragments", [
      { ...plain, alias: "byName", selections: [{ kind: "fragment", name: "Whole", type: type.name, selections }] },
      { ...plain, alias: "inline", selections: inline },
    ]),
  ];
  if (isCompositeType(type) && isAbstractType(type)) {
    // Each possible type by itself, its type condition being all that selects. Servers get a type wrong sooner than an order.
    const arms = run.schema
      .getPossibleTypes(type)
      .slice(0, 4)
      .map(
        (one): Selection => ({
          kind: "fragment",
          type: one.name,
          selections: [{ kind: "field", name: "__typename", alias: `is${one.name}`, selections: [] }],
        }),
      );
    ways.push(
      beside("type-conditions", graphqlRules.fragment, "what stands under a type only for objects of it", [
        { ...plain, alias: "byType", selections: [typename, ...arms] },
      ]),
    );
  }
  ways.push(
    beside("another-order", graphqlRules.fieldOrder, "the same values in another order of fields", [
      { ...plain, alias: "reversed", selections: selections.toReversed() },
      { ...plain, alias: "some", selections: first },
    ]),
  );
  if (second.length > 0) {
    ways.push(
      beside("merged", graphqlRules.merged, "one value for a field that is selected twice", [
        { ...plain, alias: "twice", selections: first },
        { ...plain, alias: "twice", selections: [...second, ...first.slice(0, 1)] },
      ]),
    );
  }
  return ways;
}

const switches: readonly DeclaredVariable[] = [
  { name: "yes", type: "Boolean!", value: true },
  { name: "no", type: "Boolean!", value: false },
];

/** Half of the fields stay, by each form of the two directives; the walk over the response sees whether the others are gone. */
function directives(plain: FieldSelection): Way {
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
  const gone = going.map((form, index) => ({ ...plain, alias: `gone${index}`, directives: form }));
  const there = staying.slice(0, 2).map((form, index) => ({ ...plain, alias: `there${index}`, directives: form }));
  const expected = "the fields that the directives leave, and no others";
  return beside("include-and-skip", graphqlRules.directive, expected, [...whole, ...gone, ...there], switches);
}

function operationName(plain: FieldSelection): Way {
  const chosen = writeQuestion([plain], { name: "Chosen" });
  const query = `query Before { before: __typename }\n${chosen.query}\nquery After { after: __typename }`;
  return {
    name: "operation-name",
    rule: graphqlRules.operationName,
    expected: "the operation that operationName names",
    question: { ...chosen, query, operationName: "Chosen" },
  };
}

function variableDefaults(plain: FieldSelection): Way {
  return {
    name: "variable-defaults",
    rule: graphqlRules.variableDefault,
    expected: "the same where the variables' values are their defaults",
    question: writeQuestion([plain], { style: "defaults" }),
  };
}

function byGet(plain: FieldSelection): Way {
  return {
    name: "get",
    rule: graphqlRules.get,
    expected: "the same by GET, where the target serves GET",
    question: writeQuestion([plain]),
    by: "GET",
  };
}

function waysOfArguments({ field }: BaseAnswer, plain: FieldSelection): readonly Way[] {
  const given = plain.arguments ?? [];
  const isGiven = (name: string): boolean => given.some((one) => one.name === name);
  const nulls = field.args
    .filter(({ name, type, defaultValue }) => !isGiven(name) && !isNonNullType(type) && defaultValue === undefined)
    .map(({ name, type }) => ({ name, type, value: null }));
  const ofNulls = beside(
    "null-arguments",
    graphqlRules.nullArgument,
    "the same where arguments are null as where they are left out",
    [{ ...plain, alias: "byNull", arguments: [...given, ...nulls] }],
  );
  const single = field.args.find((one) => onlyElementOf(one, given) !== undefined);
  const coerced = given.map((one) =>
    one.name === single?.name ? { ...one, value: onlyElementOf(single, given), isLiteral: true } : one,
  );
  const ofSingle = beside("single-for-list", graphqlRules.coercion, "the same for a value and for a list of it", [
    { ...plain, alias: "bySingle", arguments: coerced },
  ]);
  return [...(nulls.length === 0 ? [] : [ofNulls]), ...(single === undefined ? [] : [ofSingle])];
}

/** The only element of a list that is given. */
function onlyElementOf(argument: GraphQLArgument, given: NonNullable<FieldSelection["arguments"]>): unknown {
  if (!isListType(getNullableType(argument.type))) return undefined;
  const value = given.find(({ name }) => name === argument.name)?.value;
  if (!Array.isArray(value) || value.length !== 1 || Array.isArray(value[0])) return undefined;
  return value[0] ?? undefined;
}
