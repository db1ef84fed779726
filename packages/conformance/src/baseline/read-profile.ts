import { readdirSync, readFileSync } from "node:fs";
import { suggestion } from "../basics/suggestion.ts";
import { UsageError } from "../basics/usage-error.ts";
import { isClientRange } from "./client-range.ts";
import type { Profile, ProfileOperation } from "./profile.ts";
import { YamlReader } from "../basics/yaml-reader.ts";

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
  return parseProfile(name, readText(isFile ? name : new URL(`${name}${extension}`, directory), name));
}

function readText(file: string | URL, name: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`The profile ${name} can't be read.`);
  }
}

/** @throws {UsageError} with the line of the first mistake. */
export function parseProfile(file: string, text: string): Profile {
  const reader = new YamlReader(file, text);
  const { root } = reader;
  reader.known(root, ["format", "name", "client", "verified", "notes", "operations"]);
  if (reader.text(root, "format") !== "1") throw reader.mistake('"format" has to be 1', root.get("format", true));
  const client = reader.text(root, "client");
  if (!isClientRange(client)) throw reader.mistake(`"${client}" is no client with versions`, root.get("client", true));
  return {
    name: reader.text(root, "name"),
    client,
    isVerified: reader.flag(root, "verified") ?? false,
    notes: reader.texts(root, "notes") ?? [],
    operations: reader.entries(root, "operations").map((map): ProfileOperation => {
      reader.known(map, ["operation", "availability", "reason", "source"]);
      const availability = reader.text(map, "availability");
      if (availability !== "missing" && availability !== "disabled" && availability !== "needs archive")
        throw reader.mistake('"availability" is missing, disabled or needs archive', map.get("availability", true));
      return {
        operation: reader.text(map, "operation"),
        availability,
        reason: reader.text(map, "reason"),
        source: reader.text(map, "source"),
      };
    }),
  };
}
