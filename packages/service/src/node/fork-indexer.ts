import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { NetworkName } from "@nodewright/bitcoin-primitives";
import type { NodeAddress } from "../command/start-options.ts";

/** Where an indexer process takes its blocks from. */
export type IndexerSource =
  /** A block file, or a directory of them. */
  { readonly kind: "files"; readonly path: string } | { readonly kind: "node"; readonly node: NodeAddress };

/** What an indexer process is told to do, in the first message that it gets. */
export interface IndexerAssignment {
  /** Where the index stands, or is to be made. */
  readonly directory: string;
  readonly network: NetworkName;
  readonly source: IndexerSource;
}

/** Run from the sources, the program is a `.ts` file; run from `dist`, a `.js` file. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));
const entry = fileURLToPath(new URL(`../indexer-process${extension}`, import.meta.url));

/**
 * Starts an indexer process, which sends `IndexerEvent`s and ends when this process does.
 *
 * The assignment travels by message: it may hold credentials, and every user of the machine sees arguments.
 */
export function forkIndexer(assignment: IndexerAssignment): ChildProcess {
  const child = fork(entry, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  // The channel may break at once; the end of the child is told by its exit.
  child.send(assignment, () => {});
  return child;
}
