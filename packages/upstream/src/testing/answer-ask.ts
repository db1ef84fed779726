import type { Ask } from "../chain-words.ts";

/** Creates a fake call function with results by method; values that are errors are thrown. `asked` has each method with its parameters. */
export function answerAsk(answers: Readonly<Record<string, unknown>>): {
  readonly ask: Ask;
  readonly asked: readonly unknown[];
} {
  const asked: unknown[] = [];
  const ask: Ask = async (method, params) => {
    asked.push([method, ...params]);
    const answer = answers[method];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ask, asked };
}
