import { getSystemErrorName } from "node:util";
import { IndexerError, isIndexerError } from "./indexer-error.ts";

/** What an operator can put right, or time: no space, no memory, too many open files. */
const passingErrors: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EDQUOT",
  "ENOMEM",
  "EMFILE",
  "ENFILE",
  "EAGAIN",
  "EBUSY",
]);

/** Says in one sentence that the system has refused to read or write the index; with `retry` when that may pass. */
export function storeFailure(cause: unknown): IndexerError {
  const name = systemErrorName(cause);
  const code = name === undefined ? "" : ` (${name})`;
  return new IndexerError(
    "directory-unusable",
    `The index can't be written${code}: check the free space and the permissions of its data directory.`,
    { cause, retry: name !== undefined && passingErrors.has(name) },
  );
}

/** For example `ENOSPC`: Node gives it as text, LMDB as its positive number or as a negative one of its own. */
export function systemErrorName(reason: unknown): string | undefined {
  if (isIndexerError(reason) || !(reason instanceof Error) || !("code" in reason)) return undefined;
  const { code } = reason;
  return typeof code === "number" && code > 0 ? getSystemErrorName(-code) : String(code);
}
