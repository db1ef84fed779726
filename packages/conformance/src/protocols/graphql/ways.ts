import {
  type GraphQLArgument,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
} from "graphql";
import type { Rule } from "../../contract/rule.ts";
import type { GraphqlQuestion } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import {
  type DeclaredVariable,
  type FieldSelection,
  type GivenArgument,
  type Selection,
  typename,
  writeQuestion,
} from "./selection.ts";

/** Another way of requesting a field: within the request that has the plain way too (`others`), or by a request of its own (`question`). */
export interface Way {
  /** kebab-case, part of the case's id. */
  readonly name: string;
  readonly rule: Rule;
  readonly expected: string;
  readonly others?: readonly FieldSelection[];
  readonly declares?: readonly DeclaredVariable[];
  readonly question?: GraphqlQuestion;
  readonly by?: "GET";
}

/** Ways of requesting the same field, those that servers get wrong sooner first. */
export function waysOf(run: GraphqlRun, { field }: BaseAnswer, plain: FieldSelection): readonly Way[] {
  const { selections, arguments: given = [] } = plain;
  const type = getNamedType(field.type);
  const half = Math.ceil(selections.length / 2);
  const [first, second] = [selections.slice(0, half), selections.slice(half)];
  const under = (alias: string, change: Partial<FieldSelection>): FieldSelection => ({ ...plain, alias, ...change });
  const ways: Way[] = [];
  const add = (name: string, rule: Rule, expected: string, ...others: readonly FieldSelection[]): void => {
    ways.push({ name, rule, expected, others });
  };
  add("alias", graphqlRules.alias, "the same under an alias", under("otherName", {}));
  const literal = given.map((one) => ({ ...one, isLiteral: true }));
  if (given.length > 0)
    add(
      "literals",
      graphqlRules.variable,
      "the same for literals and variables",
      under("byLiterals", { arguments: literal }),
    );
  const nulls = field.args
    .filter((one) => !isGiven(one, given) && !isNonNullType(one.type) && one.defaultValue === undefined)
    .map((one) => ({ name: one.name, type: one.type, value: null }));
  if (nulls.length > 0) {
    const expected = "the same where arguments are null as where they are left out";
    add("null-arguments", graphqlRules.nullArgument, expected, under("byNull", { arguments: [...given, ...nulls] }));
  }
  const single = given.find((one) => onlyElementOf(one) !== undefined);
  if (single !== undefined) {
    const value = { ...single, value: onlyElementOf(single), isLiteral: true };
    const coerced = given.map((one) => (one === single ? value : one));
    add(
      "single-for-list",
      graphqlRules.coercion,
      "the same for a value and for a list of it",
      under("bySingle", { arguments: coerced }),
    );
  }
  if (selections.length > 0) {
    const inline: Selection[] = [{ kind: "fragment", type: type.name, selections: first }];
    if (second.length > 0) inline.push({ kind: "fragment", selections: second });
    const byName = under("byName", { selections: [{ kind: "fragment", name: "Whole", type: type.name, selections }] });
    add(
      "fragments",
      graphqlRules.fragment,
      "the same through fragments",
      byName,
      under("inline", { selections: inline }),
    );
  }
  ways.push(directives(plain), ...waysByThemselves(plain));
  if (selections.length > 0 && isAbstractType(type)) {
    // Each possible type by itself, its type condition being all that selects.
    const possible = run.schema.getPossibleTypes(type).slice(0, 4);
    const arms = possible.map(({ name }): Selection => {
      const own: FieldSelection = { ...typename, alias: `is${name}` };
      return { kind: "fragment", type: name, selections: [own] };
    });
    const byType = under("byType", { selections: [typename, ...arms] });
    add("type-conditions", graphqlRules.fragment, "what stands under a type only for objects of it", byType);
  }
  if (selections.length > 0) {
    const reversed = under("reversed", { selections: selections.toReversed() });
    const expected = "the same values in another order of fields";
    add("another-order", graphqlRules.fieldOrder, expected, reversed, under("some", { selections: first }));
  }
  if (second.length > 0) {
    const twice = [first, [...second, ...first.slice(0, 1)]].map((some) => under("twice", { selections: some }));
    add("merged", graphqlRules.merged, "one value for a field that is selected twice", ...twice);
  }
  return ways;
}

/** Ways that need a request of their own. */
function waysByThemselves(plain: FieldSelection): readonly Way[] {
  const chosen = writeQuestion([plain], { name: "Chosen" });
  const several = `query Before { before: __typename }\n${chosen.query}\nquery After { after: __typename }`;
  const hasArguments = (plain.arguments ?? []).length > 0;
  const ofDefaults: Way = {
    name: "variable-defaults",
    rule: graphqlRules.variableDefault,
    expected: "the same where the variables' values are their defaults",
    question: writeQuestion([plain], { byDefaults: true }),
  };
  return [
    {
      name: "operation-name",
      rule: graphqlRules.operationName,
      expected: "the operation that operationName names",
      question: { ...chosen, query: several, operationName: "Chosen" },
    },
    ...(hasArguments ? [ofDefaults] : []),
    {
      name: "get",
      rule: graphqlRules.get,
      expected: "the same by GET, where the target serves GET",
      question: writeQuestion([plain]),
      by: "GET",
    },
  ];
}

/** Half of the fields stay, by each form of the two directives; the walk over the response sees whether the others are gone. */
function directives(plain: FieldSelection): Way {
  const staying = ["@include(if: true)", "@include(if: $yes)", "@skip(if: false)", "@skip(if: $no)"];
  const going = [
    ...["@include(if: false)", "@include(if: $no)", "@skip(if: true)", "@skip(if: $yes)"],
    "@include(if: true) @skip(if: true)",
  ];
  const decided = plain.selections.map((selection, index): Selection => {
    const forms = index % 2 === 0 ? staying : going;
    return { ...selection, directives: forms[(index >> 1) % forms.length] ?? "" };
  });
  const whole = decided.length > 0 ? [{ ...plain, alias: "decided", selections: [typename, ...decided] }] : [];
  const gone = going.map((form, index) => ({ ...plain, alias: `gone${index}`, directives: form }));
  const there = staying.slice(0, 2).map((form, index) => ({ ...plain, alias: `there${index}`, directives: form }));
  return {
    name: "include-and-skip",
    rule: graphqlRules.directive,
    expected: "the fields that the directives leave, and no others",
    others: [...whole, ...gone, ...there],
    declares: [
      { name: "yes", type: "Boolean!", value: true },
      { name: "no", type: "Boolean!", value: false },
    ],
  };
}

function isGiven({ name }: GraphQLArgument, given: readonly GivenArgument[]): boolean {
  return given.some((one) => one.name === name);
}

/** The only element of a list that is given. */
function onlyElementOf({ type, value }: GivenArgument): unknown {
  if (!isListType(getNullableType(type))) return undefined;
  if (!Array.isArray(value) || value.length !== 1 || Array.isArray(value[0])) return undefined;
  return value[0] ?? undefined;
}
