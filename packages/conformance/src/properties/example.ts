import type { Finding } from "../contract/finding.ts";
import type { RunOptions } from "../contract/options.ts";
import type { CaseDraft, CasePlay } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { createExampleTrust, type ExampleTrust } from "../examples/example-trust.ts";
import type { SuiteExample } from "../suite/suite.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { withPlace } from "../suite/with-place.ts";
import type { Input } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";

/** Outcome of the request of an example. */
export interface ExampleOutcome {
  /** Findings about the response itself, including an unexpected failure where the example is of a success. */
  readonly findings: readonly Finding[];
  /** Result; present for a success. */
  readonly result?: { readonly value: unknown; readonly type: SuiteType | undefined };
  /** Failure; present for a failure. */
  readonly failure?: {
    /** Name in messages: "the error is -5". */
    readonly text: string;
    /** Whether it has the status or the code of the example. */
    readonly isDocumented: boolean;
    /** Message; absent where no specification fixes it. */
    readonly message?: string;
    /** Whether its reason is independent of the example, such as data of the example that this target does not have. */
    readonly isExcused?: boolean;
  };
  /** Whether the same request always has the same response. */
  readonly isImmutable: boolean;
  /** Parts of the response next to its value that differ from the example. */
  readonly further?: readonly string[];
}

/** An operation whose documented requests can be sent, for any protocol. */
export interface ShownOperation {
  readonly name: string;
  /** Examples of the run. */
  readonly run: Examples;
  /** Examples of the operation that can be sent, in the order of their cases. */
  readonly examples: readonly SuiteExample[];
  /** Rule that is broken where the request of a documented success fails. */
  readonly success: Rule;
  readonly place?: Place;
  /** Whether its result changes from day to day for any input. */
  readonly isOfTheDay?: boolean;
  /** Whether the response depends on state; true by default. */
  isLive?(example: SuiteExample): boolean;
  /** Whether an example shows the result of its own input; true by default. */
  isOfItsInput?(example: SuiteExample): boolean;
  /** Whether no part of an input identifies an object, so that the response is about the current state of the target. */
  isOfState(input: Input): boolean;
  /** Whether each target has to return the documented failure, whatever data it has. */
  failsEverywhere(example: SuiteExample, outcome: ExampleOutcome): boolean;
  /** Returns the name of the failure of an example: "status 404". */
  failureText(example: SuiteExample): string;
  /** Returns other inputs that an example may have been written for. */
  alternatives?(example: SuiteExample): readonly Input[];
  call(play: CasePlay, example: SuiteExample, input: Input): Promise<ExampleOutcome>;
}

/** Maximum number of reported differences of one example. */
const mostDifferences = 5;

/** The documented examples of a run, with the outcomes of their requests. */
export class Examples {
  readonly #trust: ExampleTrust;
  readonly #outcomes = new Map<SuiteExample, ExampleOutcome>();

  constructor(types: SuiteTypes, mode: RunOptions["examples"]) {
    this.#trust = createExampleTrust(types, mode);
  }

  /** Plans the documented requests: each response has to conform to the description, apart from its value. */
  casesOf(operation: ShownOperation): readonly CaseDraft[] {
    return operation.examples.map((example) => this.caseOf(operation, example));
  }

  /**
   * Plans comparisons of the results with the examples after all of them were sent: only then is it known whether the description is about
   * the target's data.
   */
  shownCasesOf(operation: ShownOperation): readonly CaseDraft[] {
    return operation.examples.flatMap((example) => this.#shownCaseOf(operation, example) ?? []);
  }

  caseOf(operation: ShownOperation, example: SuiteExample): CaseDraft {
    const isSuccess = example.outcome.kind === "success";
    return {
      ...draftOf(operation, example, example.name),
      rule: isSuccess ? operation.success : propertyRules.exampleFailure,
      expected: isSuccess ? "a documented success" : operation.failureText(example),
      requests: 1,
      play: async (play) => {
        const outcome = await this.#call(operation, play, example, example.input);
        if (isSuccess && outcome.failure?.isExcused === true && outcome.findings.length === 0)
          play.skip("What the example is about is not at the target");
        if (isSuccess || example.mayFail === true) return outcome.findings;
        return [
          ...outcome.findings,
          ...(operation.failsEverywhere(example, outcome) ? otherFailure(operation, example, outcome) : []),
        ];
      },
    };
  }

  #shownCaseOf(operation: ShownOperation, example: SuiteExample): CaseDraft | undefined {
    const before = this.#outcomes.get(example);
    if (before === undefined || example.isLive === true || operation.isOfItsInput?.(example) === false)
      return undefined;
    if (example.outcome.kind === "failure" && operation.failsEverywhere(example, before)) return undefined;
    const isOther = this.#differences(operation, example, before).length > 0;
    return {
      ...draftOf(operation, example, `${example.name}-as-shown`),
      rule: example.outcome.kind === "success" ? propertyRules.example : propertyRules.exampleFailure,
      expected: "what the example shows, where it can't change",
      requests: isOther ? 2 : 0,
      play: async (play) => {
        if (!isOther && !this.#trust.isOfThisData()) play.skip("The examples are of other data than the target has");
        return isOther ? await this.#lookAgain(operation, play, example) : [];
      },
    };
  }

  /**
   * Sends the request again and returns the remaining differences; none if the response to another possible input of the example matches.
   */
  async #lookAgain(operation: ShownOperation, play: CasePlay, example: SuiteExample): Promise<readonly Finding[]> {
    const again = await this.#call(operation, play, example, example.input);
    const found = this.#differences(operation, example, again);
    if (found.length === 0) return [];
    for (const input of operation.alternatives?.(example) ?? []) {
      const other = await this.#call(operation, play, example, input);
      if (this.#differences(operation, example, other).length === 0) return [];
    }
    this.#see(operation, example, again, false);
    return found;
  }

  async #call(operation: ShownOperation, play: CasePlay, example: SuiteExample, input: Input): Promise<ExampleOutcome> {
    const outcome = await operation.call(play, example, input);
    this.#see(operation, example, outcome, input !== example.input);
    return outcome;
  }

