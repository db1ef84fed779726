import type { BlockFilterCriteria } from "@nodewright/ethereum-api/types";
import type { Log, LogFilter as NodeLogFilter } from "@nodewright/ethereum-node-api/types";
import { ServiceError } from "@nodewright/runtime";

/** Members of a log that a filter reads. */
export type FilteredLog = Pick<Log, "address" | "topics">;

/** Result of a filter for a log; `short` for one that lacks a topic at a position where any topic would match. */
export type LogMatch = "yes" | "no" | "short";

/** Maximum number of topics: the machine has LOG0 to LOG4. */
const maximumTopics = 4;

/** Maximum number of alternatives, the default of clients. */
const maximumAlternatives = 1_000;

/** Filter of contracts and topics. */
export class LogFilter {
  /** Addresses; undefined for all. */
  readonly #addresses: ReadonlySet<string> | undefined;
  /** Topics by position; undefined where every topic matches. */
  readonly #topics: readonly (ReadonlySet<string> | undefined)[];

  constructor(addresses: readonly string[], topics: readonly (readonly string[])[]) {
    this.#addresses = setOf(addresses);
    this.#topics = topics.map(setOf);
  }

  /** Creates a filter. Throws `invalid_input` for one that clients would reject or nothing could match. */
  static of({ addresses, topics }: BlockFilterCriteria): LogFilter {
    assertAtMost("addresses", addresses?.length ?? 0, maximumAlternatives);
    assertAtMost("topics", topics?.length ?? 0, maximumTopics);
    for (const alternatives of topics ?? [])
      assertAtMost("topicAlternatives", alternatives.length, maximumAlternatives);
    return new LogFilter(addresses ?? [], topics ?? []);
  }

  /** Filter in the form of JSON-RPC: "any topic" is null there, and an empty list here. */
  get params(): Pick<NodeLogFilter, "address" | "topics"> {
    return {
      ...(this.#addresses === undefined ? {} : { address: [...this.#addresses] }),
      ...(this.#topics.length === 0
        ? {}
        : {
            topics: this.#topics.map((alternatives) =>
              alternatives === undefined ? null : [...alternatives],
            ) as never,
          }),
    };
  }

  /** Returns the result for a log. Clients differ in whether `short` logs match; here, as with most of them, they do not. */
  match({ address, topics }: FilteredLog): LogMatch {
    if (this.#addresses !== undefined && !this.#addresses.has(address.toLowerCase())) return "no";
    for (const [position, alternatives] of this.#topics.entries()) {
      const topic = topics[position];
      if (topic === undefined) {
        if (this.#topics.slice(position).some((others) => others !== undefined)) return "no";
        return "short";
      }
      if (alternatives !== undefined && !alternatives.has(topic.toLowerCase())) return "no";
    }
    return "yes";
  }
}

/** Returns the set; an empty list matches everything. */
function setOf(alternatives: readonly string[]): ReadonlySet<string> | undefined {
  return alternatives.length === 0 ? undefined : new Set(alternatives);
}

const limitWords = {
  addresses: "addresses",
  topics: "positions of topics",
  topicAlternatives: "alternatives for one topic",
} as const;

function assertAtMost(limit: keyof typeof limitWords, actual: number, maximum: number): void {
  if (actual <= maximum) return;
  throw new ServiceError(
    "invalid_input",
    `The filter has ${actual} ${limitWords[limit]}; at most ${maximum} are taken`,
    {
      details: { limit, maximum, actual },
    },
  );
}
