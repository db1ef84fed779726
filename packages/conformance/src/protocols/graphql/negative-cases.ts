import {
  doTypesOverlap,
  GraphQLBoolean,
  GraphQLInt,
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  parse,
  validate,
} from "graphql";
import { inTurns } from "../../basics/in-turns.ts";
import { showValue } from "../../compare/show-value.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { postOf } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import { readResponse } from "./read-response.ts";
import { refusalOf } from "./refusal.ts";
import { type RefusedRequest, refusalFindings } from "./refused-request.ts";
import { type FieldSelection, type GivenArgument, type Selection, typename, writeQuestion } from "./selection.ts";
import { smallSelection } from "./small-selection.ts";

/** A name that no schema has. */
const noSuchName = "nodewrightNoSuchName";

interface WrongQuestion extends RefusedRequest {
  readonly name: string;
}

type Mistake = readonly [name: string, query: string, because: string];

const syntaxMistakes: readonly Mistake[] = [
  ["unclosed-selection", "{\n  __typename\n", "a selection is not closed"],
  ["empty-document", "", "the document is empty"],
  ["comment-alone", "# nothing but a comment\n", "the document has no definition"],
  ["unclosed-string", '{ __type(name: "unclosed) { name } }', "a string is not closed"],
];

/** What validation refuses in any schema whose query type has the name. */
function documentMistakes(root: string): readonly Mistake[] {
  const cycle = `fragment one on ${root} { ...two } fragment two on ${root} { ...one }`;
  const twice = "query ($given: Boolean!, $given: Boolean!) { __typename @include(if: $given) }";
  return [
    ["unknown-fragment-type", `{ ... on ${noSuchName} { __typename } }`, "a fragment is on an unknown type"],
    ["unknown-fragment", `{ ...${noSuchName} }`, "a fragment is not defined"],
    ["unused-fragment", `{ __typename } fragment unused on ${root} { __typename }`, "a fragment is not used"],
    ["fragment-cycle", `{ ...one } ${cycle}`, "fragments spread each other"],
    ["unknown-directive", `{ __typename @${noSuchName} }`, "a directive is unknown"],
    ["directive-without-argument", "{ __typename @include }", "a directive's argument is missing"],
    ["misplaced-directive", "query @include(if: true) { __typename }", "a directive is where it can't be"],
    ["same-operation-names", "query a { __typename } query a { __typename }", "two operations have one name"],
    ["anonymous-beside-named", "{ __typename } query a { __typename }", "an operation without a name is not alone"],
    ["undefined-variable", `{ __typename @include(if: $${noSuchName}) }`, "a variable is not defined"],
    ["unused-variable", `query ($${noSuchName}: Int) { __typename }`, "a variable is not used"],
    ["unknown-variable-type", `query ($a: ${noSuchName}) { __typename @include(if: $a) }`, "a type is unknown"],
    ["same-variables", twice, "two variables have one name"],
    ["definition-in-document", `{ __typename } type ${noSuchName} { field: Int }`, "a document defines a type"],
  ];
}

/** What is wrong in each way, for one field of the query type. */
export function planNegatives(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const plain: FieldSelection = { ...base.selection, selections: smallSelection(run, base) };
  const ofArguments = base.field.args.map((argument) => wrongArguments(base, plain, argument));
  return casesOf(run, base.operation, [...wrongSelections(base, plain), ...inTurns(ofArguments)]);
}

/** Mistakes that no schema has to do with, and those in parts of documents that belong to no field. */
export function planDocumentMistakes(run: GraphqlRun): readonly PlannedCase[] {
  const ofRule = (rule: Rule, mistakes: readonly Mistake[], operationName?: string): readonly WrongQuestion[] =>
    mistakes.map(([name, query, because]) => ({
      name,
      question: { query, ...(operationName === undefined ? {} : { operationName }) },
      rule,
      because,
    }));
  const { syntax, emptySelection, invalidDocument } = graphqlRules;
  const several = "query one { __typename } query two { __typename }";
  return casesOf(run, "(protocol)", [
    ...ofRule(syntax, syntaxMistakes),
    // Grammars of today allow it, and parsers that follow them take it.
    ...ofRule(emptySelection, [["empty-selection", "{ }", "a selection is empty"]]),
    ...ofRule(invalidDocument, documentMistakes(run.schema.getQueryType()?.name ?? "Query")),
    ...ofRule(
      graphqlRules.unknownOperation,
      [["unknown-operation-name", several, "operationName names none of the operations"]],
      noSuchName,
    ),
    ...ofRule(graphqlRules.unknownOperation, [
      ["missing-operation-name", several, "operationName does not choose among the operations"],
    ]),
    ...mistakesOfSchema(run),
  ]);
}

