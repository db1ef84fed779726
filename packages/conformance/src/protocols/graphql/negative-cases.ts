import { propertyRules } from "../../properties/property-rules.ts";
import { inTurns } from "../../basics/in-turns.ts";
import { withPlace } from "../../suite/with-place.ts";
import {
  doTypesOverlap,
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from "graphql";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { showValue } from "../../compare/show-value.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { type GraphqlQuestion, postOf } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import { readResponse } from "./read-response.ts";
import { type RefusedRequest, refusalFindings } from "./refused-request.ts";
import { refusalOf } from "./refusal.ts";
import { smallSelection } from "./small-selection.ts";
import {
  type FieldSelection,
  type GivenArgument,
  type Selection,
  typename,
  writeLiteral,
  writeQuestion,
} from "./selection.ts";

/** A name that no schema has. */
const noSuchName = "nodewrightNoSuchName";

interface WrongQuestion extends RefusedRequest {
  readonly name: string;
}

/** What is wrong in each way, for one field of the query type. */
export function planNegatives(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  return wrongQuestionsOf(run, base)
    .filter((wrong) => isTrulyWrong(run, wrong))
    .map((wrong) => refusalCase(run, base.operation, wrong));
}

/** Mistakes that no schema has to do with, and those in parts of documents that belong to no field. */
export function planDocumentMistakes(run: GraphqlRun): readonly PlannedCase[] {
  const invalid = (name: string, query: string, because: string, operationName?: string): WrongQuestion => ({
    name,
    question: { query, ...(operationName === undefined ? {} : { operationName }) },
    rule: graphqlRules.invalidDocument,
    because,
  });
  const syntax = (name: string, query: string, because: string): WrongQuestion => ({
    ...invalid(name, query, because),
    rule: graphqlRules.syntax,
  });
  const root = run.schema.getQueryType()?.name ?? "Query";
  const wrong: readonly WrongQuestion[] = [
    syntax("unclosed-selection", "{\n  __typename\n", "a selection is not closed"),
    syntax("empty-document", "", "the document is empty"),
    syntax("comment-alone", "# nothing but a comment\n", "the document has no definition"),
    // Grammars of today allow it, and parsers that follow them take it.
    { ...syntax("empty-selection", "{ }", "a selection is empty"), rule: graphqlRules.emptySelection },
    syntax("unclosed-string", '{ __type(name: "unclosed) { name } }', "a string is not closed"),
    invalid("unknown-fragment-type", `{ ... on ${noSuchName} { __typename } }`, "a fragment is on an unknown type"),
    invalid("unknown-fragment", `{ ...${noSuchName} }`, "a fragment is not defined"),
    invalid("unused-fragment", `{ __typename } fragment unused on ${root} { __typename }`, "a fragment is not used"),
    invalid(
      "fragment-cycle",
      `{ ...one } fragment one on ${root} { ...two } fragment two on ${root} { ...one }`,
      "fragments spread each other",
    ),
    invalid("unknown-directive", `{ __typename @${noSuchName} }`, "a directive is unknown"),
    invalid("directive-without-argument", "{ __typename @include }", "a directive's argument is missing"),
    invalid("misplaced-directive", "query @include(if: true) { __typename }", "a directive is where it can't be"),
    invalid(
      "same-operation-names",
      "query twice { __typename } query twice { __typename }",
      "two operations have one name",
    ),
    invalid(
      "anonymous-beside-named",
      "{ __typename } query named { __typename }",
      "an operation without a name is not alone",
    ),
    invalid("undefined-variable", `{ __typename @include(if: $${noSuchName}) }`, "a variable is not defined"),
    invalid("unused-variable", `query ($${noSuchName}: Int) { __typename }`, "a variable is not used"),
    invalid(
      "unknown-variable-type",
      `query ($given: ${noSuchName}) { __typename @include(if: $given) }`,
      "a variable's type is unknown",
    ),
    invalid(
      "same-variables",
      "query ($given: Boolean!, $given: Boolean!) { __typename @include(if: $given) }",
      "two variables have one name",
    ),
    invalid("definition-in-document", `{ __typename } type ${noSuchName} { field: Int }`, "a document defines a type"),
    {
      ...invalid(
        "unknown-operation-name",
        "query one { __typename } query two { __typename }",
        "operationName names none of the operations",
        noSuchName,
      ),
      rule: graphqlRules.unknownOperation,
    },
    {
      ...invalid(
        "missing-operation-name",
        "query one { __typename } query two { __typename }",
        "operationName does not choose among the operations",
      ),
      rule: graphqlRules.unknownOperation,
    },
  ];
  const ofSchema = mistakesOfSchema(run).filter((one) => isTrulyWrong(run, one));
  return [...wrong, ...ofSchema].map((one) => refusalCase(run, "(protocol)", one));
}

function refusalCase(run: GraphqlRun, operation: string, wrong: WrongQuestion): PlannedCase {
  return graphqlCase({
    operation,
    group: "negative",
    name: wrong.name,
    rule: wrong.rule,
    expected: `errors and no data, because ${wrong.because}`,
    isLive: false,
    question: wrong.question,
    play: (play) => playRefusal(run, wrong, play),
  });
}

async function playRefusal(_run: GraphqlRun, wrong: WrongQuestion, play: CasePlay): Promise<readonly Finding[]> {
  const response = readResponse(await play.send(postOf(wrong.question)), wrong.question.query);
  if (refusalOf(response) === "denied" && response.answer.status !== 200) {
    return play.skip("The target says that this may not be asked");
  }
  return refusalFindings(wrong, response);
}

/** Looks at the request as it is sent: only what graphql-js refuses as well is wrong. */
function isTrulyWrong({ schema }: GraphqlRun, { rule, question }: WrongQuestion): boolean {
  if (rule !== graphqlRules.invalidDocument) return true;
  return validate(schema, parse(question.query)).length > 0;
}

function wrongQuestionsOf(run: GraphqlRun, base: BaseAnswer): readonly WrongQuestion[] {
  const { field } = base;
  const plain: FieldSelection = { ...base.selection, selections: smallSelection(run, base) };
  const byArgument = field.args.map((argument) => wrongArguments(base, plain, argument));
  return [...wrongSelections(base, plain), ...inTurns(byArgument)];
}

/** Mistakes for which two parts of a selection have to be compared (specification, sections 5.3.2 and 5.5.2.3), in one field with leaves. */
function mistakesOfSchema(run: GraphqlRun): readonly WrongQuestion[] {
  for (const base of run.bases.values()) {
    const type = getNamedType(base.field.type);
    const { selections } = base.selection;
    const [one, other] = selections.filter((each) => each.kind === "field" && each.selections.length === 0);
    if (!isCompositeType(type) || one?.kind !== "field" || other?.kind !== "field") continue;
    const wrong = (name: string, because: string, added: readonly Selection[]): WrongQuestion => ({
      name,
      question: writeQuestion([{ ...base.selection, selections: added }]),
      rule: graphqlRules.invalidDocument,
      because,
    });
    const types = Object.values(run.schema.getTypeMap()).filter(isObjectType);
    const stranger = types.find((each) => !each.name.startsWith("__") && !doTypesOverlap(run.schema, type, each));
    return [
      wrong("conflicting-fields", "two fields have one alias", [
        { ...one, alias: "same" },
        { ...other, alias: "same" },
      ]),
      ...(stranger === undefined
        ? []
        : [
            wrong("impossible-fragment", "a fragment is on a type that the field never has", [
              one,
              { kind: "fragment", type: stranger.name, selections: [typename] },
            ]),
          ]),
    ];
  }
  return [];
}

function wrongSelections({ field }: BaseAnswer, plain: FieldSelection): readonly WrongQuestion[] {
  const place = withPlace(placeOf(field.astNode));
  const isComposite = plain.selections.length > 0;
  const invalid = (name: string, selection: FieldSelection, because: string): WrongQuestion => ({
    name,
    question: writeQuestion([selection]),
    rule: graphqlRules.invalidDocument,
    because,
    ...place,
  });
  const unknown: FieldSelection = { kind: "field", name: noSuchName, selections: [] };
  const [inner] = plain.selections;
  const wrong: WrongQuestion[] = [
    isComposite
      ? invalid("unknown-field", { ...plain, selections: [...plain.selections, unknown] }, "a field is unknown")
      : invalid("selection-on-leaf", { ...plain, selections: [unknown] }, "fields of a leaf are selected"),
  ];
  if (isComposite)
    wrong.push(invalid("no-selection", { ...plain, selections: [] }, "no fields of an object are selected"));
  if (inner?.kind === "field" && inner.selections.length === 0) {
    wrong.push(
      invalid(
        "selection-on-leaf",
        { ...plain, selections: [{ ...inner, selections: [unknown] }] },
        "fields of a leaf are selected",
      ),
    );
  }
  return wrong;
}

function wrongArguments(
  { field, selection }: BaseAnswer,
  plain: FieldSelection,
  argument: GraphQLArgument,
): readonly WrongQuestion[] {
  const place = withPlace(placeOf(argument.astNode));
  const given = (selection.arguments ?? []).filter(({ name }) => name !== argument.name);
  const ask = (value: unknown, isLiteral: boolean): GraphqlQuestion => {
    const one: GivenArgument = { name: argument.name, type: argument.type, value, isLiteral };
    return writeQuestion([{ ...plain, arguments: [...given, one] }]);
  };
  const name = kebab(argument.name);
  const wrong: WrongQuestion[] = [];
  const subject = `${field.name}'s argument ${argument.name}`;
  const literal = wrongLiteral(argument.type);
  if (literal !== undefined) {
    wrong.push({
      name: `${name}-literal-${literal.name}`,
      question: ask(literal.value, true),
      rule: graphqlRules.invalidDocument,
      because: `${subject} is ${literal.because}`,
      accepted: acceptedAs(literal.value, argument.type),
      ...place,
    });
  }
  if (isNonNullType(argument.type)) {
    wrong.push({
      name: `${name}-variable-missing`,
      question: { ...ask(null, false), variables: withoutNull(ask(null, false).variables) },
      rule: propertyRules.invalidInput,
      because: `the variable for ${subject} is missing`,
      ...place,
    });
  }
  const otherType = otherVariableType(argument.type);
  if (otherType !== undefined) wrong.push({ ...wrongVariableType(plain, given, argument, otherType), ...place });
  return wrong;
}

function withoutNull(variables: GraphqlQuestion["variables"]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(variables ?? {}).filter(([, value]) => value !== null));
}

