import { readFileSync } from "node:fs";
import type { FindingReport } from "../contract/report.ts";
import { isClientRange } from "./client-range.ts";
import { UsageError } from "@nodewright/terminal-text";
import { type Mistake, YamlReader } from "../basics/yaml-reader.ts";

/** A known failure: a case with its expected finding. */
export interface KnownFailure {
  /** Exact id of the case. */
  readonly case: string;
  /** Id of the rule. */
  readonly rule: string;
  /** Exact message of the finding. */
  readonly message: string;
  /** Reason of the target's behaviour, for people. */
  readonly reason: string;
  /** Day on which it was first seen: `2026-11-22`. */
  readonly since: string;
  /** Client ranges, such as `btcd >=0.24 <0.27`, any of which must match. Absent: any client. */
  readonly clients?: readonly string[] | undefined;
}

/** A case that fails intermittently: it is played and reported, and never fails a run. */
export interface FlakyCase {
  readonly case: string;
  readonly reason: string;
  readonly since: string;
  readonly clients?: readonly string[] | undefined;
}

/** Known violations of a target. */
export interface Baseline {
  readonly known: readonly KnownFailure[];
  readonly flaky: readonly FlakyCase[];
}

/**
 * Returns whether an entry refers to a finding. Older findings of GraphQL contain response keys, which may be aliases, instead of field
 * names: their entries still match.
 */
export function isEntryOf(
  entry: Pick<KnownFailure, "rule" | "message">,
  { rule, message, pointer }: Pick<FindingReport, "rule" | "message" | "pointer">,
): boolean {
  if (entry.rule !== rule) return false;
  return (
    entry.message === message || (pointer !== undefined && entry.message === message.replace(/^\/\S*/, () => pointer))
  );
}

/** Reason of an entry that was not reviewed yet. */
export const unexplained = "TO BE EXPLAINED";

const known = {
  case: "text",
  rule: "text",
  message: "text",
  reason: "text",
  since: "text",
  clients: "texts?",
} as const;
const flaky = { case: "text", reason: "text", since: "text", clients: "texts?" } as const;

/**
 * Parses a baseline. An empty file is an empty baseline.
 *
 * @throws {UsageError} with the line of the first mistake.
 */
export function readBaseline(file: string, text: string): Baseline {
  if (text.split("\n").every((line) => /^\s*(?:#.*)?$/.test(line))) return { known: [], flaky: [] };
  const reader = new YamlReader(file, text);
  reader.head({}, ["known", "flaky"]);
  const seen = new Set<string>();
  const check = (entry: FlakyCase | KnownFailure, mistake: Mistake): void => {
    const { clients = [], since } = entry;
    const wrong = clients.find((range) => !isClientRange(range));
    if (wrong !== undefined)
      throw mistake(`"${wrong}" is not a client with versions: the form is btcd >=0.24 <0.27`, "clients");
    if (!/^\d{4}-\d{2}-\d{2}$/.test(since)) throw mistake('"since" has to be a day such as 2026-11-22', "since");
    const key = JSON.stringify([entry.case, "rule" in entry ? [entry.rule, entry.message] : "flaky", clients]);
    if (seen.has(key)) throw mistake(`${entry.case} stands twice with the same finding`);
    seen.add(key);
  };
  return { known: reader.list("known", known, check), flaky: reader.list("flaky", flaky, check) };
}

/**
 * Reads the contents of a baseline; an empty string when the file does not exist and will be written.
 *
 * @throws {UsageError} when it can't be read.
 */
export function readBaselineText(file: string, mayBeMissing: boolean): string {
  try {
    return readFileSync(file, "utf8");
  } catch (reason) {
    const isMissing = reason instanceof Error && "code" in reason && reason.code === "ENOENT";
    if (isMissing && mayBeMissing) return "";
    throw new UsageError(
      isMissing ? `There is no baseline ${file}: --update-baseline writes one.` : `The baseline ${file} can't be read.`,
    );
  }
}
