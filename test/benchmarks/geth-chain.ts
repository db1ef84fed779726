// A chain of geth's developer mode for the benchmarks: blocks of 200 transactions with two logs each, and many of one transaction.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../support/free-port.ts";
import { startNodeProgram } from "../support/node-program.ts";

/** A geth that stands still at the head of its chain, with its own GraphQL at `/graphql`. */
export interface GethChain {
  readonly pid: number;
  /** Of JSON-RPC, without a slash at the end. */
  readonly url: string;
  /** The heights of the blocks with many transactions. */
  readonly fullBlocks: readonly number[];
  /** Blocks of one transaction each, the last being the latest block. */
  readonly smallBlocks: { readonly first: number; readonly last: number };
  /** Each was paid something. */
  readonly accounts: readonly string[];
  stop(): Promise<void>;
}

export const fullBlock = { transactions: 200, logs: 400 } as const;

/** Copies what follows it, which stores the value paid and logs it twice: with one topic, and with another and the payer. */
const creation = "0x601480600b6000396000f3346000526001602060" + "00a133600260206000a200";
/** More than connections ask at once, so that each has a block of its own. */
const fullBlockCount = 36;
/** Blocks that one query names. */
const range = 20;
const smallBlockCount = fullBlockCount * range;
const paidAtOnce = 200;
const accountCount = 400;
const gas = "0xea60";
const transactionMilliseconds = 30_000;

interface RunningGeth {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

type MadeChain = Pick<GethChain, "fullBlocks" | "accounts">;

interface MinedBlock {
  readonly number: string;
  readonly transactions: readonly string[];
}

/** Makes the chain with a geth that seals each second, then starts one on it that seals nothing by itself. */
export async function startGethChain(program: string): Promise<GethChain> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-geth-"));
  const making = await startGeth(program, directory, 1);
  let made: MadeChain;
  try {
    made = await makeChain(making.url);
  } finally {
    await making.stop();
  }
  const serving = await startGeth(program, directory, 0);
  const stop = async (): Promise<void> => {
    await serving.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    return { ...made, smallBlocks: await addSmallBlocks(serving.url), pid: serving.pid, url: serving.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `period` is how many seconds lie between blocks; with 0 there are none but for transactions. */
async function startGeth(path: string, directory: string, period: number): Promise<RunningGeth> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { pid, stop } = await startNodeProgram({
    path,
    parameters: [
      ...["--dev", "--dev.period", String(period), "--dev.gaslimit", "60000000"],
      ...["--datadir", directory, "--gcmode", "archive", "--ipcdisable", "--nodiscover", "--maxpeers", "0"],
      ...["--http", "--http.port", String(port), "--http.api", "eth,net,web3,debug,txpool", "--graphql"],
      ...["--verbosity", "1"],
    ],
    isReady: async () => typeof (await call(url, "eth_chainId", [])) === "string",
  });
  return { pid, url, stop };
}

async function makeChain(url: string): Promise<MadeChain> {
  const sender = await findSender(url);
  const contract = await createContract(sender);
  const accounts = Array.from(
    { length: accountCount },
    (_, at) => `0x${(0xa11ce000 + at).toString(16).padStart(40, "0")}`,
  );
  for (let start = 0; start < accountCount; start += paidAtOnce) {
    const paid = accounts.slice(start, start + paidAtOnce);
    await mine(
      sender,
      paid.map((to, at) => ({ to, value: quantity(1_000 + at) })),
    );
  }
  const fullBlocks: number[] = [];
  for (let attempt = 0; fullBlocks.length < fullBlockCount; attempt += 1) {
    if (attempt > 3 * fullBlockCount) throw new Error("geth does not put all transactions into one block");
    const transactions = Array.from({ length: fullBlock.transactions }, (_, at) => ({
      to: contract,
      value: quantity(at + 1),
    }));
    const { number, transactions: mined } = await mine(sender, transactions);
    if (mined.length === fullBlock.transactions) fullBlocks.push(Number(number));
  }
  return { fullBlocks, accounts };
}

/** geth seals a block for each transaction when it seals none by the clock. */
async function addSmallBlocks(url: string): Promise<GethChain["smallBlocks"]> {
  const sender = await findSender(url);
  const first = Number(await call(url, "eth_blockNumber", [])) + 1;
  for (let count = 0; count < smallBlockCount; count += 1)
    await mine(sender, [{ to: sender.address, value: quantity(count) }]);
  const last = Number(await call(url, "eth_blockNumber", []));
  if (last - first + 1 < smallBlockCount) throw new Error("geth puts several transactions into one block");
  return { first, last };
}

async function createContract(sender: Sender): Promise<string> {
  const { transactions } = await mine(sender, [{ data: creation }]);
  return (await receiptOf(sender.url, transactions[0] ?? "")).contractAddress;
}

/** The developer's account, which geth signs for. Counts for itself: geth's own counting lags behind a block that was just sealed. */
interface Sender {
  readonly url: string;
  readonly address: string;
  nonce: number;
}

async function findSender(url: string): Promise<Sender> {
  const [address = ""] = (await call(url, "eth_accounts", [])) as readonly string[];
  return { url, address, nonce: Number(await call(url, "eth_getTransactionCount", [address, "latest"])) };
}

/** Sends all of them at once and gives the block that holds the last. */
async function mine(sender: Sender, transactions: readonly object[]): Promise<MinedBlock> {
  const { url, address: from } = sender;
  const first = sender.nonce;
  sender.nonce += transactions.length;
  const hashes = await callAll(
    url,
    transactions.map((transaction, at) => [
      "eth_sendTransaction",
      [{ ...transaction, from, nonce: quantity(first + at), gas }],
    ]),
  );
  const { blockHash } = await receiptOf(url, hashes.at(-1) as string);
  return (await call(url, "eth_getBlockByHash", [blockHash, false])) as MinedBlock;
}

async function receiptOf(
  url: string,
  hash: string,
): Promise<{ readonly blockHash: string; readonly contractAddress: string }> {
  const deadline = Date.now() + transactionMilliseconds;
  for (;;) {
    const receipt = await call(url, "eth_getTransactionReceipt", [hash]);
    if (receipt !== null) return receipt as { blockHash: string; contractAddress: string };
    if (Date.now() > deadline) throw new Error(`geth does not mine ${hash}`);
    await sleep(5);
  }
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}

async function call(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const [result] = await callAll(url, [[method, params]]);
  return result;
}

async function callAll(
  url: string,
  calls: readonly (readonly [method: string, params: readonly unknown[]])[],
): Promise<readonly unknown[]> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params }))),
  });
  const answers = (await response.json()) as readonly { readonly result?: unknown; readonly error?: unknown }[];
  return answers.map(({ result, error }) => {
    if (error !== undefined) throw new Error(`geth refuses: ${JSON.stringify(error)}`);
    return result;
  });
}
