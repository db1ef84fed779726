import { join } from "node:path";
import { findAnvil, startAnvil } from "../../packages/ethereum-graphql/src/demo/anvil.ts";
import { type DevChain, devContracts, startDevChain } from "../support/dev-chain.ts";
import { playDevHistory } from "../support/dev-history.ts";
import { type Geth, startGeth } from "../support/geth.ts";
import { root } from "../support/workspace.ts";
import type { CalledAccounts } from "./call-cases.ts";
import { type ChainContents, readChainContents } from "./chain-contents.ts";

/** A geth with a chain, and what is on it. */
export interface ComparedChain {
  /** What comparisons over it are called. */
  readonly name: string;
  readonly geth: Geth;
  readonly contents: ChainContents;
  /** Accounts that calls are about. */
  readonly called: CalledAccounts;
  /** Transactions that wait, those that could be executed and those that could not yet. */
  readonly waiting: readonly string[];
  /** What signs and seals on it; undefined for a chain that is not ours to make. */
  readonly dev: DevChain | undefined;
  stop(): Promise<void>;
}

/** A fork of geth's head that anvil serves. */
export interface ForkingAnvil {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts geth at `path` on the chain with which its own tests are run, from Shanghai to Amsterdam. */
export async function startOwnTestChain(path: string, directory: string): Promise<ComparedChain> {
  const chain = join(root, ".cache/ci/geth-chain");
  const files = { genesis: join(chain, "genesis.json"), blocks: join(chain, "chain.rlp") };
  const geth = await startGeth(path, join(directory, "own-test-chain"), files);
  const rich = "0x7435ed30a8b4aeb0877cef0c6e8cffe834eb865f";
  const contracts = [
    "0x9344b07175800259691961298ca11c824e65032d",
    "0x17e7eedce4ac02ef114a7ed9fe6e2f33feba1667",
    "0x0ee3ab1371c93e7c0c281cc0c2107cdebc8b1930",
  ];
  return await complete("geth's test chain", geth, { rich, contracts });
}

/** Starts geth at `path` on a chain through every upgrade from Frontier to Osaka, with ommers. */
export async function startEveryForkChain(path: string, directory: string): Promise<ComparedChain> {
  const chain = join(root, "test/fixtures/ethereum/every-fork");
  const files = { genesis: join(chain, "genesis.json"), blocks: join(chain, "chain.rlp") };
  const geth = await startGeth(path, join(directory, "every-fork"), files);
  const contracts = ["c1", "c2", "c3", "c4", "c5", "c6"].map((end) => `0x${end.padStart(40, "0")}`);
  return await complete("every fork", geth, { rich: "0x1e77b3eec6dc08bcfc82fc7071a5c667c9e32648", contracts });
}

/** Starts geth at `path` on a chain of one's own, with all types of transactions, a full block, and transactions that wait. */
export async function startPlayedChain(path: string, directory: string): Promise<ComparedChain> {
  const chain = await startDevChain(path, join(directory, "played"));
  try {
    const { pending, queued } = await playDevHistory(chain);
    const rich = chain.signers.at(-1)?.address ?? "";
    const complete = await describe("played", chain.geth, { rich, contracts: Object.values(devContracts) });
    return { ...complete, dev: chain, waiting: [...pending, ...queued] };
  } catch (error) {
    await chain.geth.stop();
    throw error;
  }
}

/** Starts anvil on a fork of the head of a chain. Undefined where anvil is missing. */
export async function forkWithAnvil({ geth, contents }: ComparedChain): Promise<ForkingAnvil | undefined> {
  const path = findAnvil();
  const head = String(contents.blocks.length - 1);
  return path === undefined
    ? undefined
    : await startAnvil(path, ["--fork-url", geth.url, "--fork-block-number", head, "--no-mining"]);
}

async function describe(name: string, geth: Geth, called: CalledAccounts): Promise<ComparedChain> {
  return {
    name,
    geth,
    contents: await readChainContents(geth.call),
    called,
    dev: undefined,
    waiting: [],
    stop: () => geth.stop(),
  };
}

async function complete(name: string, geth: Geth, called: CalledAccounts): Promise<ComparedChain> {
  try {
    return await describe(name, geth, called);
  } catch (error) {
    await geth.stop();
    throw error;
  }
}
