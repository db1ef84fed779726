import type { StatusPattern } from "@nodewright/runtime";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { RecordedExchange } from "../contract/exchange.ts";
import type { PlayedCase } from "./play-case.ts";

/** Minimum number of operations: a single one is inconclusive, since a method may be missing. */
const fewestOperations = 2;

/** The last response of an operation, and whether it is documented. */
interface OperationAnswer {
  readonly status: number;
  readonly likeness: string;
  readonly isDocumented: boolean;
}

/**
 * Returns why a document does not belong to a target: each operation has the response of an undescribed request. Either the responses are
 * equal, except for parts of the request that they repeat and numbers; or, when nothing was answered as described, all have the same error
 * status.
 */
export async function findMismatch(
  suite: ConformanceSuite,
  played: readonly PlayedCase[],
  askForNothing: () => Promise<RecordedExchange | undefined>,
): Promise<string | undefined> {
  const answers = lastAnswers(suite, played);
  const [first] = answers;
  if (first === undefined || answers.some(({ status }) => status !== first.status)) return undefined;
  // When the response is documented for each operation, it is the right target with other data.
  if (answers.every(({ isDocumented }) => isDocumented)) return undefined;
  const isLetter = answers.every(({ likeness }) => likeness === first.likeness);
  const isError = first.status >= 400 && answers.every(({ isDocumented }) => !isDocumented);
  const isEnough = answers.length >= fewestOperations;
  if (!(isLetter && (isEnough || first.status >= 400)) && !(isError && isEnough)) return undefined;
  const unknown = await askForNothing();
  if (unknown?.answer === undefined || unknown.answer.status !== first.status) return undefined;
  if (!(isLetter && likenessOf(unknown) === first.likeness) && !(isError && isEnough)) return undefined;
  const asked =
    answers.length === 1 ? "the operation that was asked is" : `all ${answers.length} operations that were asked are`;
  return `The document does not match this address at all: ${asked} answered with the status ${first.status}, as is what nobody described.`;
}

function lastAnswers(suite: ConformanceSuite, played: readonly PlayedCase[]): readonly OperationAnswer[] {
  const patterns = new Map<string, ReadonlySet<StatusPattern | undefined>>(
    suite.protocol === "http"
      ? suite.operations.map(({ name, failures }) => [name, new Set(failures.map(({ status }) => status))])
      : [],
  );
  const answers = new Map<string, OperationAnswer>();
  for (const { planned, exchanges } of played) {
    const last = exchanges.at(-1);
    if (last?.answer === undefined) continue;
    const { status } = last.answer;
    answers.set(planned.operation, {
      status,
      likeness: likenessOf(last),
      isDocumented: patterns.get(planned.operation)?.has(status) === true,
    });
  }
  return [...answers.values()];
}

/** Returns the body without parts of the request that it repeats, and without numbers. */
function likenessOf({ url, answer }: RecordedExchange): string {
  const { pathname } = URL.parse(url) ?? { pathname: "" };
  const body = answer?.body ?? "";
  const withoutPath = pathname.length > 1 ? body.replaceAll(pathname, "") : body;
  return withoutPath
    .replaceAll(/"id"\s*:\s*(?:"[^"]*"|[-\d.]+|null)/g, "")
    .replaceAll(/[0-9a-f]{6,}|\d+/gi, "0")
    .replaceAll(/(?:0[-:.TZ]?)+/g, "0");
}
