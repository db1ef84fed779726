import { accessSync, constants, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Chain } from "../registry/registry.ts";
import type { Endpoint } from "./endpoint.ts";
import { StartProblem } from "../configuration/start-problem.ts";

/** A node as it is announced to clients. */
export interface AnnouncedNode {
  readonly id: string;
  readonly chain: Chain;
  readonly endpoint: Endpoint;
  readonly key: string;
}

/** Announcement that every interface is available. */
export interface Announcement {
  readonly nodes: readonly AnnouncedNode[];
  /** Origin of the operator's listener, if there is one. */
  readonly operatorOrigin?: string | undefined;
}

/** Removes the file of an earlier run at `path`, and throws `StartProblem` when it would not be writable. */
export function prepareReadyFile(path: string): void {
  orStartProblem(path, () => {
    rmSync(path, { force: true });
    accessSync(dirname(resolve(path)), constants.W_OK | constants.X_OK);
  });
}

/**
 * Announces the nodes in a file, readable by its owner alone: it contains keys. The file appears under its name when it is complete. Throws
 * `StartProblem`.
 */
export function writeReadyFile(path: string, announcement: Announcement): void {
  orStartProblem(path, () => {
    const workshop = mkdtempSync(join(dirname(resolve(path)), ".nodewright-ready-"));
    const unfinished = join(workshop, "ready.json");
    try {
      writeFileSync(unfinished, renderReadyFile(announcement), { mode: 0o600 });
      renameSync(unfinished, path);
    } finally {
      rmSync(workshop, { recursive: true, force: true });
    }
  });
}

function orStartProblem(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new StartProblem(
      `The ready file ${path} can't be written (${code}): give --ready-file a name in a directory that is there and can be written.`,
    );
  }
}

function renderReadyFile({ nodes, operatorOrigin }: Announcement): string {
  const content = {
    nodes: nodes.map(({ id, chain, endpoint, key }) => ({
      id,
      chain,
      endpoint: endpoint.url,
      apikey: key,
      interfaces: endpoint.interfaces,
    })),
    operator: operatorOrigin,
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
