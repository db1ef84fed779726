import { doTypesOverlap, getNamedType, isCompositeType, isObjectType, parse, validate } from "graphql";
import { type PlannedCase, protocolCase } from "../../../contract/planned-case.ts";
import type { Rule } from "../../../contract/rule.ts";
import { postOf } from "../contract/graphql-request.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import type { GraphqlRun } from "../run/graphql-run.ts";
import { placeOf } from "../contract/place-of.ts";
import { noSuchName, playRefused, type RefusedRequest } from "../response-rules/refused-request.ts";
import { member, type Selection, typename, writeRequest } from "../selection/selection.ts";

interface InvalidRequest extends RefusedRequest {
  readonly name: string;
}

type Mistake = readonly [name: string, query: string, because: string, operationName?: string];

const syntaxMistakes: readonly Mistake[] = [
  ["unclosed-selection", "{\n  __typename\n", "a selection is not closed"],
  ["empty-document", "", "the document is empty"],
  ["comment-alone", "# nothing but a comment\n", "the document has no definition"],
  ["unclosed-string", '{ __type(name: "unclosed) { name } }', "a string is not closed"],
];

const several = "query one { __typename } query two { __typename }";
const nameMistakes: readonly Mistake[] = [
  ["unknown-operation-name", several, "operationName names none of the operations", noSuchName],
  ["missing-operation-name", several, "operationName does not choose among the operations"],
];

/** Returns documents that validation refuses in any schema with this name of the query type. */
function documentMistakes(root: string): readonly Mistake[] {
  const cycle = `fragment one on ${root} { ...two } fragment two on ${root} { ...one }`;
  const twice = "query ($given: Boolean!, $given: Boolean!) { __typename @include(if: $given) }";
  const ofNumber = "query ($given: Int! = 5) { __type(name: $given) { name } }";
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
    ["literal-of-another-type", "{ __type(name: 5) { name } }", "a literal is of another type"],
    ["variable-of-another-type", ofNumber, "a variable is of another type than the argument"],
    ["definition-in-document", `{ __typename } type ${noSuchName} { field: Int }`, "a document defines a type"],
  ];
}

/** Plans mistakes that are independent of the schema, and those in parts of documents outside of any field. */
export function planDocumentMistakes(run: GraphqlRun): readonly PlannedCase[] {
  const mistakes: readonly (readonly [Rule, readonly Mistake[]])[] = [
    [graphqlRules.syntax, syntaxMistakes],
    // Recent drafts of the grammar allow an empty selection, and so do parsers that follow them.
    [graphqlRules.emptySelection, [["empty-selection", "{ }", "a selection is empty"]]],
    [graphqlRules.invalidDocument, documentMistakes(run.queryType)],
    [graphqlRules.unknownOperation, nameMistakes],
  ];
  const requests = mistakes.flatMap(([rule, some]) =>
    some.map(([name, query, because, operationName]): InvalidRequest => {
      const request = { query, ...(operationName === undefined ? {} : { operationName }) };
      return { name, request, rule, because };
    }),
  );
  // Only requests that graphql-js refuses as well.
  const isWrong = ({ rule, request }: InvalidRequest): boolean =>
    rule !== graphqlRules.invalidDocument || validate(run.schema, parse(request.query)).length > 0;
  return [...mistakesOfSchema(run), ...requests].filter(isWrong).map((wrong) =>
    protocolCase({
      group: "negative",
      name: wrong.name,
      rule: wrong.rule,
      expected: `errors and no data, because ${wrong.because}`,
      preview: [postOf(wrong.request)],
      play: async (play) => (await playRefused(wrong, play)).findings,
    }),
  );
}

/** Returns mistakes in the selection of one field with leaves: validation concerns the document, so any field will do. */
function mistakesOfSchema(run: GraphqlRun): readonly InvalidRequest[] {
  for (const { field, selection } of run.bases.values()) {
    const type = getNamedType(field.type);
    const [one, other] = selection.selections.filter((each) => each.kind === "field" && each.selections.length === 0);
    if (!isCompositeType(type) || one?.kind !== "field" || other?.kind !== "field") continue;
    const selecting = (name: string, because: string, selections: readonly Selection[]): InvalidRequest => ({
      name,
      request: writeRequest([{ ...selection, selections }]),
      rule: graphqlRules.invalidDocument,
      because,
      place: placeOf(field.astNode),
    });
    const types = Object.values(run.schema.getTypeMap()).filter(isObjectType);
    const foreign = types.find((each) => !each.name.startsWith("__") && !doTypesOverlap(run.schema, type, each));
    const fragment = { kind: "fragment", type: foreign?.name ?? noSuchName, selections: [typename] } as const;
    const unknown = member(noSuchName);
    const conflicting = [one, other].map((each) => ({ ...each, alias: "same" }));
    return [
      selecting("unknown-field", "a field is unknown", [one, unknown]),
      selecting("no-selection", "no fields of an object are selected", []),
      selecting("selection-on-leaf", "fields of a leaf are selected", [{ ...one, selections: [unknown] }]),
      selecting("conflicting-fields", "two fields have one alias", conflicting),
      selecting("impossible-fragment", "a fragment is on a type that the field never has", [one, fragment]),
    ];
  }
  return [];
}
