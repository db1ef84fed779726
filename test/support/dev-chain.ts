import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  openSigner,
  type Signer,
  signTransaction,
  type UnsignedTransaction,
} from "../../packages/ethereum-graphql/test-support/sign-transaction.ts";
import { makeBlock } from "./engine-chain.ts";
import { type Geth, startGeth } from "./geth.ts";
import { root } from "./workspace.ts";

/** A chain of one's own at geth, Osaka's rules from the first block on. */
export interface DevChain {
  readonly geth: Geth;
  /** Accounts with means, whose keys are here. */
  readonly signers: readonly Signer[];
  /** What the contracts of the first block do. */
  readonly contracts: typeof devContracts;
  /** Signs a transaction, with the next nonce of its sender unless another is given; gives it as it is sent. */
  sign(signer: Signer, transaction: DevTransaction): Promise<string>;
  /** Signs a transaction and hands it to geth; gives its hash. */
  send(signer: Signer, transaction: DevTransaction): Promise<string>;
  /** Has geth make a block of what was sent since the last one. */
  seal(wish?: Partial<Parameters<typeof makeBlock>[1]>): Promise<string>;
}

/** Left out are the price, 0.1 gwei over the base fee, and the gas, which is plenty. */
type DevTransaction = Omit<UnsignedTransaction, "chainId" | "nonce" | "gas" | "price"> &
  Partial<Pick<UnsignedTransaction, "chainId" | "nonce" | "gas" | "price">>;

export const devChainId = 1_337;

/** What the contracts of the first block do when they are called. */
export const devContracts = {
  /** Leaves two logs, of two topics and of four; the second has the call's first word as its data. */
  logs: "0x00000000000000000000000000000000000000c1",
  /** Reverts with a text. */
  reverts: "0x00000000000000000000000000000000000000c2",
  /** Runs the invalid instruction. */
  fails: "0x00000000000000000000000000000000000000c3",
  /** Destroys itself in favour of the sender. */
  destroysItself: "0x00000000000000000000000000000000000000c4",
  /** Keeps the call's second word at the slot that is its first. */
  keeps: "0x00000000000000000000000000000000000000c5",
} as const;

const codes: Readonly<Record<string, string>> = {
  [devContracts.logs]: "0x602a6000526002600160206000a2600035600052600460036002600160206000a400",
  [devContracts.reverts]: "0x60016000556e4e6f7420746f2062652061736b6564600052600f6011fd",
  [devContracts.fails]: "0xfe",
  [devContracts.destroysItself]: "0x33ff",
  [devContracts.keeps]: "0x60203560003555",
};

const systemAddress = /^(?:00000961|0000bbdd|0000f908|000f3df6)/;

const gasLimit = 60_000_000;
const signerCount = 8;

/** Starts the geth at `path` on a chain of its own, whose first block alone is there. It makes blocks when it is told to. */
export async function startDevChain(
  path: string,
  directory: string,
  parameters: readonly string[] = [],
): Promise<DevChain> {
  const signers = Array.from({ length: signerCount }, (_, at) => openSigner(`a signer of the chain, ${at}`));
  mkdirSync(directory, { recursive: true });
  const genesis = join(directory, "genesis.json");
  writeFileSync(genesis, JSON.stringify(createGenesis(signers)));
  const geth = await startGeth(path, directory, {
    genesis,
    parameters: ["--miner.gaslimit", String(gasLimit), "--miner.gasprice", "1", ...parameters],
  });
  let sent = 0;
  const sign: DevChain["sign"] = async (signer, transaction) => {
    const next = async () => Number(await geth.call("eth_getTransactionCount", signer.address, "pending"));
    const nonce = transaction.nonce ?? (await next());
    const { baseFeePerGas } = (await geth.call("eth_getBlockByNumber", "latest", false)) as { baseFeePerGas: string };
    const price = BigInt(baseFeePerGas) * 2n + 100_000_000n;
    return signTransaction({ gas: 500_000, price, chainId: devChainId, ...transaction, nonce }, signer);
  };
  return {
    geth,
    signers,
    contracts: devContracts,
    sign,
    async send(signer, transaction) {
      const hash = await geth.call("eth_sendRawTransaction", await sign(signer, transaction));
      if (transaction.nonce === undefined) sent += 1;
      return String(hash);
    },
    async seal(wish) {
      const hash = await makeBlock(geth, { transactions: sent, ...wish });
      sent = 0;
      return hash;
    },
  };
}

function createGenesis(signers: readonly Signer[]): unknown {
  const blocks = ["homestead", "eip150", "eip155", "eip158", "byzantium", "constantinople", "petersburg", "istanbul"];
  const rules = [...blocks, "berlin", "london"].map((name) => [`${name}Block`, 0]);
  const times = ["shanghai", "cancun", "prague", "osaka"].map((name) => [`${name}Time`, 0]);
  const blobs = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 };
  return {
    config: {
      chainId: devChainId,
      ...Object.fromEntries([...rules, ...times]),
      terminalTotalDifficulty: 0,
      blobSchedule: { cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 }, prague: blobs },
    },
    difficulty: "0x0",
    gasLimit: `0x${gasLimit.toString(16)}`,
    alloc: {
      ...Object.fromEntries(signers.map(({ address }) => [address, { balance: "0x56bc75e2d63100000" }])),
      ...Object.fromEntries(Object.entries(codes).map(([address, code]) => [address, { balance: "0x1", code }])),
      ...readSystemContracts(),
    },
  };
}

/** Contracts that blocks call themselves (EIP-4788, EIP-2935, EIP-7002, EIP-7251). */
function readSystemContracts(): Readonly<Record<string, unknown>> {
  const genesis = JSON.parse(readFileSync(join(root, "test/fixtures/ethereum/every-fork/genesis.json"), "utf8")) as {
    readonly alloc: Readonly<Record<string, unknown>>;
  };
  return Object.fromEntries(Object.entries(genesis.alloc).filter(([address]) => systemAddress.test(address)));
}
