import { propertyRules } from "../../properties/property-rules.ts";
import {
  type ArgumentNode,
  type GraphQLArgument,
  type GraphQLField,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { showValue } from "../../compare/show-value.ts";
import { isNamedByHash } from "../../inference/lasting.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CaseDraft, CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import type { ExampleOutcome, ShownOperation } from "../../properties/example.ts";
import type { SuiteExample, SuiteGraphqlDocument } from "../../suite/suite.ts";
import { withPlace } from "../../suite/with-place.ts";
import { graphqlCase } from "./graphql-case.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { type RefusalKind, refusalOf } from "./refusal.ts";
import { inspectFields } from "./inspect-fields.ts";

/** Documents that are played: subscriptions need a connection of their own. */
export function playableDocuments(run: GraphqlRun): readonly SuiteGraphqlDocument[] {
  return run.suite.documents.filter(({ root }) => root !== "subscription");
}

/** An argument of a field in a document. */
interface WrittenArgument {
  readonly parentType: string;
  readonly field: GraphQLField<unknown, unknown>;
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

/** Keeps the values that examples give to arguments: those of requests that are answered. */
export function learnExamples(run: GraphqlRun): void {
  for (const { text, examples, root } of run.suite.documents) {
    if (root !== "query") continue;
    const inputs = examples.filter(({ outcome }) => outcome.kind === "success").map(({ input }) => input);
    for (const { parentType, field, argument, value } of argumentsIn(run, text)) {
      const isConstant = !print(value).includes("$");
      const shown =
        value.kind === Kind.VARIABLE
          ? inputs.map((input) => input[value.name.value])
          : isConstant
            ? [valueFromASTUntyped(value)]
            : [];
      for (const one of shown) if (one != null) run.pool.seeExample(parentType, field.name, argument.name, one);
    }
  }
}

/**
 * Plays an operation that no example belongs to: as it stands where its variables may be left out, else with values that were returned
 * elsewhere. Where there are none for a variable it is not played.
 */
export function planAsWritten(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  const { name: operation, text, examples } = document;
  if (examples.some(({ outcome }) => outcome.kind === "success")) return [];
  const written = argumentsIn(run, text);
  const [definition] = parse(text).definitions.filter((one): one is OperationDefinitionNode => "operation" in one);
  const variables: Record<string, unknown> = {};
  for (const { variable, type, defaultValue } of definition?.variableDefinitions ?? []) {
    if (type.kind !== Kind.NON_NULL_TYPE || defaultValue !== undefined) continue;
    const name = variable.name.value;
    const [best] = written
      .filter(({ value }) => value.kind === Kind.VARIABLE && value.name.value === name)
      .flatMap(({ parentType, field, argument }) => run.pool.candidatesOf(parentType, field, argument));
    if (best === undefined) return [];
    variables[name] = best.value;
  }
  return [
    graphqlCase({
      operation,
      group: "example",
      name: "as-written",
      rule: propertyRules.validInput,
      expected: "data that has exactly the shape of the selection",
      writes: !run.session.safety.of(operation).isSafe,
      question: { query: text, variables },
      play: async (play) => {
        const { findings, refused } = await playDocument(run, play, document, variables);
        if (refused !== undefined && written.length > 0) play.skip("What it is called for may not be at the target");
        return refused === undefined ? findings : [...findings, refused];
      },
    }),
  ];
}

/** Plays the documented requests of one document. */
export function planExamples(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  return run.examples.casesOf(shownDocument(run, document)).map((one) => exampleCase(run, document, one));
}

/** Compares returned values with documented ones, where these turned out to be of the target's data. */
export function planExampleValues(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  const cases = run.examples.shownCasesOf(shownDocument(run, document)).map((one) => exampleCase(run, document, one));
  return cases.filter(({ writes }) => !writes);
}

function exampleCase(
  run: GraphqlRun,
  { name: operation, text }: SuiteGraphqlDocument,
  { input = {}, ...rest }: CaseDraft,
): PlannedCase {
  const writes = !run.session.safety.of(operation).isSafe;
  return graphqlCase({ ...rest, operation, writes, question: { query: text, variables: input } });
}

function shownDocument(run: GraphqlRun, document: SuiteGraphqlDocument): ShownOperation {
  return {
    name: document.name,
    ...withPlace(document.place),
    run: run.examples,
    examples: document.examples,
    success: propertyRules.validInput,
    isOfState: () => false,
    // What an example does not find may be here, and fails as shown where it is not.
    failsEverywhere: (_example, { failure }) => failure !== undefined,
    failureText: ({ outcome }) => {
      const code = outcome.kind === "failure" ? outcome.graphqlCode : undefined;
      return code === undefined ? "an error" : `an error with the code ${code}`;
    },
    call: async (play, example) =>
      outcomeOf(play, document, example, await playDocument(run, play, document, example.input)),
  };
}

function outcomeOf(
  play: CasePlay,
  { name }: SuiteGraphqlDocument,
  { outcome, input }: SuiteExample,
  { held, findings, refused }: PlayedDocument,
): ExampleOutcome {
  const isImmutable = isNamedByHash(name, input);
  const { errors, data } = held.response;
  if (refused !== undefined && outcome.kind === "success") {
    const reason = refusalReasons[refusalOf(held.response)];
    if (reason !== undefined) play.skip(reason);
    const failure = { text: refused.detail ?? "", isDocumented: false };
    return { findings: [...findings, refused], failure, isImmutable };
  }
  const [error] = errors;
  if (error === undefined) return { findings, result: { value: data, type: undefined }, isImmutable };
  const { graphqlCode: code, message: shown } = outcome.kind === "failure" ? outcome : {};
  const ofCode = errors.filter(({ extensions }) => code === undefined || extensions["code"] === code);
  const { message } = ofCode.find((one) => one.message === shown) ?? ofCode[0] ?? error;
  const isExcused = refusalReasons[refusalOf(held.response)] !== undefined;
  const failure = { text: showValue(message), message, isDocumented: ofCode.length > 0, isExcused };
  return { findings, failure, isImmutable };
}

/** Reasons for a refusal that say nothing of the documented request. */
const refusalReasons: Readonly<Partial<Record<RefusalKind, string>>> = {
  denied: "The target reports that this is not allowed",
  size: "The target reports that this is too much",
  missing: "The target reports that it does not offer this",
};

/** What came of a document of the description. */
interface PlayedDocument {
  readonly held: HeldAnswer;
  readonly findings: readonly Finding[];
  /** Present where there is no data, to be reported where there should be. */
  readonly refused?: Finding;
}

/** Sends a document of the description. */
async function playDocument(
  run: GraphqlRun,
  play: CasePlay,
  { name, text, place }: SuiteGraphqlDocument,
  variables: Readonly<Record<string, unknown>>,
): Promise<PlayedDocument> {
  const held = await run.ask(play, { query: text, variables });
  run.cover(name, held.met);
  const { data, response } = held;
  if (data === undefined && !response.hasData) {
    const detail = response.errors[0]?.message ?? `status ${response.answer.status}`;
    const message = "A documented request is refused";
    return {
      held,
      findings: held.findings,
      refused: { rule: propertyRules.validInput, message, detail, ...withPlace(place) },
    };
  }
  const findings = [...held.findings, ...inspectFields(run, held)];
  const isGood = response.errors.length === 0 && !findings.some(({ rule }) => rule.level === "MUST");
  if (isGood && data !== undefined)
    run.session.live.see({ operation: name, input: variables, type: { kind: "any" }, value: data });
  return { held, findings };
}
