import { createLiveValues } from "../live/create-live-values.ts";
import type { LiveValues, ObservedResult } from "../live/live-values.ts";
import type { ReplayResult } from "../contract/report.ts";
import { describedOperations } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { SecretMask } from "@nodewright/secret-mask";

/** Live values that record their sources, for replaying a case. */
export interface RecordingLive extends LiveValues {
  /**
   * Passes on what is seen during a stage only at its end, by operation and within an operation in request order: the response order of
   * concurrent cases is arbitrary, and would make runs differ.
   */
  pauseWhile<Result>(stage: () => Promise<Result>): Promise<Result>;
  onSee(listener: (response: ObservedResult) => void): void;
  /** Returns the first responses of each operation, except for those that contain a secret, are long, or are not JSON. */
  recorded(mask: SecretMask): readonly ReplayResult[];
}

const resultsPerOperation = 4;
const longestResult = 16_384;
const mostCharacters = 1_000_000;

export function createRecordingLive(suite: ConformanceSuite): RecordingLive {
  const live = createLiveValues(suite);
  const positions = new Map(describedOperations(suite).map(({ name }, position) => [name, position]));
  const positionOf = ({ operation }: ObservedResult): number => positions.get(operation) ?? positions.size;
  let held: ObservedResult[] | undefined;
  const responses = new Map<string, ObservedResult[]>();
  const listeners: ((response: ObservedResult) => void)[] = [];
  return {
    see: (response) => {
      if (held === undefined) live.see(response);
      else held.push(response);
      const own = responses.get(response.operation) ?? [];
      if (own.length < resultsPerOperation) own.push(response);
      responses.set(response.operation, own);
      for (const listener of listeners) listener(response);
    },
    inputsOf: (operation, most) => live.inputsOf(operation, most),
    valuesOf: (operation, parameter) => live.valuesOf(operation, parameter),
    goodInputsOf: (operation) => live.goodInputsOf(operation),
    resultsOf: (operation) => live.resultsOf(operation),
    pauseWhile: async (stage) => {
      held = [];
      try {
        return await stage();
      } finally {
        const seen = held.toSorted((left, right) => positionOf(left) - positionOf(right));
        held = undefined;
        for (const response of seen) live.see(response);
      }
    },
    onSee: (listener) => {
      listeners.push(listener);
    },
    recorded: (mask) => {
      let characters = 0;
      return [...responses.values()].flat().flatMap(({ text: _text, ...response }) => {
        const { type: _type, ...rest } = response;
        const text = textOf(rest);
        if (text === undefined || text.length > longestResult || characters + text.length > mostCharacters) return [];
        if (mask.mask(text) !== text) return [];
        characters += text.length;
        return [response];
      });
    },
  };
}

/** Returns a value as JSON; `undefined` when JSON can't represent it. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
