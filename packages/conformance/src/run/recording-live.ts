import { createLiveValues } from "../live/create-live-values.ts";
import type { LiveValues, SeenAnswer } from "../live/live-values.ts";
import type { ReplayAnswer } from "../contract/report.ts";
import { describedOperations } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { SecretMask } from "@nodewright/secret-mask";

/** Live values that record their sources, for replaying a case. */
export interface RecordingLive extends LiveValues {
  /**
   * Passes on what is seen during a stage only at its end, by operation and within an operation in request order: the response order of
   * concurrent cases is arbitrary, and would make runs differ.
   */
  holdWhile<Result>(stage: () => Promise<Result>): Promise<Result>;
  onSee(listener: (answer: SeenAnswer) => void): void;
  /** Returns the first responses of each operation, except for those that contain a secret, are long, or are not JSON. */
  recorded(mask: SecretMask): readonly ReplayAnswer[];
}

const answersPerOperation = 4;
const longestAnswer = 16_384;
const mostCharacters = 1_000_000;

export function createRecordingLive(suite: ConformanceSuite): RecordingLive {
  const live = createLiveValues(suite);
  const positions = new Map(describedOperations(suite).map(({ name }, position) => [name, position]));
  const positionOf = ({ operation }: SeenAnswer): number => positions.get(operation) ?? positions.size;
  let held: SeenAnswer[] | undefined;
  const answers = new Map<string, SeenAnswer[]>();
  const listeners: ((answer: SeenAnswer) => void)[] = [];
  return {
    see: (answer) => {
      if (held === undefined) live.see(answer);
      else held.push(answer);
      const own = answers.get(answer.operation) ?? [];
      if (own.length < answersPerOperation) own.push(answer);
      answers.set(answer.operation, own);
      for (const listener of listeners) listener(answer);
    },
    inputsOf: (operation, most) => live.inputsOf(operation, most),
    valuesOf: (operation, parameter) => live.valuesOf(operation, parameter),
    goodInputsOf: (operation) => live.goodInputsOf(operation),
    answersOf: (operation) => live.answersOf(operation),
    holdWhile: async (stage) => {
      held = [];
      try {
        return await stage();
      } finally {
        const seen = held.toSorted((left, right) => positionOf(left) - positionOf(right));
        held = undefined;
        for (const answer of seen) live.see(answer);
      }
    },
    onSee: (listener) => {
      listeners.push(listener);
    },
    recorded: (mask) => {
      let characters = 0;
      return [...answers.values()].flat().flatMap(({ text: _text, ...answer }) => {
        const { type: _type, ...rest } = answer;
        const text = textOf(rest);
        if (text === undefined || text.length > longestAnswer || characters + text.length > mostCharacters) return [];
        if (mask.mask(text) !== text) return [];
        characters += text.length;
        return [answer];
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
