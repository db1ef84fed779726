import { createLiveValues } from "../live/create-live-values.ts";
import type { LiveValues, SeenAnswer } from "../live/live-values.ts";
import type { ReplayAnswer } from "../report/report.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { SecretMask } from "../wire/secret-mask.ts";

/** Live values that remember where they came from, for playing a case again. */
export interface RecordingLive {
  readonly values: LiveValues;
  onSee(listener: (answer: SeenAnswer) => void): void;
  /** The first answers of each operation, those that hold a secret, are long, or are no JSON left out. */
  recorded(mask: SecretMask): readonly ReplayAnswer[];
}

const answersPerOperation = 4;
const longestAnswer = 16_384;
const mostCharacters = 1_000_000;

export function createRecordingLive(suite: ConformanceSuite): RecordingLive {
  const live = createLiveValues(suite);
  const answers = new Map<string, SeenAnswer[]>();
  const listeners: ((answer: SeenAnswer) => void)[] = [];
  return {
    values: {
      see: (answer) => {
        live.see(answer);
        const own = answers.get(answer.operation) ?? [];
        if (own.length < answersPerOperation) own.push(answer);
        answers.set(answer.operation, own);
        for (const listener of listeners) listener(answer);
      },
      inputsOf: (operation, most) => live.inputsOf(operation, most),
      valuesOf: (operation, parameter) => live.valuesOf(operation, parameter),
      goodInputsOf: (operation) => live.goodInputsOf(operation),
      answersOf: (operation) => live.answersOf(operation),
      isSure: (operation, input) => live.isSure?.(operation, input) ?? false,
    },
    onSee: (listener) => {
      listeners.push(listener);
    },
    recorded: (mask) => {
      let characters = 0;
      return [...answers.values()].flat().filter((answer) => {
        const text = textOf([answer.input, answer.value]);
        if (text === undefined) return false;
        if (text.length > longestAnswer || characters + text.length > mostCharacters || mask.mask(text) !== text)
          return false;
        characters += text.length;
        return true;
      });
    },
  };
}

/** Undefined for what JSON can't hold. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
