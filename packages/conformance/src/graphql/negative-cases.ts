import { withPlace } from "../suite/with-place.ts";
import {
  coerceInputValue,
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  parse,
  typeFromAST,
  validate,
} from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { showValue } from "../compare/show-value.ts";
import type { SuiteGraphqlDocument } from "../suite/suite.ts";
import { violationsOf } from "../types/violations.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { type GraphqlQuestion, postOf } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import { readResponse } from "./read-response.ts";
import { type RefusedRequest, refusalFindings } from "./refused-request.ts";
import { refusalOf } from "./refusal.ts";
import { smallSelection } from "./small-selection.ts";
import { type FieldSelection, type GivenArgument, writeLiteral, writeQuestion } from "./selection.ts";

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

/** Wrong values for the variables of a documented operation. */
export function planDocumentNegatives(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  if (!run.session.safety.of(document.name).isSafe || document.root !== "query") return [];
  const example = document.examples.find(({ outcome }) => outcome.kind === "success");
  const input = example?.input ?? {};
  const [operation] = parse(document.text).definitions.filter((one) => one.kind === "OperationDefinition");
  const wrong: WrongQuestion[] = [];
  for (const { variable, type: node, defaultValue } of operation?.variableDefinitions ?? []) {
    const type = typeFromAST(run.schema, node) as GraphQLInputType | undefined;
    if (type === undefined) continue;
    const name = variable.name.value;
    const ask = (value: unknown): GraphqlQuestion => ({ query: document.text, variables: { ...input, [name]: value } });
    const place = withPlace(document.place);
    for (const { name: kind, value, ...one } of wrongValues(run, type, `$${name}`).slice(0, 2)) {
      wrong.push({ ...one, name: `${kebab(name)}-${kind}`, question: ask(value), ...place });
    }
    if (!isNonNullType(type)) continue;
    const rule = graphqlRules.wrongVariable;
    const accepted = acceptedAs(null, type);
    wrong.push({
      name: `${kebab(name)}-null`,
      question: ask(null),
      rule,
      because: `$${name} is null`,
      accepted,
      ...place,
    });
    if (defaultValue !== undefined) continue;
    const { [name]: _, ...rest } = input;
    const question = { query: document.text, variables: rest };
    wrong.push({ name: `${kebab(name)}-missing`, question, rule, because: `$${name} is missing`, ...place });
  }
  return wrong.map((one) => refusalCase(run, document.name, one));
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
  return wrong.map((one) => refusalCase(run, "(protocol)", one));
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
  const byArgument = field.args.map((argument) => wrongArguments(run, base, plain, argument));
  const first = byArgument.flatMap((some) => some.slice(0, 3));
  const rest = byArgument.flatMap((some) => some.slice(3));
  return [...wrongSelections(base, plain), ...first, ...rest];
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
    {
      name: "unknown-argument",
      question: withUnknownArgument(plain),
      rule: graphqlRules.invalidDocument,
      because: "an argument is unknown",
      ...place,
    },
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

function withUnknownArgument(plain: FieldSelection): GraphqlQuestion {
  const given = (plain.arguments ?? []).map(({ name, type, value }) => `${name}: ${writeLiteral(type, value)}`);
  const written = writeQuestion([{ ...plain, arguments: [] }]).query;
  const head = `${plain.name}(${[...given, `${noSuchName}: 1`].join(", ")})`;
  return { query: written.replace(plain.name, head) };
}

function wrongArguments(
  run: GraphqlRun,
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
  const values = wrongValues(run, argument.type, subject);
  const [first, ...others] = values;
  if (first !== undefined) {
    wrong.push({ ...first, name: `${name}-${first.name}`, question: ask(first.value, false), ...place });
  }
  if (isRequiredArgument(argument)) {
    wrong.push({
      name: `${name}-missing`,
      question: writeQuestion([{ ...plain, arguments: given }]),
      rule: graphqlRules.invalidDocument,
      because: `${subject} is missing`,
      ...place,
    });
  }
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
      name: `${name}-null`,
      question: ask(null, false),
      rule: graphqlRules.wrongVariable,
      because: `${subject} is null`,
      accepted: acceptedAs(null, argument.type),
      ...place,
    });
    wrong.push({
      name: `${name}-variable-missing`,
      question: { ...ask(null, false), variables: withoutNull(ask(null, false).variables) },
      rule: graphqlRules.wrongVariable,
      because: `the variable for ${subject} is missing`,
      ...place,
    });
  }
  for (const other of others) {
    wrong.push({ ...other, name: `${name}-${other.name}`, question: ask(other.value, false), ...place });
  }
  const otherType = otherVariableType(argument.type);
  if (otherType !== undefined) wrong.push({ ...wrongVariableType(plain, given, argument, otherType), ...place });
  return wrong;
}

function withoutNull(variables: GraphqlQuestion["variables"]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(variables ?? {}).filter(([, value]) => value !== null));
}

