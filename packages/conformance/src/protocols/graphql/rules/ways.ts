import {
  GraphQLBoolean,
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  getOperationAST,
  isAbstractType,
  isListType,
  isNullableType,
  Kind,
  parse,
} from "graphql";
import type { Rule } from "../../../contract/rule.ts";
import type { GraphqlRequest } from "../contract/graphql-request.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import type { BaseResult, GraphqlRun } from "../run/graphql-run.ts";
import {
  type FieldSelection,
  type GivenArgument,
  RequestWriter,
  writeBlock,
  writeList,
  writeLiteral,
} from "../selection/selection.ts";

/** Another way of requesting a field. */
export interface Way {
  /** Name in kebab-case, part of the case id. */
  readonly name: string;
  readonly rule: Rule;
  readonly expected: string;
  readonly request: GraphqlRequest;
  /** Keys of the field next to the plain way; none in a request of its own. */
  readonly keys: readonly string[];
}

/** Ways to request the same data, with the required result. Those with which servers fail more often come first. */
const table = [
  ["alias", graphqlRules.alias, "the same under an alias"],
  ["literals", graphqlRules.variable, "the same for literals and variables"],
  ["null-arguments", graphqlRules.nullArgument, "the same result for null arguments as for omitted ones"],
  ["single-for-list", graphqlRules.coercion, "the same for a value and for a list of it"],
  ["fragments", graphqlRules.fragment, "the same through fragments"],
  ["include-and-skip", graphqlRules.directive, "the fields that the directives leave, and no others"],
  ["operation-name", graphqlRules.operationName, "the operation that operationName names"],
  ["variable-defaults", graphqlRules.variableDefault, "the same where the variables' values are their defaults"],
  ["get", graphqlRules.get, "the same by GET, where the target serves GET"],
  ["type-conditions", graphqlRules.fragment, "what stands under a type only for objects of it"],
  ["another-order", graphqlRules.fieldOrder, "the same values in another order of fields"],
  ["merged", graphqlRules.merged, "one value for a field that is selected twice"],
] as const;

/** Requests by way; `undefined` where a field does not have this way. */
type Requests = Readonly<Record<(typeof table)[number][0], GraphqlRequest | undefined>>;

/** Returns the ways of requesting the same field. */
export function waysOf(run: GraphqlRun, base: BaseResult, plain: FieldSelection): readonly Way[] {
  const requests = requestsOf(run, base, plain);
  return table.flatMap(([name, rule, expected]): readonly Way[] => {
    const request = requests[name];
    return request === undefined ? [] : [{ name, rule, expected, request, keys: furtherKeys(request) }];
  });
}

function furtherKeys({ query, operationName }: GraphqlRequest): readonly string[] {
  const selections = getOperationAST(parse(query), operationName)?.selectionSet.selections ?? [];
  return selections.slice(1).flatMap((one) => (one.kind === Kind.FIELD ? (one.alias?.value ?? []) : []));
}

/** Returns the directives that keep a selection, and those that remove it. */
function directives(writer: RequestWriter): readonly [staying: readonly string[], going: readonly string[]] {
  const type = new GraphQLNonNull(GraphQLBoolean);
  const yes = writer.variable({ name: "yes", type, value: true });
  const no = writer.variable({ name: "no", type, value: false });
  return [
    ["@include(if: true)", `@include(if: ${yes})`, "@skip(if: false)", `@skip(if: ${no})`],
    [
      ...["@include(if: false)", `@include(if: ${no})`, "@skip(if: true)", `@skip(if: ${yes})`],
      "@include(if: true) @skip(if: true)",
    ],
  ];
}

