import { pointsLedgerCreationCode, pointsLedgerSelectors } from "./contract/points-ledger.ts";

/** A transaction as the param of `eth_sendTransaction`; numbers are 0x-prefixed hexadecimal. */
export interface DemoTransaction {
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly data?: string;
  readonly gas: string;
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[];
}

/** Mnemonic that anvil's own accounts are derived from: publicly known, without value. */
export const demoMnemonic = "test test test test test test test test test test test junk";

/** The first accounts of the mnemonic. */
export const demoAccounts = {
  ann: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  ben: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  cleo: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  dan: "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
  eve: "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
} as const;

/** Address of the contract: it is created by Ann's third transaction. */
export const demoContract = "0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0";

/** Time of the genesis block, in seconds since 1970: the first second of 2024. */
export const demoGenesisTime = 1_704_067_200;

/** Seconds from one block to the next. */
export const demoBlockInterval = 12;

const { ann, ben, cleo, dan, eve } = demoAccounts;
const ether = 10n ** 18n;
const gwei = 10n ** 9n;

/** Transactions of the blocks 1, 2, 3, … */
export const demoHistory: readonly (readonly DemoTransaction[])[] = [
  [dynamic(transfer(ann, ben, ether))],
  [
    legacy(transfer(ann, cleo, 2n * ether)),
    withAccessList(transfer(ben, dan, ether / 2n), []),
    dynamic(transfer(cleo, eve, 1n)),
  ],
  [dynamic({ from: ann, data: pointsLedgerCreationCode, gas: hex(800_000n) })],
  [dynamic(award(ann, ben, 1_000n)), dynamic(award(ann, cleo, 500n))],
  [
    dynamic(move(ben, dan, 150n)),
    dynamic(share(ben, [cleo, dan, eve], 25n)),
    legacy(remark(cleo, "Good morning")),
    dynamic(transfer(dan, eve, 3n * gwei)),
  ],
  [
    // Eve has 25 points, and only Ann may award them: both calls are reverted and mined nevertheless.
    dynamic(move(eve, ann, 26n)),
    legacy(award(ben, ben, 1n)),
    dynamic(remark(dan, "")),
  ],
  [],
  [
    withAccessList(move(cleo, ann, 125n), [{ address: demoContract, storageKeys: [word(0n), word(1n)] }]),
    dynamic(remark(eve, "Grüße aus Block acht")),
  ],
];

/** Transactions that are pending in the pool after the start. */
export const demoPending: readonly DemoTransaction[] = [
  dynamic(transfer(dan, ann, 5n * gwei)),
  dynamic(remark(ben, "Not yet mined")),
];

type Feeless = Pick<DemoTransaction, "from" | "to" | "value" | "data" | "gas">;

/** Returns a transaction of type 0. */
function legacy(transaction: Feeless): DemoTransaction {
  return { ...transaction, gasPrice: hex(2n * gwei) };
}

/** Returns a transaction of type 1 (EIP-2930). */
function withAccessList(transaction: Feeless, accessList: DemoTransaction["accessList"] & {}): DemoTransaction {
  return { ...legacy(transaction), accessList };
}

/** Returns a transaction of type 2 (EIP-1559). */
function dynamic(transaction: Feeless): DemoTransaction {
  return { ...transaction, maxFeePerGas: hex(3n * gwei), maxPriorityFeePerGas: hex(gwei) };
}

function transfer(from: string, to: string, value: bigint): Feeless {
  return { from, to, value: hex(value), gas: hex(21_000n) };
}

function award(from: string, to: string, points: bigint): Feeless {
  return invoke(from, pointsLedgerSelectors["award(address,uint256)"] + wordOfAddress(to) + wordDigits(points));
}

function move(from: string, to: string, points: bigint): Feeless {
  return invoke(from, pointsLedgerSelectors["move(address,uint256)"] + wordOfAddress(to) + wordDigits(points));
}

function share(from: string, holders: readonly string[], points: bigint): Feeless {
  // The head contains the offset of the list and the points, 64 bytes; then come the list's length and its elements.
  const head = wordDigits(64n) + wordDigits(points);
  const list = wordDigits(BigInt(holders.length)) + holders.map(wordOfAddress).join("");
  return invoke(from, pointsLedgerSelectors["share(address[],uint256)"] + head + list);
}

function remark(from: string, text: string): Feeless {
  const bytes = Buffer.from(text, "utf8");
  const padded = bytes.toString("hex").padEnd(Math.ceil(bytes.length / 32) * 64, "0");
  const head = wordDigits(32n) + wordDigits(BigInt(bytes.length));
  return invoke(from, pointsLedgerSelectors["remark(string)"] + head + padded);
}

function invoke(from: string, data: string): Feeless {
  return { from, to: demoContract, data, gas: hex(200_000n) };
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

function word(value: bigint): string {
  return `0x${wordDigits(value)}`;
}

function wordDigits(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

function wordOfAddress(address: string): string {
  return address.slice(2).padStart(64, "0");
}
