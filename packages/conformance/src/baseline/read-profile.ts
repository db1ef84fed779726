import { readdirSync } from "node:fs";
import { readText } from "../basics/read-text.ts";
import { suggestion, UsageError } from "@nodewright/terminal-text";
import { isClientRange } from "./client-range.ts";
import type { Availability } from "../contract/capability-facts.ts";
import { YamlReader } from "../basics/yaml-reader.ts";

/** What a client is known not to offer. A profile only takes cases away, and one that is not verified not even these. */
export interface Profile {
  /** `btcd`. */
  readonly name: string;
  /** What the client is called, as in baselines: `btcd >=0.24`. */
  readonly client: string;
  /** True: it was held against the running client. */
  readonly isVerified: boolean;
  /** In which ways the client differs, for people. */
  readonly notes: readonly string[];
  readonly operations: readonly ProfileOperation[];
}

export interface ProfileOperation {
  /** Name of an operation; `*` stands for any text. */
  readonly operation: string;
  readonly availability: Extract<Availability, "missing" | "disabled" | "needs archive">;
  readonly reason: string;
  /** Where that is said: an address, or a file of the client's sources. */
  readonly source: string;
}

const directory = new URL("../../profiles/", import.meta.url);
const extension = ".yaml";

/** Names of the profiles that come along. */
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
 * Reads the profile of this name, or the file where it is the path of one.
 *
 * @throws {UsageError} where there is none, or it holds a mistake.
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
    if (!isClientRange(entry.client)) throw mistake(`"${entry.client}" is no client with versions`, "client");
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