/** The cases of what graphql-js refuses as well, looked at as it is sent. */
function casesOf(run: GraphqlRun, operation: string, all: readonly WrongQuestion[]): readonly PlannedCase[] {
  const isWrong = ({ rule, question }: WrongQuestion): boolean =>
    rule !== graphqlRules.invalidDocument || validate(run.schema, parse(question.query)).length > 0;
  return all.filter(isWrong).map((wrong) =>
    graphqlCase({
      operation,
      group: "negative",
      name: wrong.name,
      rule: wrong.rule,
      expected: `errors and no data, because ${wrong.because}`,
      isLive: false,
      question: wrong.question,
      play: async (play) => {
        const response = readResponse(await play.send(postOf(wrong.question)), wrong.question.query);
        const isDenied = refusalOf(response) === "denied" && response.answer.status !== 200;
        return isDenied ? play.skip("The target says that this may not be asked") : refusalFindings(wrong, response);
      },
    }),
  );
}

function wrong(name: string, selection: FieldSelection, because: string, place?: string): WrongQuestion {
  return { name, question: writeQuestion([selection]), rule: graphqlRules.invalidDocument, because, place };
}

/** Mistakes for which two parts of a selection have to be compared (specification, sections 5.3.2 and 5.5.2.3), in one field with leaves. */
function mistakesOfSchema(run: GraphqlRun): readonly WrongQuestion[] {
  for (const { field, selection } of run.bases.values()) {
    const type = getNamedType(field.type);
    const [one, other] = selection.selections.filter((each) => each.kind === "field" && each.selections.length === 0);
    if (!isCompositeType(type) || one?.kind !== "field" || other?.kind !== "field") continue;
    const selecting = (name: string, because: string, selections: readonly Selection[]): WrongQuestion =>
      wrong(name, { ...selection, selections }, because);
    const types = Object.values(run.schema.getTypeMap()).filter(isObjectType);
    const stranger = types.find((each) => !each.name.startsWith("__") && !doTypesOverlap(run.schema, type, each));
    const fragment = { kind: "fragment", type: stranger?.name ?? noSuchName, selections: [typename] } as const;
    return [
      selecting("conflicting-fields", "two fields have one alias", [
        { ...one, alias: "same" },
        { ...other, alias: "same" },
      ]),
      selecting("impossible-fragment", "a fragment is on a type that the field never has", [one, fragment]),
    ];
  }
  return [];
}

function wrongSelections({ field }: BaseAnswer, plain: FieldSelection): readonly WrongQuestion[] {
  const place = placeOf(field.astNode);
  const unknown: FieldSelection = { kind: "field", name: noSuchName, selections: [] };
  const ofLeaf = "fields of a leaf are selected";
  const [inner] = plain.selections;
  if (inner === undefined) return [wrong("selection-on-leaf", { ...plain, selections: [unknown] }, ofLeaf, place)];
  const below: FieldSelection = { ...plain, selections: [{ ...inner, selections: [unknown] }] };
  return [
    wrong("unknown-field", { ...plain, selections: [...plain.selections, unknown] }, "a field is unknown", place),
    wrong("no-selection", { ...plain, selections: [] }, "no fields of an object are selected", place),
    wrong("selection-on-leaf", below, ofLeaf, place),
  ];
}

/** What is wrong with an argument in the document itself: a literal, and the type of a variable. */
function wrongArguments(
  { field, selection }: BaseAnswer,
  plain: FieldSelection,
  { name, type, astNode }: BaseAnswer["field"]["args"][number],
): readonly WrongQuestion[] {
  const place = placeOf(astNode);
  const named = getNamedType(type);
  const others = (selection.arguments ?? []).filter((one) => one.name !== name);
  const giving = (given: GivenArgument): FieldSelection => ({ ...plain, arguments: [...others, given] });
  const value = isEnumType(named) ? noSuchName : isInputObjectType(named) ? "text" : wrongLiterals[named.name];
  const values = isEnumType(named)
    ? ` (${named
        .getValues()
        .map((one) => one.name)
        .join(", ")})`
    : "";
  const accepted = `${showValue(value)} was accepted; the schema allows only ${String(type)}${values}`;
  const literal = giving({ name, type, value, isLiteral: true });
  const other = new GraphQLNonNull(named.name === "Boolean" ? GraphQLInt : GraphQLBoolean);
  const variable = giving({ name, type: other, value: named.name === "Boolean" ? 1 : true });
  const isOf = `a variable of the type ${String(other)} is given for ${name}`;
  return [
    ...(value === undefined
      ? []
      : [
          {
            ...wrong(`${kebab(name)}-literal`, literal, `${field.name}'s argument ${name} is of another type`, place),
            accepted,
          },
        ]),
    ...(isListType(getNullableType(type))
      ? []
      : [wrong(`${kebab(name)}-variable-of-another-type`, variable, isOf, place)]),
  ];
}

/** Literals that no coercion takes for the scalars (specification, section 3.5). */
const wrongLiterals: Readonly<Record<string, unknown>> = {
  Int: "text",
  Float: "text",
  Boolean: "text",
  String: 5,
  ID: true,
};
