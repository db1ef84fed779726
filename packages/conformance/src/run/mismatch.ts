import type { StatusPattern } from "@nodewright/runtime";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { RecordedExchange } from "../contract/exchange.ts";
import type { PlayedCase } from "./play-case.ts";

/** Minimum number of operations: a single one is inconclusive, since a method may be missing. */
const minimumOperations = 2;

/** The last response of an operation, and whether it is documented. */
interface OperationResult {
  readonly status: number;
  readonly likeness: string;
  readonly isDocumented: boolean;
}

/**
 * Returns why a document does not belong to a target: each operation has the response of an undescribed request. Either the responses are
 * equal, except for parts of the request that they repeat and numbers; or, when no response is as described, all have the same error
 * status.
 */
export async function findMismatch(
  suite: ConformanceSuite,
  played: readonly PlayedCase[],
  requestNothing: () => Promise<RecordedExchange | undefined>,
): Promise<string | undefined> {
  const responses = lastResults(suite, played);
  const [first] = responses;
  if (first === undefined || responses.some(({ status }) => status !== first.status)) return undefined;
  // When the response is documented for each operation, it is the right target with other data.
  if (responses.every(({ isDocumented }) => isDocumented)) return undefined;
  const isLetter = responses.every(({ likeness }) => likeness === first.likeness);
  const isError = first.status >= 400 && responses.every(({ isDocumented }) => !isDocumented);
  const isEnough = responses.length >= minimumOperations;
  if (!(isLetter && (isEnough || first.status >= 400)) && !(isError && isEnough)) return undefined;
  const unknown = await requestNothing();
  if (unknown?.response === undefined || unknown.response.status !== first.status) return undefined;
  if (!(isLetter && likenessOf(unknown) === first.likeness) && !(isError && isEnough)) return undefined;
  const requested =
    responses.length === 1 ? "the called operation has" : `all ${responses.length} called operations have`;
  return `The document does not match this address at all: ${requested} the status ${first.status}, and so has an undescribed request.`;
}

function lastResults(suite: ConformanceSuite, played: readonly PlayedCase[]): readonly OperationResult[] {
  const patterns = new Map<string, ReadonlySet<StatusPattern | undefined>>(
    suite.protocol === "http"
      ? suite.operations.map(({ name, failures }) => [name, new Set(failures.map(({ status }) => status))])
      : [],
  );
  const responses = new Map<string, OperationResult>();
  for (const { planned, exchanges } of played) {
    const last = exchanges.at(-1);
    if (last?.response === undefined) continue;
    const { status } = last.response;
    responses.set(planned.operation, {
      status,
      likeness: likenessOf(last),
      isDocumented: patterns.get(planned.operation)?.has(status) === true,
    });
  }
  return [...responses.values()];
}

/** Returns the body without parts of the request that it repeats, and without numbers. */
function likenessOf({ url, response }: RecordedExchange): string {
  const { pathname } = URL.parse(url) ?? { pathname: "" };
  const body = response?.body ?? "";
  const withoutPath = pathname.length > 1 ? body.replaceAll(pathname, "") : body;
  return withoutPath
    .replaceAll(/"id"\s*:\s*(?:"[^"]*"|[-\d.]+|null)/g, "")
    .replaceAll(/[0-9a-f]{6,}|\d+/gi, "0")
    .replaceAll(/(?:0[-:.TZ]?)+/g, "0");
}