/** `"text" was accepted; the schema allows only Int!`, of an enum its values. */
function acceptedAs(value: unknown, type: GraphQLInputType): string {
  const named = getNamedType(type);
  const values = isEnumType(named) ? named.getValues().map(({ name }) => name) : [];
  const listed = values.length === 0 ? "" : ` (${values.join(", ")})`;
  return `${showValue(value)} was accepted; the schema allows only ${String(type)}${listed}`;
}

/** A literal that validation refuses. */
function wrongLiteral(
  type: GraphQLInputType,
): { readonly name: string; readonly value: unknown; readonly because: string } | undefined {
  const named = getNamedType(type);
  if (isEnumType(named)) return { name: "unknown-value", value: noSuchName, because: "no value of the enum" };
  if (isInputObjectType(named)) return { name: "text", value: "text", because: "a text" };
  switch (named.name) {
    case "Int":
    case "Float":
    case "Boolean":
      return { name: "text", value: "text", because: "a text" };
    case "String":
      return { name: "number", value: 5, because: "a number" };
    case "ID":
      return { name: "boolean", value: true, because: "a boolean" };
    default:
      return undefined;
  }
}

function otherVariableType(type: GraphQLInputType): string | undefined {
  const named = getNamedType(type).name;
  if (isListType(getNullableType(type))) return undefined;
  return named === "Boolean" ? "Int" : "Boolean";
}

function wrongVariableType(
  plain: FieldSelection,
  given: readonly GivenArgument[],
  argument: GraphQLArgument,
  type: string,
): WrongQuestion {
  const others = given.map((one) => `${one.name}: ${writeLiteral(one.type, one.value)}`);
  const written = writeQuestion([{ ...plain, arguments: [] }]).query;
  const head = `${plain.name}(${[...others, `${argument.name}: $given`].join(", ")})`;
  return {
    name: `${kebab(argument.name)}-variable-of-another-type`,
    question: {
      query: `query ($given: ${type}!) ${written.replace(plain.name, head)}`,
      variables: { given: type === "Int" ? 1 : true },
    },
    rule: graphqlRules.invalidDocument,
    because: `a variable of the type ${type} is given for ${argument.name}`,
  };
}
