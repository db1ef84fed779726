import { canonicalText } from "@nodewright/api-model";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import type { CallOptions, Input, Operation, Outcome, Result } from "./operation.ts";
import type { Call, Check, Knowledge, Problem } from "./property.ts";

/** Thrown into a check whose call has no value: the check ends without a problem. */
export class NoValue extends Error {
  /** Whether the target has nothing with the identifier. */
  readonly isAbsent: boolean;
  readonly isRefused: boolean;

  constructor({ isAbsent = false, isRefused = false }: Pick<Outcome, "isAbsent" | "isRefused"> = {}) {
    super();
    this.isAbsent = isAbsent;
    this.isRefused = isRefused;
  }
}

/**
 * Verifies with the greatest limit, and without it where the target refuses the limit next to the other parameters of a check: no type
 * states which combinations are valid.
 */
export async function verifyWidest(
  { base, whole }: Knowledge,
  verify: (start: Input) => Promise<readonly Problem[]>,
): Promise<readonly Problem[]> {
  try {
    return await verify(whole);
  } catch (reason) {
    if (!(reason instanceof NoValue && reason.isRefused)) throw reason;
    return await verify(base);
  }
}

/** Returns the optional parameters of an input. */
function optionalIn({ parameters }: Operation, input: Input): readonly string[] {
  const given = parameters.filter(({ required, property }) => !required && input[property] !== undefined);
  return given.map(({ property }) => property);
}

/** Returns whether an accepted call or an example has all of these parameters. */
function areCombined({ known, examples = [] }: Operation, properties: readonly string[]): boolean {
  return [...known, ...examples].some(({ input }) => properties.every((property) => input[property] !== undefined));
}

/** Returns whether an input combines optional parameters that no accepted call and no example combines. */
function isNewCombination(operation: Operation, input: Input): boolean {
  const given = optionalIn(operation, input);
  return given.length > 1 && !areCombined(operation, given);
}

/** Maximum number of objects of one response whose values are checked. */
const mostRows = 20;

/** Calls of checks that are verified at the same time. Calls made together go into one request, and equal calls are made once. */
export class Attempt {
  readonly #operation: Operation;
  readonly #play: CasePlay;
  readonly #options: CallOptions;
  readonly #outcomes = new Map<string, Promise<Outcome>>();
  readonly #findings = new Set<Finding>();
  readonly #results = new Map<Check, Map<string, Result>>();
  #waiting: { readonly input: Input; readonly allowsEarlier: boolean }[] = [];
  #sent: Promise<readonly Outcome[]> | undefined;
  #rows = 1;
  /** Whether a check ended since the target refused a call. */
  wasRefused = false;

  constructor(operation: Operation, play: CasePlay, checks: readonly Check[], options: Omit<CallOptions, "reads">) {
    this.#operation = operation;
    this.#play = play;
    const reads = new Map(checks.flatMap((check) => (check.reads ?? []).map((path) => [path.join("."), path])));
    const mayBeRefused = checks.some((check) => check.mayBeRefused === true);
    this.#options = { ...options, mayBeRefused, reads: [...reads.values()] };
  }

  /** Number of objects that have values; known after the first call. */
  get rows(): number {
    return this.#rows;
  }

  /** Findings about the responses themselves. */
  get findings(): Iterable<Finding> {
    return this.#findings;
  }

  /** Returns the results of the calls of a check, in the same order for equal calls. */
  resultsOf(check: Check): readonly Result[] {
    const results = [...(this.#results.get(check) ?? [])];
    return results.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, result]) => result);
  }

  /** Returns the function with which a check makes its calls, for one of the objects. */
  callerOf(check: Check, row: number): Call {
    const call = async (...inputs: readonly Input[]): Promise<readonly Result[]> =>
      await Promise.all(inputs.map(async (input) => await this.resultOf(input, row, check)));
    return call as Call;
  }

  /** Returns the result of a call for one of the objects, in the form that a check needs. Throws `NoValue` when the call has no such result. */
  async resultOf(input: Input, row: number, check?: Check): Promise<Result> {
    const key = canonicalText(input);
    const known = check?.isRepeated === true ? undefined : this.#outcomes.get(key);
    const outcome = known ?? this.#enqueue(input, this.#options.allowsEarlier && check?.isRepeated !== true);
    this.#outcomes.set(key, outcome);
    const { results = [], findings, ...none } = await outcome;
    for (const finding of findings) this.#findings.add(finding);
    this.#rows = Math.min(mostRows, Math.max(this.#rows, results.length));
    const result = results[row];
    if (result === undefined) throw new NoValue(none);
    if (check === undefined) return result;
    const own = this.#results.get(check) ?? new Map<string, Result>();
    this.#results.set(check, own.set(`${key} ${row}`, result));
    return result;
  }

  /** Queues a call. All calls of the same event loop iteration are sent together. */
  async #enqueue(input: Input, allowsEarlier: boolean): Promise<Outcome> {
    const index = this.#waiting.push({ input, allowsEarlier }) - 1;
    this.#sent ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#send());
    const outcome = (await this.#sent)[index];
    if (outcome === undefined) throw new Error("The operation returned fewer outcomes than inputs");
    return outcome;
  }

  async #send(): Promise<readonly Outcome[]> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#sent = undefined;
    const inputs = waiting.map(({ input }) => input);
    const allowsEarlier = waiting.every((one) => one.allowsEarlier);
    const options = { ...this.#options, allowsEarlier };
    if (options.mayBeRefused === true || !inputs.some((input) => isNewCombination(this.#operation, input)))
      return await this.#operation.call(this.#play, inputs, options);
    const outcomes = await this.#operation.call(this.#play, inputs, { ...options, mayBeRefused: true });
    const refused = inputs.find((_, index) => outcomes[index]?.isRefused === true);
    if (refused !== undefined) await this.#callSingly(refused);
    return outcomes;
  }

  /**
   * Calls with each optional parameter of a refused combination alone, up to the first one that is refused: that is a violation, other than
   * the refusal of a combination. A parameter that was accepted in another call may need others next to it.
   */
  async #callSingly(input: Input): Promise<void> {
    const given = optionalIn(this.#operation, input);
    for (const property of given.filter((one) => !areCombined(this.#operation, [one]))) {
      const single = Object.entries(input).filter(([name]) => name === property || !given.includes(name));
      const [outcome] = await this.#operation.call(this.#play, [Object.fromEntries(single)], this.#options);
      for (const finding of outcome?.findings ?? []) this.#findings.add(finding);
      if (outcome?.isRefused === true) return;
    }
  }
}
