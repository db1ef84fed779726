import type { JsonValue } from "@nodewright/api-model";
import { propertyRules } from "../../../properties/property-rules.ts";
import {
  type ArgumentNode,
  type GraphQLArgument,
  Kind,
  parse,
  print,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { Field } from "../schema/field-names.ts";
import { showValue } from "../../../compare/show-value.ts";
import { isNamedByHash } from "../../../inference/lasting.ts";
import { finding } from "../../../contract/finding.ts";
import type { CaseDraft, PlannedCase } from "../../../contract/planned-case.ts";
import type { ExampleOutcome, ShownOperation } from "../../../properties/example.ts";
import type { SuiteExample, SuiteGraphqlDocument } from "../../../suite/suite.ts";
import { withPlace } from "../../../suite/with-place.ts";
import { graphqlCase } from "../contract/graphql-case.ts";
import type { GraphqlRun, ValidatedResponse } from "../run/graphql-run.ts";
import { isOfTarget, reasonOf, skipRefused } from "../response/refusal.ts";
import { inspectFields } from "../run/inspect-fields.ts";

/** Returns the documents that can be played: all except subscriptions, which need a connection of their own. */
export function playableDocuments(run: GraphqlRun): readonly SuiteGraphqlDocument[] {
  return run.suite.documents.filter(({ root }) => root !== "subscription");
}

/** An argument of a field in a document. */
interface WrittenArgument {
  readonly parentType: string;
  readonly field: Field;
  readonly argument: GraphQLArgument;
  readonly value: ValueNode;
}

function argumentsIn({ schema }: GraphqlRun, text: string): readonly WrittenArgument[] {
  const all: WrittenArgument[] = [];
  const info = new TypeInfo(schema);
  const Argument = ({ value }: ArgumentNode): void => {
    const [parentType, field, argument] = [info.getParentType(), info.getFieldDef(), info.getArgument()];
    if (info.getDirective() != null || parentType == null || field == null || argument == null) return;
    all.push({ parentType: parentType.name, field, argument, value });
  };
  visit(parse(text), visitWithTypeInfo(info, { Argument }));
  return all;
}

/** Stores the argument values of examples whose requests succeed. */
export function learnExamples(run: GraphqlRun): void {
  for (const { text, examples, root } of run.suite.documents) {
    if (root !== "query") continue;
    const inputs = examples.filter(({ outcome }) => outcome.kind === "success").map(({ input }) => input);
    for (const { parentType, field, argument, value } of argumentsIn(run, text)) {
      const isConstant = !print(value).includes("$");
      const shown = (isConstant ? [{}] : inputs).map((input) => valueFromASTUntyped(value, input));
      const name = `${parentType}.${field.name}.${argument.name}`;
      const values = shown.filter((one) => one != null);
      run.shown.set(name, [...(run.shown.get(name) ?? []), ...values]);
    }
  }
}

/**
 * Plans an operation without examples: as written when its variables are optional, else with values of other responses. It is not played
 * when a variable has no value.
 */
export function planAsWritten(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  if (document.examples.some(({ outcome }) => outcome.kind === "success")) return [];
  const written = argumentsIn(run, document.text);
  const [definition] = parse(document.text).definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const input: Record<string, JsonValue> = {};
  for (const { variable, type, defaultValue } of definition?.variableDefinitions ?? []) {
    if (type.kind !== Kind.NON_NULL_TYPE || defaultValue !== undefined) continue;
    const name = variable.name.value;
    const [best] = written
      .filter(({ value }) => value.kind === Kind.VARIABLE && value.name.value === name)
      .flatMap(({ parentType, field, argument }) => run.candidatesOf(parentType, field, argument));
    if (best === undefined) return [];
    input[name] = best as JsonValue;
  }
  const outcome = { kind: "success", status: 200, value: null } as const;
  const example = { name: "as-written", input, outcome, isLive: true, mayFail: written.length > 0 };
  return planExamples(run, { ...document, examples: [example] });
}

/** Plans the documented requests of one document. */
export function planExamples(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  return run.examples.casesOf(shownDocument(run, document)).map((one) => exampleCase(run, document, one));
}

/** Plans comparisons of returned values with documented ones, when these turned out to be of the target's data. */
export function planExampleValues(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  const cases = run.examples.shownCasesOf(shownDocument(run, document)).map((one) => exampleCase(run, document, one));
  return cases.filter(({ writes }) => !writes);
}

function exampleCase(
  run: GraphqlRun,
  { name: operation, text: query }: SuiteGraphqlDocument,
  { input: variables = {}, ...rest }: CaseDraft,
): PlannedCase {
  const writes = !run.session.safety.of(operation).isSafe;
  return graphqlCase({ ...rest, operation, writes, request: { query, variables } });
}

function shownDocument(run: GraphqlRun, { name, text, place, examples }: SuiteGraphqlDocument): ShownOperation {
  return {
    name,
    ...withPlace(place),
    run: run.examples,
    examples,
    success: propertyRules.validInput,
    isOfState: () => false,
    // The object of an example may exist here, and the request fails as documented when it does not.
    failsEverywhere: (_example, { failure }) => failure !== undefined,
    failureText: ({ outcome }) => {
      const code = outcome.kind === "failure" ? outcome.graphqlCode : undefined;
      return code === undefined ? "an error" : `an error with the code ${code}`;
    },
    call: async (play, example, variables) => {
      const held = await run.execute(play, { query: text, variables });
      const { data, response } = held;
      run.cover(name, held.met);
      const findings = [...held.findings, ...inspectFields(run, held)];
      const isGood = response.errors.length === 0 && !findings.some(({ rule }) => rule.level === "MUST");
      if (isGood && data !== undefined)
        run.session.live.see({ operation: name, input: variables, type: { kind: "any" }, value: data });
      const isImmutable = isNamedByHash(name, variables);
      if (example.outcome.kind === "failure" || response.hasData)
        return { findings, isImmutable, ...outcomeOf(example, held) };
      skipRefused(play, response);
      if (example.mayFail === true) play.skip("What it is called for may not be at the target");
      const detail = reasonOf(response);
      const refused = finding(propertyRules.validInput, "A documented request is refused", detail, { place });
      return { findings: [...findings, refused], failure: { text: detail, isDocumented: false }, isImmutable };
    },
  };
}

/** Returns the value, or the error that is nearest to that of the example. */
function outcomeOf(
  { outcome }: SuiteExample,
  { response }: ValidatedResponse,
): Pick<ExampleOutcome, "result" | "failure"> {
  const { errors } = response;
  const [error] = errors;
  if (error === undefined) return { result: { value: response.data, type: undefined } };
  const { graphqlCode: code, message: shown } = outcome.kind === "failure" ? outcome : {};
  const ofCode = errors.filter(({ extensions }) => code === undefined || extensions["code"] === code);
  const { message } = ofCode.find((one) => one.message === shown) ?? ofCode[0] ?? error;
  return {
    failure: { text: showValue(message), message, isDocumented: ofCode.length > 0, isExcused: isOfTarget(response) },
  };
}