  #see(operation: ShownOperation, example: SuiteExample, outcome: ExampleOutcome, isOfOtherRequest: boolean): void {
    const { result, isImmutable } = outcome;
    const shown = example.outcome.kind === "success" && result !== undefined ? example.outcome : undefined;
    this.#outcomes.set(example, outcome);
    this.#trust.see({
      operation: operation.name,
      example: example.name,
      isLive: example.isLive === true || example.mayFail === true,
      isImmutable,
      readsState: operation.isOfState(example.input),
      isOfOtherRequest,
      compared: shown && { type: result?.type, documented: shown.value, actual: result?.value },
    });
  }

  /** Returns the differences between a response and its example, as far as they are the target's fault. */
  #differences(operation: ShownOperation, example: SuiteExample, outcome: ExampleOutcome): readonly Finding[] {
    const { result, failure, further = [] } = outcome;
    const level = this.#trust.blameForAbsence(operation.name, example.name);
    // Where most examples are of other data, a single one may match by chance.
    const isCertain = operation.isOfTheDay !== true && this.#trust.isOfThisData();
    const ruleOf = (one: typeof level): Rule =>
      one === "MUST" && isCertain ? propertyRules.example : propertyRules.exampleGuessed;
    const place = withPlace(example.place ?? operation.place);
    if (result === undefined && failure === undefined) return [];
    if (example.outcome.kind === "failure") {
      const found = level === undefined || example.mayFail === true ? [] : otherFailure(operation, example, outcome);
      return level === "MUST" && isCertain
        ? found
        : found.map((one) => ({ ...one, rule: propertyRules.exampleGuessed }));
    }
    if (result === undefined) {
      if (level === undefined) return [];
      const message = "there is no result for an example whose data the target has";
      return [{ rule: ruleOf(level), message, detail: failure?.text ?? "", ...place }];
    }
    const blame = this.#trust.blameFor(operation.name, example.name);
    const found = new Map<string, Finding>();
    for (const { steady, pointer, message: what, detail, place: own } of blame.differences) {
      const message = `${steady === "" ? "the result" : `the result at ${steady}`} ${what}`;
      if (found.has(message)) continue;
      const where = withPlace(example.place ?? own ?? operation.place);
      found.set(message, {
        rule: ruleOf(blame.level),
        message,
        detail: `${pointer} ${detail}`.trim(),
        pointer: steady,
        ...where,
      });
    }
    const others = level === undefined ? [] : further.map((message) => ({ rule: ruleOf(level), message, ...place }));
    return [...[...found.values()].slice(0, mostDifferences), ...others];
  }
}

function draftOf(
  operation: ShownOperation,
  example: SuiteExample,
  name: string,
): Pick<CaseDraft, "group" | "name" | "input" | "isLive"> {
  return { group: "example", name, input: example.input, isLive: operation.isLive?.(example) ?? true };
}

/** Returns the findings of a response whose example shows a failure. */
function otherFailure(
  operation: ShownOperation,
  example: SuiteExample,
  { result, failure }: ExampleOutcome,
): readonly Finding[] {
  const place = withPlace(example.place ?? operation.place);
  const expected = operation.failureText(example);
  const rule = propertyRules.exampleFailure;
  if (result !== undefined) return [{ rule, message: `there is a result instead of ${expected}`, ...place }];
  if (failure === undefined) return [];
  const { text: detail, isDocumented, isExcused = false, message } = failure;
  if (!isDocumented)
    return isExcused ? [] : [{ rule, message: `there is another failure than ${expected}`, detail, ...place }];
  const shown = example.outcome.kind === "failure" ? example.outcome.message : undefined;
  if (shown === undefined || message === undefined || message.trim() === shown.trim()) return [];
  return [
    {
      rule: propertyRules.exampleMessage,
      message: "the failure has another message than the example",
      detail,
      ...place,
    },
  ];
}
