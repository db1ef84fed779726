import { existsSync, readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import {
  type IndexDamage,
  isIndexerError,
  verifyIndex,
  type VerifyProgress,
  type VerifyResult,
} from "@nodewright/bitcoin-indexer";
import { StartProblem } from "./start-problem.ts";
import { exitDamaged, exitSound, exitUnverified } from "./verify-exit.ts";

/** Which indexes are verified, and how it is told. */
export interface VerifyRequest {
  readonly dataDirectory: string;
  /** One node's alone; every Bitcoin node's when not given. */
  readonly nodeId?: string;
  /** Where tables are made anew to compare them; absent: in the index's own directory. */
  readonly scratchDirectory?: string;
  readonly json: boolean;
}

/** Where it is told. */
export interface VerifyOutput {
  /** Results. */
  readonly output: { write(text: string): unknown };
  /** How far it is, for a person. */
  readonly progress: { readonly isTTY?: boolean | undefined; write(text: string): unknown };
}

/** What was found of one index. */
interface VerifiedIndex extends Partial<VerifyResult> {
  readonly node: string;
  readonly directory: string;
  readonly verdict: "sound" | "damaged" | "unverified";
  readonly damage: readonly IndexDamage[];
  /** Why it could not be verified. */
  readonly problem?: string;
}

/**
 * Verifies the indexes below the data directory of a service, which may run meanwhile, one after the other and at the lowest priority.
 * Returns the exit code. Throws `StartProblem` when there is none.
 */
export async function verifyIndexes(
  request: VerifyRequest,
  { output, progress }: VerifyOutput,
  signal: AbortSignal,
): Promise<number> {
  const indexes = findIndexes(request);
  setPriority(constants.priority.PRIORITY_LOW);
  const verified: VerifiedIndex[] = [];
  for (const [index, { node, directory }] of indexes.entries()) {
    const scratch = request.scratchDirectory && join(resolve(request.scratchDirectory), String(index));
    const line = createProgress(progress, node);
    const found = await verifyOne(node, directory, { scratch, signal, onProgress: line.show });
    line.end();
    verified.push(found);
    if (!request.json) output.write(render(found));
  }
  if (request.json) output.write(`${JSON.stringify(verified, null, 2)}\n`);
  if (verified.some(({ verdict }) => verdict === "damaged")) return exitDamaged;
  return verified.every(({ verdict }) => verdict === "sound") ? exitSound : exitUnverified;
}

interface FoundIndex {
  readonly node: string;
  readonly directory: string;
}

function findIndexes({ dataDirectory, nodeId }: VerifyRequest): readonly FoundIndex[] {
  const nodes = join(resolve(dataDirectory), "nodes");
  const found = listNames(nodes)
    .filter((node) => nodeId === undefined || node === nodeId)
    .flatMap((node) => listNames(join(nodes, node)).map((name) => ({ node, directory: join(nodes, node, name) })))
    .filter(({ directory }) => existsSync(join(directory, "layout.json")));
  if (found.length > 0) return found;
  throw new StartProblem(
    nodeId === undefined
      ? `${resolve(dataDirectory)} holds no index: name the directory that the service was started with, by --data.`
      : `There is no index of a node "${nodeId}" in ${resolve(dataDirectory)}.`,
  );
}

function listNames(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).toSorted() : [];
}

interface OneOptions {
  readonly scratch: string | undefined;
  readonly signal: AbortSignal;
  onProgress(progress: VerifyProgress): void;
}

async function verifyOne(
  node: string,
  directory: string,
  { scratch, signal, onProgress }: OneOptions,
): Promise<VerifiedIndex> {
  const damage: IndexDamage[] = [];
  const onDamage = (each: IndexDamage): void => void damage.push(each);
  try {
    const result = await verifyIndex(directory, { scratchDirectory: scratch, signal, onProgress, onDamage });
    return { node, directory, verdict: damage.length > 0 ? "damaged" : "sound", ...result, damage };
  } catch (reason) {
    if (!signal.aborted && !isIndexerError(reason)) throw reason;
    // What was found until then stays true.
    const verdict = damage.length > 0 ? "damaged" : "unverified";
    const problem = signal.aborted ? "It was ended before its end." : (reason as Error).message;
    return { node, directory, verdict, damage, problem };
  }
}

function render({ node, directory, verdict, height, areRowsCompared, damage, problem }: VerifiedIndex): string {
  const upTo = height === undefined || height < 0 ? "" : `, up to height ${height}`;
  const lines = [`${node}: ${verdict}${upTo} (${directory})`];
  for (const each of damage) {
    const what = each.table === undefined ? "" : `, table ${each.table}`;
    const where = each.height === undefined ? "" : `, height ${each.height}`;
    const key = each.key === undefined ? "" : `, key ${each.key}`;
    lines.push(`  ${each.file}, byte ${each.offset}${what}${where}${key}: ${each.reason}`);
  }
  if (problem !== undefined) lines.push(`  ${problem}`);
  if (verdict === "damaged" && areRowsCompared === false)
    lines.push("  Rows were not compared: repair what is damaged first.");
  return `${lines.join("\n")}\n`;
}

const sparseMilliseconds = 10_000;
const eraseLine = "\r\u001b[2K";

/** In place on a terminal, from time to time elsewhere. */
function createProgress(output: VerifyOutput["progress"], node: string) {
  let writtenAt = performance.now();
  let isOpen = false;
  return {
    show({ phase, done, total }: VerifyProgress): void {
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((done * 100) / total));
      const line = `${node}: verifying ${phase}, ${percent} %`;
      if (output.isTTY === true) {
        output.write(`${eraseLine}${line}`);
        isOpen = true;
      } else if (performance.now() - writtenAt >= sparseMilliseconds) {
        writtenAt = performance.now();
        output.write(`${line}\n`);
      }
    },
    end(): void {
      if (isOpen) output.write(eraseLine);
    },
  };
}
