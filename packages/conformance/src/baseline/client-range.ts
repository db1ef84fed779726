import { coerce, satisfies } from "semver";

/** A client name with constraints on its version. */
const clientRange = /^([a-z][a-z_-]*)((?:\s+(?:>=|<=|>|<|=)?v?\d+(?:\.\d+){0,2})*)$/i;

/** Returns whether a string is a range such as `btcd`, `btcd 0.26` (which includes 0.26.1) and `geth >=1.17 <1.19`. */
export function isClientRange(text: string): boolean {
  return clientRange.test(text.trim());
}

/**
 * Returns whether a client, by its own name and version (`btcd 0.26.0`, `Geth/v1.17.8-stable/linux`, `/Satoshi:28.0.0/`), is in the range;
 * `undefined` when it has no version and the range requires one.
 */
export function isInClientRange(client: string, text: string): boolean | undefined {
  const [, name = "", versions = ""] = clientRange.exec(text.trim()) ?? [];
  const [own = ""] = /[a-z][a-z_-]*/i.exec(client) ?? [];
  if (name === "" || own.toLowerCase() !== name.toLowerCase()) return false;
  if (versions === "") return true;
  const version = coerce(client);
  return version === null ? undefined : satisfies(version, versions);
}
