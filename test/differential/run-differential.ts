import { join } from "node:path";
import { demoBlocks } from "../end-to-end/demo-blocks.ts";
import { askRpc } from "../support/calls.ts";
import { listChainCalls } from "./chain-calls.ts";
import { readChainContents } from "./chain-contents.ts";
import { compareChain, createOutcome } from "./compare-chain.ts";
import { type ComparedChain, serveMainnet, serveRegtest } from "./compared-chain.ts";
import { createReport, type DifferentialReport } from "./differential-report.ts";
import { readDifferences } from "./listed-differences.ts";
import { listWrongCalls } from "./wrong-calls.ts";

export interface DifferentialOptions {
  /** Of the program. */
  readonly btcd: string;
  /** Everything is kept there. */
  readonly directory: string;
  /** Every block and transaction of the main chain's first blocks, in place of a part of them. */
  readonly everything: boolean;
  /** Which part of them. */
  readonly seed: number;
}

/** The main chain's, from its first one on. */
const blockCount = 14_132;
/** One of so many blocks is asked about, and all that pay something. */
const step = 499;

/** Asks btcd and a service the same of two chains, regtest's and the main one, and compares what they answer. */
export async function runDifferential(options: DifferentialOptions): Promise<DifferentialReport> {
  const { btcd, directory } = options;
  const file = readDifferences();
  const outcome = createOutcome();
  const known = { btcd: new Set<string>(), ours: new Set<string>() };
  const compare = async (chain: ComparedChain, isAsked: (height: number) => boolean): Promise<void> => {
    try {
      const contents = await readChainContents(chain.btcd, chain.stale, isAsked);
      await compareChain(chain, listChainCalls(contents), file, outcome);
      await compareChain(chain, listWrongCalls(contents), file, outcome);
      for (const method of await readMethodsOfBtcd(chain)) known.btcd.add(method);
      for (const method of await readOwnMethods(chain)) known.ours.add(method);
    } finally {
      await chain.stop();
    }
  };
  await compare(await serveRegtest(btcd, join(directory, "regtest")), () => true);
  await compare(await serveMainnet(btcd, join(directory, "mainnet"), blockCount), chooseHeights(options));
  return createReport(outcome, file, { btcd: [...known.btcd], ours: [...known.ours] });
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

async function readMethodsOfBtcd({ btcd }: ComparedChain): Promise<readonly string[]> {
  const lines = String(await btcd.call("help")).split("\n");
  return lines.flatMap((line) => line.match(/^\w+/)?.[0] ?? []);
}

async function readOwnMethods({ node }: ComparedChain): Promise<readonly string[]> {
  const { result } = await askRpc(node, "rpc.discover");
  return (result as { readonly methods: readonly { readonly name: string }[] }).methods.map(({ name }) => name);
}
