import { join } from "node:path";
import { demoBlocks } from "../end-to-end/demo-blocks.ts";
import { prepareBitcoinCore } from "../support/bitcoin-core.ts";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { askRpc } from "../support/calls.ts";
import { listChainCalls } from "./chain-calls.ts";
import { type ChainContents, readChainContents } from "./chain-contents.ts";
import { compareChain, createOutcome } from "./compare-chain.ts";
import type { ComparedCall } from "./compared-response.ts";
import { coinStatistics, type ComparedChain, serveMainnet, serveRegtest } from "./compared-chain.ts";
import { createReport, type DifferentialReport } from "./differential-report.ts";
import { readDifferences } from "./listed-differences.ts";
import { listRandomCalls } from "./random-calls.ts";
import { listWrongCalls } from "./wrong-calls.ts";

/** The nodes that this service is compared with. */
export type ReferenceName = "btcd" | "core";

export interface DifferentialOptions {
  readonly reference: ReferenceName;
  /** Of the program. */
  readonly path: string;
  /** Everything is kept there. */
  readonly directory: string;
  /** Every block and transaction of the main chain's first blocks, in place of a part of them. */
  readonly everything: boolean;
  /** Which part of them, and which random calls. */
  readonly seed: number;
}

interface Reference {
  readonly title: string;
  /** File of the listed differences. */
  readonly differences: string;
  readonly prepare: (path: string, directory: string, network: "mainnet" | "regtest") => Promise<BitcoinProgram>;
  /** Of the service's command line. */
  readonly parameters: readonly string[];
  /** Calls whose arguments are drawn at random, on each chain. */
  readonly randomCalls: number;
}

export const references: Readonly<Record<ReferenceName, Reference>> = {
  btcd: {
    title: "btcd v0.26.2",
    differences: "btcd-differences.json",
    prepare: (path, directory, network) =>
      prepareBtcd(path, directory, { network, hasTransactionIndex: true, hasAddressIndex: true }),
    parameters: [],
    randomCalls: 0,
  },
  core: {
    title: "Bitcoin Core 31.99",
    differences: "core-differences.json",
    prepare: (path, directory, network) =>
      prepareBitcoinCore(path, directory, {
        network,
        hasTransactionIndex: true,
        hasBlockFilters: true,
        hasCoinStatistics: true,
        // The chain of the tests spends scripts that no node relays by default.
        parameters: ["-acceptnonstdtxn=1"].slice(network === "mainnet" ? 1 : 0),
      }),
    parameters: [coinStatistics],
    randomCalls: 10_000,
  },
};

/** The main chain's, from its first one on. */
const blockCount = 14_132;
/** One of so many blocks is asked about, and all that pay something. */
const step = 499;

/** Sends a node and a service over it the same calls on two chains, regtest's and the main one, and compares the responses. */
export async function runDifferential(options: DifferentialOptions): Promise<DifferentialReport> {
  const { reference: name, path, directory, seed } = options;
  const reference = references[name];
  const { parameters } = reference;
  const file = readDifferences(reference.differences);
  const outcome = createOutcome();
  const known = { theirs: new Set<string>(), ours: new Set<string>() };
  const compare = async (chain: ComparedChain, isAsked: (height: number) => boolean): Promise<void> => {
    try {
      const contents = await readChainContents(chain.upstream, chain.stale, isAsked);
      const methods = new Set(await readMethodsOf(chain));
      for (const method of methods) known.theirs.add(method);
      for (const method of await readOwnMethods(chain)) known.ours.add(method);
      const isComparable = ({ method }: ComparedCall): boolean => methods.has(method) || !known.ours.has(method);
      await compareChain(chain, listCalls(contents, reference, seed).filter(isComparable), file, outcome);
    } finally {
      await chain.stop();
    }
  };
  const prepare = (network: "mainnet" | "regtest"): Promise<BitcoinProgram> =>
    reference.prepare(path, join(directory, network, name), network);
  await compare(await serveRegtest(await prepare("regtest"), join(directory, "regtest"), parameters), () => true);
  const mainnet = await serveMainnet(await prepare("mainnet"), join(directory, "mainnet"), {
    count: blockCount,
    parameters,
  });
  await compare(mainnet, chooseHeights(options));
  return createReport(outcome, file, { theirs: [...known.theirs], ours: [...known.ours] });
}

function* listCalls(contents: ChainContents, { randomCalls }: Reference, seed: number): Generator<ComparedCall> {
  yield* listChainCalls(contents);
  yield* listWrongCalls(contents);
  yield* listRandomCalls(contents, { seed, count: randomCalls });
}

function chooseHeights({ everything, seed }: DifferentialOptions): (height: number) => boolean {
  const paying = new Set(demoBlocks(blockCount).flatMap((block, height) => (isPaying(block) ? [height] : [])));
  const offset = seed % step;
  const last = blockCount - 1;
  return (height) => everything || height === 0 || height >= last - 1 || height % step === offset || paying.has(height);
}

/** Whether a block has more than one transaction; there are fewer than 253. */
function isPaying(block: Buffer): boolean {
  return block.readUInt8(80) > 1;
}

async function readMethodsOf({ upstream }: ComparedChain): Promise<readonly string[]> {
  const lines = String(await upstream.call("help")).split("\n");
  return lines.flatMap((line) => line.match(/^\w+/)?.[0] ?? []);
}

async function readOwnMethods({ node }: ComparedChain): Promise<readonly string[]> {
  const { result } = await askRpc(node, "rpc.discover");
  return (result as { readonly methods: readonly { readonly name: string }[] }).methods.map(({ name }) => name);
}
