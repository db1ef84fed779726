import { readFileSync } from "node:fs";
import type { ParsedNode, YAMLMap } from "yaml";
import type { Baseline, FlakyCase, KnownFailure } from "./baseline.ts";
import { isClientRange } from "./client-range.ts";
import { UsageError } from "../basics/usage-error.ts";
import { YamlReader } from "../basics/yaml-reader.ts";

const flakyMembers = ["case", "reason", "since", "clients"];
const knownMembers = ["case", "rule", "message", "reason", "since", "clients"];

/**
 * Reads a baseline. An empty file is an empty baseline.
 *
 * @throws {UsageError} with the line of the first mistake.
 */
export function readBaseline(file: string, text: string): Baseline {
  if (text.split("\n").every((line) => /^\s*(?:#.*)?$/.test(line))) return { known: [], flaky: [] };
  const reader = new YamlReader(file, text);
  reader.known(reader.root, ["format", "known", "flaky"]);
  if (reader.text(reader.root, "format") !== "1")
    throw reader.mistake('"format" has to be 1', reader.root.get("format", true));
  const seen = new Set<string>();
  const once = <Entry extends FlakyCase | KnownFailure>(entry: Entry, map: YAMLMap<ParsedNode>): Entry => {
    const key = JSON.stringify([
      entry.case,
      "rule" in entry ? [entry.rule, entry.message] : "flaky",
      entry.clients ?? [],
    ]);
    if (seen.has(key)) throw reader.mistake(`${entry.case} stands twice with the same finding`, map);
    seen.add(key);
    return entry;
  };
  return {
    known: reader.entries(reader.root, "known").map((map) => {
      reader.known(map, knownMembers);
      return once(
        { ...readCommon(reader, map), rule: reader.text(map, "rule"), message: reader.text(map, "message") },
        map,
      );
    }),
    flaky: reader.entries(reader.root, "flaky").map((map) => {
      reader.known(map, flakyMembers);
      return once(readCommon(reader, map), map);
    }),
  };
}

function readCommon(reader: YamlReader, map: YAMLMap<ParsedNode>): FlakyCase {
  const clients = reader.texts(map, "clients");
  const wrong = clients?.find((range) => !isClientRange(range));
  if (wrong !== undefined)
    throw reader.mistake(
      `"${wrong}" is no client with versions: it is written as btcd >=0.24 <0.27`,
      map.get("clients", true),
    );
  const since = reader.text(map, "since");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(since))
    throw reader.mistake('"since" has to be a day such as 2026-11-22', map.get("since", true));
  return {
    case: reader.text(map, "case"),
    reason: reader.text(map, "reason"),
    since,
    ...(clients === undefined ? {} : { clients }),
  };
}

/**
 * Reads the text of a baseline; empty where there is no file yet and one is going to be written.
 *
 * @throws {UsageError} where it can't be read.
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
