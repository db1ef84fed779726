import { propertyRules } from "../../properties/property-rules.ts";
import { isCompositeType, Kind, parse, TypeInfo, valueFromASTUntyped, visit, visitWithTypeInfo } from "graphql";
import { showValue } from "../../compare/show-value.ts";
import { isNamedByHash } from "../../inference/lasting.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import type { ExampleCase, ExampleOutcome, ShownOperation } from "../../properties/example.ts";
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

/** Keeps the values that examples give to arguments: those of requests that are answered. */
export function learnExamples(run: GraphqlRun): void {
  for (const { text, examples, root } of run.suite.documents) {
    if (root !== "query") continue;
    const inputs = examples.filter(({ outcome }) => outcome.kind === "success").map(({ input }) => input);
    const typeInfo = new TypeInfo(run.schema);
    const learn = (argument: string, value: unknown): void => {
      const parentType = typeInfo.getParentType();
      const field = typeInfo.getFieldDef();
      if (value === undefined || value === null || !isCompositeType(parentType) || field == null) return;
      run.pool.seeExample(parentType.name, field.name, argument, value);
    };
    visit(
      parse(text),
      visitWithTypeInfo(typeInfo, {
        Argument: ({ name, value }) => {
          if (typeInfo.getDirective() != null) return;
          if (value.kind === Kind.VARIABLE) for (const input of inputs) learn(name.value, input[value.name.value]);
          else if (isConstant(value)) learn(name.value, valueFromASTUntyped(value));
        },
      }),
    );
  }
}

function isConstant(node: Parameters<typeof valueFromASTUntyped>[0]): boolean {
  let constant = true;
  visit(node, {
    Variable: () => {
      constant = false;
    },
  });
  return constant;
}

/** Plays the documented requests of one document. */
export function planExamples(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  return document.examples.map((example) =>
    exampleCase(run, document, run.examples.caseOf(shownDocument(run, document), example, propertyRules.validInput)),
  );
}

/** Compares returned values with documented ones, where these turned out to be of the target's data. */
export function planExampleValues(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  return document.examples
    .map((example) => run.examples.shownCaseOf(shownDocument(run, document), example))
    .filter((one) => one !== undefined)
    .map((one) => exampleCase(run, document, one))
    .filter(({ writes }) => !writes);
}

function exampleCase(
  run: GraphqlRun,
  { name: operation, text }: SuiteGraphqlDocument,
  { example, ...rest }: ExampleCase,
): PlannedCase {
  const writes = !run.session.safety.of(operation).isSafe;
  return graphqlCase({
    ...rest,
    operation,
    group: "example",
    writes,
    question: { query: text, variables: example.input },
  });
}

function shownDocument(run: GraphqlRun, document: SuiteGraphqlDocument): ShownOperation {
  return {
    name: document.name,
    ...withPlace(document.place),
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
export interface PlayedDocument {
  readonly held: HeldAnswer;
  readonly findings: readonly Finding[];
  /** Present where there is no data, to be reported where there should be. */
  readonly refused?: Finding;
}

/** Sends a document of the description. */
export async function playDocument(
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
  const findings = [...held.findings, ...inspectFields(run, held.met)];
  const isGood = response.errors.length === 0 && !findings.some(({ rule }) => rule.level === "MUST");
  if (isGood && data !== undefined)
    run.session.live.see({ operation: name, input: variables, type: { kind: "any" }, value: data });
  return { held, findings };
}