interface WrongInput {
  readonly name: string;
  readonly value: unknown;
  readonly rule: Rule;
  readonly because: string;
  readonly accepted: string;
}

/** `"text" was accepted; the schema allows only Int!`, of an enum its values. */
function acceptedAs(value: unknown, type: GraphQLInputType): string {
  const named = getNamedType(type);
  const values = isEnumType(named) ? named.getValues().map(({ name }) => name) : [];
  const listed = values.length === 0 ? "" : ` (${values.join(", ")})`;
  return `${showValue(value)} was accepted; the schema allows only ${String(type)}${listed}`;
}

/** Input objects within each other whose members are looked at: those of generated filters (`_and`, `_not`) hold themselves. */
const deepestInput = 2;

/** Values of a variable that its type does not take, the plainest first. */
function wrongValues(run: GraphqlRun, type: GraphQLInputType, subject: string, depth = 0): readonly WrongInput[] {
  const nullable = getNullableType(type);
  const rule = graphqlRules.wrongVariable;
  const wrong = (name: string, value: unknown, what: string): WrongInput => ({
    name,
    value,
    rule,
    because: `${subject} is ${what}`,
    accepted: acceptedAs(value, type),
  });
  if (isListType(nullable)) {
    return wrongValues(run, nullable.ofType, subject, depth)
      .slice(0, 2)
      .map((one) => ({
        ...one,
        name: `element-${one.name}`,
        value: [one.value],
        because: `${one.because} in a list`,
        accepted: acceptedAs([one.value], type),
      }));
  }
  if (isEnumType(nullable)) {
    return [wrong("unknown-value", noSuchName, "no value of the enum"), wrong("number", 1, "a number")];
  }
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields());
    const sample = Object.fromEntries(
      fields.filter(isRequiredInputField).map((field) => [field.name, run.sampleOf(field.name, field.type)]),
    );
    const followed = depth < deepestInput ? fields : [];
    const inner = followed.flatMap((field) =>
      wrongValues(run, field.type, `${subject}'s ${field.name}`, depth + 1)
        .slice(0, 1)
        .map((one) => ({
          ...one,
          name: `${kebab(field.name)}-${one.name}`,
          value: { ...sample, [field.name]: one.value },
        })),
    );
    const [required] = fields.filter(isRequiredInputField);
    return [
      wrong("text", "text", "a text"),
      wrong("unknown-member", { ...sample, [noSuchName]: 1 }, "an object with an unknown field"),
      ...(required === undefined
        ? []
        : [wrong("member-missing", { ...sample, [required.name]: undefined }, `an object without ${required.name}`)]),
      ...inner.slice(0, 3),
    ].filter(({ value, rule: one }) => one.level !== "MUST" || isRefused(type, value));
  }
  const values = isScalarType(nullable) ? scalarWrongs(run, nullable.name, wrong) : [];
  return values.filter(({ value, rule: one }) => one.level !== "MUST" || isRefused(type, value));
}

function scalarWrongs(
  run: GraphqlRun,
  name: string,
  wrong: (name: string, value: unknown, what: string) => WrongInput,
): readonly WrongInput[] {
  switch (name) {
    case "Int":
      return [
        wrong("text", "text", "a text"),
        wrong("fraction", 1.5, "a fraction"),
        wrong("too-large", 2 ** 31, "beyond 32 bits"),
        wrong("digits", "1", "a text of digits"),
        wrong("boolean", true, "a boolean"),
      ];
    case "Float":
      return [wrong("text", "text", "a text"), wrong("boolean", true, "a boolean")];
    case "Boolean":
      return [wrong("text", "true", "a text"), wrong("number", 1, "a number")];
    case "ID":
      return [
        wrong("object", { nodewright: 1 }, "an object"),
        wrong("boolean", true, "a boolean"),
        wrong("fraction", 1.5, "a fraction"),
      ];
    case "String":
      return [
        wrong("number", 5, "a number"),
        wrong("object", { nodewright: 1 }, "an object"),
        wrong("boolean", true, "a boolean"),
      ];
    default: {
      // What a scalar takes may be more than what it is answered as: only what is far from it is sent.
      const scalar = run.suite.scalars[name];
      if (scalar === undefined) return [];
      return [{ nodewright: 1 }, "nodewright no such value", [[]]]
        .filter((value) => violationsOf(scalar, value, run.suite.types, "request").length > 0)
        .slice(0, 2)
        .map((value) => ({
          ...wrong(typeof value === "string" ? "text" : "object", value, `no ${name}`),
          rule: graphqlRules.wrongScalar,
        }));
    }
  }
}

function isRefused(type: GraphQLInputType, value: unknown): boolean {
  let refused = false;
  const sent: unknown = JSON.parse(JSON.stringify(value));
  coerceInputValue(sent, type, () => {
    refused = true;
  });
  return refused;
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
