import { withPlace } from "../suite/with-place.ts";
import { isCompositeType, Kind, parse, TypeInfo, valueFromASTUntyped, visit, visitWithTypeInfo } from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { ExampleEvidence } from "../examples/example-trust.ts";
import type { SuiteExample, SuiteGraphqlDocument } from "../suite/suite.ts";
import { graphqlCase } from "./graphql-case.ts";
import type { GraphqlQuestion } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { refusalOf } from "./refusal.ts";
import { relationsWithin } from "./relations-within.ts";

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

/** The question that an example is. */
function exampleQuestion(document: SuiteGraphqlDocument, { input }: SuiteExample): GraphqlQuestion {
  return { query: document.text, variables: input };
}

/** Plays the documented requests of one document. */
export function planExamples(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  return document.examples.map((example) =>
    graphqlCase({
      operation: document.name,
      group: "example",
      name: example.name,
      rule: example.outcome.kind === "success" ? graphqlRules.answered : graphqlRules.exampleFailure,
      expected: expectedOf(example),
      writes: !run.session.safety.of(document.name).isSafe,
      question: exampleQuestion(document, example),
      play: (play) => playExample(run, document, example, play),
    }),
  );
}

function expectedOf({ outcome }: SuiteExample): string {
  if (outcome.kind === "success") return "data that has exactly the shape of the selection";
  return `an error${outcome.graphqlCode === undefined ? "" : ` with the code ${outcome.graphqlCode}`}`;
}

async function playExample(
  run: GraphqlRun,
  document: SuiteGraphqlDocument,
  example: SuiteExample,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const held = await run.ask(play, exampleQuestion(document, example));
  run.cover(document.name, held.met);
  run.trust.see(evidenceOf(document, example, held));
  if (example.outcome.kind !== "success" || held.data !== undefined || held.response.hasData) {
    const findings = [...held.findings, ...relationsWithin(run, held.met)];
    const isGood = held.response.errors.length === 0 && !findings.some(({ rule }) => rule.level === "MUST");
    if (isGood && held.data !== undefined) {
      run.session.live.see({ operation: document.name, input: example.input, type: { kind: "any" }, value: held.data });
    }
    return findings;
  }
  const kind = refusalOf(held.response);
  if (kind === "denied") return play.skip("The target says that this may not be asked");
  if (kind === "size") return play.skip("The target says that this is too much");
  if (kind === "missing") return play.skip("The target says that it does not offer this");
  const detail = held.response.errors[0]?.message ?? `status ${held.response.answer.status}`;
  const message = "A documented request is refused";
  return [
    ...held.findings,
    { rule: graphqlRules.answered, message, detail, ...withPlace(example.place ?? document.place) },
  ];
}

function evidenceOf(document: SuiteGraphqlDocument, example: SuiteExample, held: HeldAnswer): ExampleEvidence {
  const { response } = held;
  const head = {
    operation: document.name,
    example: example.name,
    isLive: example.isLive === true,
    isImmutable: asksByHash(example.input),
  };
  if (example.outcome.kind === "failure") {
    return { ...head, result: { kind: response.errors.length > 0 ? "confirmed" : "absent" } };
  }
  // Beside an error what is asked for is not there.
  if (held.data === undefined || response.errors.length > 0) return { ...head, result: { kind: "absent" } };
  const documented = example.outcome.value;
  return { ...head, result: { kind: "answered", type: undefined, documented, actual: response.data } };
}

function asksByHash(input: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(input).some(
    ([name, value]) =>
      typeof value === "string" && (/hash|txid/.test(plainName(name)) || /^(?:0x)?[0-9a-fA-F]{40,}$/.test(value)),
  );
}

/** Holds what is served against the documented values, where these turned out to be of the target's data. */
export function planExampleValues(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  return document.examples
    .filter(({ isLive }) => isLive !== true)
    .map((example) =>
      graphqlCase({
        operation: document.name,
        group: "example",
        name: `${example.name}-as-shown`,
        rule: example.outcome.kind === "success" ? graphqlRules.exampleValue : graphqlRules.exampleFailure,
        expected: "what the example shows",
        writes: !run.session.safety.of(document.name).isSafe,
        play: (play) => playExampleValue(run, document, example, play),
      }),
    )
    .filter(({ writes }) => !writes);
}

async function playExampleValue(
  run: GraphqlRun,
  document: SuiteGraphqlDocument,
  example: SuiteExample,
  play: CasePlay,
): Promise<readonly Finding[]> {
  if (!run.trust.isOfThisData()) return play.skip("The examples are of other data than the target has");
  const held = await run.ask(play, exampleQuestion(document, example));
  run.trust.see(evidenceOf(document, example, held));
  const place = withPlace(example.place ?? document.place);
  const { outcome } = example;
  if (outcome.kind === "failure") return failureFindings(run, document, example, held);
  const isThere = held.data !== undefined && held.response.errors.length === 0;
  if (!isThere) {
    const level = run.trust.blameForAbsence(document.name, example.name);
    if (level === undefined || example.mayFail === true) return [];
    const rule = level === "MUST" ? graphqlRules.exampleValue : graphqlRules.exampleValueLikely;
    const detail = held.response.errors[0]?.message ?? `status ${held.response.answer.status}`;
    return [{ rule, message: "A documented request is answered with an error", detail, ...place }];
  }
  const blame = run.trust.blameFor(document.name, example.name);
  const rule = blame.level === "MUST" ? graphqlRules.exampleValue : graphqlRules.exampleValueLikely;
  return blame.differences.slice(0, 5).map(({ steady, pointer, message, detail }) => ({
    rule,
    message: `${steady} ${message}`,
    detail: `${pointer} ${detail}`,
    pointer: steady,
    ...place,
  }));
}

function failureFindings(
  run: GraphqlRun,
  document: SuiteGraphqlDocument,
  example: SuiteExample,
  { response }: HeldAnswer,
): readonly Finding[] {
  const place = withPlace(example.place ?? document.place);
  if (example.outcome.kind !== "failure" || example.mayFail === true) return [];
  const { graphqlCode, message } = example.outcome;
  const [error] = response.errors;
  if (error === undefined) {
    const level = run.trust.blameForAbsence(document.name, example.name);
    const rule = level === "MUST" ? graphqlRules.exampleFailure : graphqlRules.exampleValueLikely;
    return level === undefined ? [] : [{ rule, message: "A documented failure does not fail", ...place }];
  }
  const findings: Finding[] = [];
  if (graphqlCode !== undefined && !response.errors.some(({ extensions }) => extensions["code"] === graphqlCode)) {
    const detail = `${showValue(error.extensions["code"])} instead of ${graphqlCode}`;
    findings.push({
      rule: graphqlRules.exampleFailure,
      message: "A documented failure has another code",
      detail,
      ...place,
    });
  }
  if (message !== undefined && !response.errors.some((one) => one.message === message)) {
    findings.push({
      rule: graphqlRules.exampleMessage,
      message: "A documented failure has another message",
      detail: error.message,
      ...place,
    });
  }
  return findings;
}
