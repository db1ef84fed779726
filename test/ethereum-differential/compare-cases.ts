import type { GraphQLSchema } from "graphql";
import type { Ask } from "./query-both.ts";
import { compareAnswers, type Difference } from "./compare-responses.ts";
import type { DifferencesFile, ExplainDifference } from "./listed-differences.ts";
import type { QueryCase } from "./query-case.ts";

/** geth's GraphQL and this project's on the same chain. */
export interface ComparedServers {
  /** What the comparison is called. */
  readonly over: string;
  readonly schema: GraphQLSchema;
  readonly geth: Ask;
  readonly ours: Ask;
}

/** What comparisons came to so far. */
export interface Outcome {
  /** By comparison, then by `Type.field`. */
  readonly counts: Map<string, Map<string, Count>>;
  /** How many differences each listed one explains. */
  readonly explained: Map<string, number>;
  readonly findings: Finding[];
  queries: number;
}

export interface Count {
  compared: number;
  /** How many of them a listed difference explains, by its id. */
  readonly listed: Map<string, number>;
  unexplained: number;
}

/** A difference that no entry of the list explains. */
export interface Finding extends Difference {
  readonly over: string;
  readonly asked: QueryCase;
}

export function createOutcome(): Outcome {
  return { counts: new Map(), explained: new Map(), findings: [], queries: 0 };
}

/** Counts values that were compared, and those that differ: each as the list explains it, or as a finding. */
export function countDifferences(
  over: string,
  asked: QueryCase,
  compared: ReadonlyMap<string, number>,
  differences: readonly Difference[],
  explain: ExplainDifference,
  outcome: Outcome,
): void {
  const counts = outcome.counts.get(over) ?? new Map<string, Count>();
  outcome.counts.set(over, counts);
  const countOf = (coordinate: string): Count => {
    const count = counts.get(coordinate) ?? { compared: 0, listed: new Map(), unexplained: 0 };
    counts.set(coordinate, count);
    return count;
  };
  for (const [coordinate, times] of compared) countOf(coordinate).compared += times;
  for (const difference of differences) {
    const count = countOf(difference.coordinate);
    const id = explain(over, asked.kind, difference)?.id;
    if (id === undefined) {
      count.unexplained += 1;
      outcome.findings.push({ ...difference, over, asked });
    } else {
      count.listed.set(id, (count.listed.get(id) ?? 0) + 1);
      outcome.explained.set(id, (outcome.explained.get(id) ?? 0) + 1);
    }
  }
}

/** Of a query of the pending state whose results differ. */
const retries = 3;

/** Queries under way at once. */
const workers = 3;

/** Asks both servers each of the queries, and counts what is the same and what is not. */
export async function compareCases(
  { over, schema, geth, ours }: ComparedServers,
  cases: readonly QueryCase[],
  { unordered }: DifferencesFile,
  explain: ExplainDifference,
  outcome: Outcome,
): Promise<void> {
  const orders = new Map(unordered.map(({ coordinate, by }) => [coordinate, by]));
  const compareOnce = async (asked: QueryCase): Promise<ReturnType<typeof compareAnswers>> => {
    const [left, right] = await Promise.all([geth, ours].map((ask) => ask(asked.query, asked.variables)));
    if (left === undefined || right === undefined) throw new Error("An answer is missing");
    return compareAnswers(schema, asked.query, left, right, orders);
  };
  const compareOne = async (asked: QueryCase): Promise<void> => {
    let result = await compareOnce(asked);
    // geth builds its pending block anew every two seconds, with another time: the two may have seen different ones.
    for (
      let again = 0;
      asked.kind.startsWith("pending") && result.differences.length > 0 && again < retries;
      again += 1
    )
      result = await compareOnce(asked);
    const { compared, differences } = result;
    outcome.queries += 1;
    countDifferences(over, asked, compared, differences, explain, outcome);
  };
  const left = cases.values();
  const work = async (): Promise<void> => {
    for (const asked of left) await compareOne(asked);
  };
  await Promise.all(Array.from({ length: workers }, work));
}
