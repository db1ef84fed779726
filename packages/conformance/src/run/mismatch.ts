import type { Answer } from "../wire/exchange.ts";
import { Interruption } from "../wire/interruption.ts";
import type { PlayedCase } from "./played-case.ts";

/** Operations that have to be answered alike before a document counts as another target's. */
const fewestOperations = 2;

/**
 * Why a document is not of a target, where nothing was answered as described: each operation is answered with the status that a
 * request gets which nobody described, and that status is an error, or the bodies are the same.
 */
export async function findMismatch(
  played: readonly PlayedCase[],
  askForNothing: () => Promise<Answer>,
): Promise<string | undefined> {
  const answers = new Map(played.map(({ planned, exchanges }) => [planned.operation, exchanges.at(-1)?.answer]));
  const known = [...answers.values()].filter((answer) => answer !== undefined);
  const [first] = known;
  if (first === undefined || known.length < answers.size || answers.size < fewestOperations) return undefined;
  if (known.some(({ status }) => status !== first.status)) return undefined;
  const unknown = await answerOf(askForNothing);
  if (unknown === undefined || unknown.status !== first.status) return undefined;
  const isSameBody = known.every(({ body }) => body === first.body);
  if (first.status < 400 && !(isSameBody && unknown.text === first.body)) return undefined;
  return `The document does not match this address at all: all ${answers.size} operations that were asked are answered with the status ${first.status}, as is what nobody described.`;
}

async function answerOf(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (reason) {
    if (reason instanceof Interruption) return undefined;
    throw reason;
  }
}
