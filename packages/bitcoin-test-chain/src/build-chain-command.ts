import { parseArgs } from "node:util";
import { fromHex } from "@nodewright/bitcoin-primitives";
import { buildChain } from "./build-chain.ts";
import type { ChainSummary } from "./chain-summary.ts";
import { writeBlockFiles } from "./write-block-files.ts";

const help = `Usage: npm run -w @nodewright/bitcoin-test-chain build-chain -- --transactions N --directory DIR [options]

Writes a regtest chain as block files. The same options give the same files.

  --transactions N        transactions of the best chain, coinbases not counted
  --directory DIR         where blk00000.dat and on go; is made
  --seed N                decides everything that the other options leave open (0)
  --blocks N              height of the tip (by the number of transactions)
  --scripts N             distinct scripts (by the number of transactions)
  --hot-scripts N         scripts with many transactions (8)
  --stale-branches N      branches that lost (0)
  --stale-depth N         blocks of the longest of them (3)
  --signatures KIND       placeholder: fast, accepted by no node (the default); real
  --workers N             threads that sign (by the number of processors)
  --tip-time SECONDS      about when the tip is mined, since 1970 (a fixed time)
  --xor-key HEX           masks the files with these 8 bytes and writes xor.dat
  --maximum-file-bytes N  size of a file (134217728)
  --order ORDER           chain (the default) or shuffled
  --without-stale         leaves stale blocks out of the files
  --reserved-space        ends the last file with reserved zeros, as a running node does
  --json                  prints the summary as JSON, and no progress
  --help
`;

const parameters = {
  transactions: { type: "string" },
  directory: { type: "string" },
  seed: { type: "string" },
  blocks: { type: "string" },
  scripts: { type: "string" },
  "hot-scripts": { type: "string" },
  "stale-branches": { type: "string" },
  "stale-depth": { type: "string" },
  signatures: { type: "string" },
  workers: { type: "string" },
  "tip-time": { type: "string" },
  "xor-key": { type: "string" },
  "maximum-file-bytes": { type: "string" },
  order: { type: "string" },
  "without-stale": { type: "boolean" },
  "reserved-space": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** Outputs of the command. */
export interface CommandOutput {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
}

/** Runs the command; returns its exit code: 0, or 2 for invalid parameters. */
export async function buildChainCommand(argv: readonly string[], output: CommandOutput = process): Promise<number> {
  try {
    await run(argv, output);
    return 0;
  } catch (reason) {
    if (!isUsageError(reason)) throw reason;
    output.stderr.write(`${reason.message}\nSee --help.\n`);
    return 2;
  }
}

function isUsageError(reason: unknown): reason is Error {
  if (!(reason instanceof Error)) return false;
  const code = "code" in reason ? String(reason.code) : "";
  return reason instanceof RangeError || code.startsWith("ERR_PARSE_ARGS");
}

async function run(argv: readonly string[], output: CommandOutput): Promise<void> {
  const { values } = parseArgs({ args: [...argv], options: parameters });
  if (values.help === true) {
    output.stdout.write(help);
    return;
  }
  const { directory } = values;
  if (directory === undefined) throw new RangeError("--directory is missing");
  const staleBranches = numberOf("stale-branches", values["stale-branches"]) ?? 0;
  const chain = buildChain({
    seed: numberOf("seed", values.seed) ?? 0,
    transactions: numberOf("transactions", values.transactions) ?? missing("transactions"),
    blocks: numberOf("blocks", values.blocks),
    scripts: numberOf("scripts", values.scripts),
    hotScripts: numberOf("hot-scripts", values["hot-scripts"]),
    staleBranches: { count: staleBranches, depth: numberOf("stale-depth", values["stale-depth"]) ?? 3 },
    tipTime: numberOf("tip-time", values["tip-time"]),
    workers: numberOf("workers", values.workers),
    signatures: oneOf("signatures", values.signatures, ["placeholder", "real"]),
  });
  const started = performance.now();
  const progress = values.json === true ? undefined : createProgress(started, output);
  let transactions = 0;
  const files = await writeBlockFiles(directory, chain, {
    xorKey: xorKeyOf(values["xor-key"]),
    maximumFileBytes: numberOf("maximum-file-bytes", values["maximum-file-bytes"]),
    order: oneOf("order", values.order, ["chain", "shuffled"]),
    seed: numberOf("seed", values.seed),
    withStaleBranches: values["without-stale"] !== true,
    withReservedSpace: values["reserved-space"] === true,
    onBlock: ({ height, transactionCount }) => {
      transactions += transactionCount;
      progress?.(`${height} blocks, ${transactions} transactions`);
    },
  });
  const summary = chain.summary();
  progress?.(undefined);
  const seconds = (performance.now() - started) / 1000;
  if (values.json === true)
    output.stdout.write(`${JSON.stringify({ ...summary, files: files.paths }, undefined, 2)}\n`);
  else output.stdout.write(renderSummary(summary, files.paths.length, seconds));
}

function missing(name: string): never {
  throw new RangeError(`--${name} is missing`);
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new RangeError(`--${name} must be an integer, not ${JSON.stringify(text)}`);
  return Number(text);
}

function oneOf<const Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly [Word, ...Word[]],
): Word {
  if (text === undefined) return words[0];
  const word = words.find((each) => each === text);
  if (word === undefined) throw new RangeError(`--${name} must be ${words.join(" or ")}, not ${JSON.stringify(text)}`);
  return word;
}

function xorKeyOf(text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const key = fromHex(text);
  if (key?.length !== 8) throw new RangeError(`--xor-key must be 16 hex digits, not ${JSON.stringify(text)}`);
  return key;
}

const progressMilliseconds = 200;

/** Returns a function that rewrites one line; `undefined` ends it. Silent without a terminal. */
function createProgress(started: number, { stderr }: CommandOutput): (text: string | undefined) => void {
  let last = started;
  return (text) => {
    if (stderr.isTTY !== true) return;
    const now = performance.now();
    if (text !== undefined && now - last < progressMilliseconds) return;
    last = now;
    stderr.write(text === undefined ? "\r\x1b[K" : `\r\x1b[K${text}, ${Math.round((now - started) / 1000)} s`);
  };
}

function renderSummary(summary: ChainSummary, files: number, seconds: number): string {
  const hot = summary.hotScripts.map(
    ({ kind, address, transactions }) => `  ${address ?? "no address"}  ${kind}, ${transactions} transactions`,
  );
  return [
    `${summary.blocks} blocks to height ${summary.height}, tip ${summary.tip}; ${summary.staleBlocks} stale blocks`,
    `${summary.transactions} transactions, ${summary.inputs} inputs, ${summary.outputs} outputs, ${summary.scripts} scripts`,
    `${summary.bytes} bytes of blocks in ${files} files, digest ${summary.digest}`,
    ...hot,
    `${seconds.toFixed(1)} s`,
    "",
  ].join("\n");
}
