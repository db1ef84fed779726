import { getOrInsert } from "../live/collected-values.ts";
import type { ObservedResult } from "../live/live-values.ts";
import { SuiteValues } from "../live/suite-values.ts";
import type { ReplayResult } from "../contract/report.ts";
import { describedOperations } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { SecretMask } from "@nodewright/secret-mask";

const resultsPerOperation = 4;
const maximumResultLength = 16_384;
const maximumCharacters = 1_000_000;

/** Live values that record their sources, for replaying a case. */
export class RecordingLive extends SuiteValues {
  readonly #positions: ReadonlyMap<string, number>;
  readonly #results = new Map<string, ObservedResult[]>();
  readonly #listeners: ((result: ObservedResult) => void)[] = [];
  #held: ObservedResult[] | undefined;

  constructor(suite: ConformanceSuite) {
    super(suite);
    this.#positions = new Map(describedOperations(suite).map(({ name }, position) => [name, position]));
  }

  override see(result: ObservedResult): void {
    if (this.#held === undefined) super.see(result);
    else this.#held.push(result);
    const own = getOrInsert(this.#results, result.operation, (): ObservedResult[] => []);
    if (own.length < resultsPerOperation) own.push(result);
    for (const listener of this.#listeners) listener(result);
  }

  /**
   * Passes on what is seen during a stage only at its end, by operation and within an operation in request order: the response order of
   * concurrent cases is arbitrary, and would make runs differ.
   */
  async pauseWhile<Result>(stage: () => Promise<Result>): Promise<Result> {
    const positionOf = ({ operation }: ObservedResult): number =>
      this.#positions.get(operation) ?? this.#positions.size;
    const held: ObservedResult[] = [];
    this.#held = held;
    try {
      return await stage();
    } finally {
      this.#held = undefined;
      for (const result of held.toSorted((left, right) => positionOf(left) - positionOf(right))) super.see(result);
    }
  }

  onSee(listener: (result: ObservedResult) => void): void {
    this.#listeners.push(listener);
  }

  /** Returns the first responses of each operation, except for those that contain a secret, are long, or are not JSON. */
  recorded(mask: SecretMask): readonly ReplayResult[] {
    let characters = 0;
    return [...this.#results.values()].flat().flatMap(({ text: _text, ...result }) => {
      const { type: _type, ...rest } = result;
      const text = textOf(rest);
      if (text === undefined || text.length > maximumResultLength || characters + text.length > maximumCharacters)
        return [];
      if (mask.mask(text) !== text) return [];
      characters += text.length;
      return [result];
    });
  }
}

/** Returns a value as JSON; `undefined` when JSON can't represent it. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
