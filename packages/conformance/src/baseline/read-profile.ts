import { readdirSync } from "node:fs";
import { readText } from "../basics/read-text.ts";
import { suggestion, UsageError } from "@nodewright/terminal-text";
import { isClientRange } from "./client-range.ts";
import type { Availability } from "../contract/capability-facts.ts";
import { YamlReader } from "../basics/yaml-reader.ts";

/** Operations that a client is known not to offer. A profile can only remove cases, and one that is not verified does not even do this. */
export interface Profile {
  /** Name, such as `btcd`. */
  readonly name: string;
  /** Client range, as in baselines: `btcd >=0.24`. */
  readonly client: string;
  /** Whether it was checked with the running client. */
  readonly isVerified: boolean;
  /** Differences of the client, for people. */
  readonly notes: readonly string[];
  readonly operations: readonly ProfileOperation[];
}

export interface ProfileOperation {
  /** Name of an operation; `*` matches any string. */
  readonly operation: string;
  readonly availability: Extract<Availability, "missing" | "disabled" | "needs archive">;
  readonly reason: string;
  /** Source of the fact: a URL, or a file of the client's sources. */
  readonly source: string;
}

const directory = new URL("../../profiles/", import.meta.url);
const extension = ".yaml";

/** Returns the names of the included profiles. */
export function listProfiles(): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(extension))
      .map((name) => name.slice(0, -extension.length))
      .toSorted();
  } catch {
    return [];
  }
}

/**
 * Reads the profile of this name, or the file at this path.
 *
 * @throws {UsageError} when the profile is missing or contains a mistake.
 */
export function readProfile(name: string): Profile {
  const isFile = /[/\\]|\.ya?ml$/i.test(name);
  const names = listProfiles();
  if (!isFile && !names.includes(name))
    throw new UsageError(
      `There is no profile "${name}"${suggestion(name, names)}: there are ${names.join(", ") || "none"}; a file of your own is named with its path.`,
    );
  const file = isFile ? name : new URL(`${name}${extension}`, directory);
  return parseProfile(name, readText(file, `The profile ${name} can't be read.`));
}

/** @throws {UsageError} with the line of the first mistake. */
export function parseProfile(file: string, text: string): Profile {
  const reader = new YamlReader(file, text);
  const head = { name: "text", client: "text", verified: "flag?", notes: "texts?" } as const;
  const {
    name,
    client,
    verified = false,
    notes = [],
  } = reader.head(head, ["operations"], (entry, mistake) => {
    if (!isClientRange(entry.client)) throw mistake(`"${entry.client}" is not a client with versions`, "client");
  });
  const operation = { operation: "text", availability: "text", reason: "text", source: "text" } as const;
  const operations = reader.list("operations", operation, ({ availability }, mistake) => {
    if (!isAvailability(availability))
      throw mistake('"availability" is missing, disabled or needs archive', "availability");
  });
  return { name, client, isVerified: verified, notes, operations: operations as readonly ProfileOperation[] };
}

function isAvailability(text: string): text is ProfileOperation["availability"] {
  return text === "missing" || text === "disabled" || text === "needs archive";
}
