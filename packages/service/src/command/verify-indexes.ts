import { existsSync, readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import {
  type IndexDamage,
  isIndexerError,
  type VerifiedOptionalIndex,
  verifyIndex,
  type VerifyProgress,
  type VerifyResult,
} from "@nodewright/bitcoin-indexer";
import { StartProblem } from "../configuration/start-problem.ts";
import { exitDamaged, exitSound, exitUnverified } from "./verify-exit.ts";

/** Options of a verification and its output. */
export interface VerifyRequest {
  readonly dataDirectory: string;
  /** Node ID; every Bitcoin node when not given. */
  readonly nodeId?: string;
  /** Directory in which tables are rebuilt to compare them; absent: in the index's own directory. */
  readonly scratchDirectory?: string;
  readonly json: boolean;
}

/** Output of a verification. */
export interface VerifyOutput {
  /** Output for results. */
  readonly output: { write(text: string): unknown };
  /** Output for progress, for a person. */
  readonly progress: { readonly isTTY?: boolean | undefined; write(text: string): unknown };
}

/** Result for one index. */
interface VerifiedIndex extends Partial<VerifyResult> {
  readonly node: string;
  readonly directory: string;
  readonly verdict: "sound" | "damaged" | "unverified";
  readonly damage: readonly IndexDamage[];
  /** Reason why it could not be verified. */
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
    const isUnverified = result.optional.some(({ problem }) => problem !== undefined);
    const verdict = damage.length > 0 ? "damaged" : isUnverified ? "unverified" : "sound";
    return { node, directory, verdict, ...result, damage };
  } catch (reason) {
    if (!signal.aborted && !isIndexerError(reason)) throw reason;
    // Damage found until then stays true.
    const verdict = damage.length > 0 ? "damaged" : "unverified";
    const problem = signal.aborted ? "It was ended before its end." : (reason as Error).message;
    return { node, directory, verdict, damage, problem };
  }
}

function render({ node, directory, verdict, areRowsCompared, damage, problem, ...rest }: VerifiedIndex): string {
  const { height = -1, optional = [] } = rest;
  const lines = [`${node}: ${verdict}${height < 0 ? "" : `, up to height ${height}`} (${directory})`];
  for (const each of damage) {
    const byte = each.offset === undefined ? "" : `, byte ${each.offset}`;
    const index = each.index === undefined ? "" : `, index ${each.index}`;
    const what = each.table === undefined ? "" : `, table ${each.table}`;
    const where = each.height === undefined ? "" : `, height ${each.height}`;
    const key = each.key === undefined ? "" : `, key ${each.key}`;
    lines.push(`  ${each.file}${byte}${index}${what}${where}${key}: ${each.reason}`);
  }
  if (problem !== undefined) lines.push(`  ${problem}`);
  if (verdict === "damaged" && areRowsCompared === false)
    lines.push("  Rows were not compared: repair what is damaged first.");
  const isMainDamaged = damage.some(({ index }) => index === undefined);
  for (const each of optional) lines.push(`  ${each.index}: ${describeOptional(each, height, isMainDamaged)}`);
  return `${lines.join("\n")}\n`;
}

function describeOptional(
  { directory, height, comparedHeight, damaged, problem }: VerifiedOptionalIndex,
  mainHeight: number,
  isMainDamaged: boolean,
): string {
  if (problem !== undefined) return `unverified. ${problem}`;
  if (damaged > 0) return `damaged. Stop the service, delete ${directory} and start the service: it is made anew.`;
  if (isMainDamaged) return "its rows were not compared, because the main index is damaged.";
  if (comparedHeight < height) return `sound, up to height ${comparedHeight} of ${height}: the main index has no more.`;
  if (height < mainHeight) return `unfinished, sound up to height ${height} of ${mainHeight}`;
  return `sound, up to height ${height}`;
}

const sparseMilliseconds = 10_000;
const eraseLine = "\r\u001b[2K";

/** Creates the progress output: in place on a terminal, periodically elsewhere. */
function createProgress(output: VerifyOutput["progress"], node: string) {
  let writtenAt = performance.now();
  let isOpen = false;
  return {
    show({ phase, index, done, total }: VerifyProgress): void {
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((done * 100) / total));
      const what = index === undefined ? phase : `${phase} of ${index}`;
      const line = `${node}: verifying ${what}, ${percent} %`;
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