/** Returns the requests; where they have several fields, the first is the plain way. */
function requestsOf({ schema }: GraphqlRun, { field }: BaseResult, selection: FieldSelection): Requests {
  const { name, arguments: given = [], selections } = selection;
  const type = getNamedType(field.type);
  const writer = new RequestWriter();
  const own = writer.arguments(given);
  const all = selections.map((one) => writer.selection(one));
  const isLeaf = all.length === 0;
  const half = Math.ceil(all.length / 2);
  const [first, second] = [all.slice(0, half), all.slice(half)];
  const plain = writer.selection(selection);
  const alone = writeBlock([plain]);
  const under = (alias: string, inner = all, args = own, directive = ""): string =>
    `${alias}: ${name}${writeList(args)} ${directive} ${writeBlock(inner)}`;
  const next = (...texts: readonly string[]): string => writer.operation(writeBlock([plain, ...texts]));
  const requested = (isPossible: boolean, ...texts: readonly string[]): GraphqlRequest | undefined =>
    isPossible ? writer.request(texts.join(" ")) : undefined;
  const nulls = field.args
    .filter(
      (one) =>
        isNullableType(one.type) &&
        one.defaultValue === undefined &&
        !given.some(({ name: other }) => other === one.name),
    )
    .map((one) => ({ name: one.name, type: one.type, value: null }));
  const singles = given.map((one) => ({ ...one, value: onlyElementOf(one) ?? one.value }));
  const inline = [
    `... on ${type.name} ${writeBlock(first)}`,
    ...(second.length > 0 ? [`... ${writeBlock(second)}`] : []),
  ];
  const possible = isAbstractType(type) ? schema.getPossibleTypes(type).slice(0, 4) : [];
  const byType = possible.map((one) => `... on ${one.name} { is${one.name}: __typename }`);
  const [staying, going] = directives(writer);
  // Half of the fields stay; the walk over the response checks that the others are absent.
  const decided = selections.map((one, index) => {
    const forms = index % 2 === 0 ? staying : going;
    return writer.selection(one, forms[(index >> 1) % forms.length]);
  });
  return {
    alias: requested(true, next(under("otherName"))),
    literals: requested(given.length > 0, next(under("byLiterals", all, given.map(writeGiven)))),
    "null-arguments": requested(nulls.length > 0, next(under("byNull", all, [...own, ...writer.arguments(nulls)]))),
    "single-for-list": requested(
      given.some((one) => onlyElementOf(one) !== undefined),
      next(under("bySingle", all, singles.map(writeGiven))),
    ),
    fragments: requested(
      !isLeaf,
      next(under("byName", ["...Complete"]), under("inline", inline)),
      `fragment Complete on ${type.name} ${writeBlock(all)}`,
    ),
    "include-and-skip": requested(
      true,
      next(
        ...(isLeaf ? [] : [under("decided", ["__typename", ...decided])]),
        ...going.map((form, index) => under(`gone${index}`, all, own, form)),
        ...staying.slice(0, 2).map((form, index) => under(`there${index}`, all, own, form)),
      ),
    ),
    "operation-name": {
      ...writer.request(
        `query Before { before: __typename } ${writer.operation(alone, { name: "Chosen" })} query After { after: __typename }`,
      ),
      operationName: "Chosen",
    },
    "variable-defaults":
      given.length > 0 ? { query: writer.request(writer.operation(alone, { byDefaults: true })).query } : undefined,
    get: writer.request(writer.operation(alone)),
    // Each possible type in a fragment of its own, selected by nothing except its type condition.
    "type-conditions": requested(possible.length > 0, next(under("byType", ["__typename", ...byType]))),
    "another-order": requested(!isLeaf, next(under("reversed", all.toReversed()), under("some", first))),
    merged: requested(
      second.length > 0,
      next(under("twice", first), under("twice", [...second, ...first.slice(0, 1)])),
    ),
  };
}

/** Serializes an argument with a literal value. */
function writeGiven({ name, type, value }: GivenArgument): string {
  return `${name}: ${writeLiteral(type, value)}`;
}

/** Returns the only element of a list value. */
function onlyElementOf({ type, value }: GivenArgument): unknown {
  if (!isListType(getNullableType(type))) return undefined;
  if (!Array.isArray(value) || value.length !== 1 || Array.isArray(value[0])) return undefined;
  return value[0] ?? undefined;
}
