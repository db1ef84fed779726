import type { BlockContents } from "./chain-contents.ts";
import type { QueryCase } from "./query-case.ts";

/** Accounts that calls are about. */
export interface CalledAccounts {
  /** One with means, and without code. */
  readonly rich: string;
  readonly contracts: readonly string[];
}

const poor = `0x${"77".repeat(20)}`;
const bytes = (size: number): string => `0x${"5a".repeat(size)}`;

/** Creations, each of which runs this code: what it does stands before it. */
const codes: Readonly<Record<string, string>> = {
  "a stop": "0x",
  "the height, time, limit, base fee and chain": "0x43600052426020524560405248606052466080524160a05260c06000f3",
  "the hash of the block before": "0x600143034060005260206000f3",
  "the sender, value and balance": "0x33600052346020524760405260606000f3",
  "the randomness": "0x4460005260206000f3",
  "the blobs' price": "0x4a60005260206000f3",
  "a revert without data": "0x60006000fd",
  "a revert with a text": "0x626e6f746000526003601dfd",
  "the invalid instruction": "0xfe",
  "an instruction of nobody": "0x0c",
  "a jump to nowhere": "0x600256",
  "an empty stack": "0x01",
  "a loop": "0x5b600056",
  "code that is too long": "0x6160016000f3",
  "code that begins with EF": "0x60ef60005360016000f3",
};

/** Calls in GraphQL's text: what carries through, what fails in the machine, what does not even start. */
function listData({ rich, contracts }: CalledAccounts): readonly (readonly [string, string])[] {
  const [first = poor] = contracts;
  return [
    ...Object.entries(codes).map(([name, data]) => [`creation: ${name}`, `data: "${data}", gas: 500000`] as const),
    ...contracts.flatMap((to) => [
      ["contract", `to: "${to}"`] as const,
      ["contract with gas", `to: "${to}", gas: 60000, data: "${bytes(36)}"`] as const,
      ["contract with sender and value", `from: "${rich}", to: "${to}", value: 1`] as const,
    ]),
    ["transfer", `from: "${rich}", to: "${poor}", value: 1`],
    ["transfer of all of another", `from: "${poor}", to: "${rich}", value: "0x56bc75e2d63100000"`],
    ["precompiled contract", `to: "0x0000000000000000000000000000000000000002", data: "0x001122"`],
    ["precompiled contract that fails", `to: "0x0000000000000000000000000000000000000008", data: "0x00"`],
    ["nothing at all", ""],
    ["null in each place", `from: null, to: null, gas: null, gasPrice: null, value: null, data: null`],
    ["too little gas to start", `from: "${rich}", to: "${first}", gas: 20999`],
    ["gas of nought", `to: "${first}", gas: 0`],
    ["just enough gas to start", `from: "${rich}", to: "${poor}", gas: 21000`],
    ["more gas than a block has", `from: "${rich}", to: "${poor}", gas: "0x7fffffffffffffff"`],
    ["gas price", `from: "${rich}", to: "${poor}", gasPrice: 100000000000, gas: 50000`],
    ["gas price below the base fee", `from: "${rich}", to: "${poor}", gasPrice: 1, gas: 50000`],
    ["gas price without means", `from: "${poor}", to: "${rich}", gasPrice: 100000000000, gas: 50000`],
    ["fees", `from: "${rich}", to: "${poor}", maxFeePerGas: 100000000000, maxPriorityFeePerGas: 2, gas: 50000`],
    ["tip above the fee", `from: "${rich}", to: "${poor}", maxFeePerGas: 1, maxPriorityFeePerGas: 2, gas: 50000`],
    ["gas price and fees", `from: "${rich}", to: "${poor}", maxFeePerGas: 9, gasPrice: 2, gas: 50000`],
    ["much data", `to: "${first}", data: "${bytes(2_000)}"`],
  ];
}

/** Calls and estimates in the state after each block, each in a query of its own. */
export function listCallCases(blocks: readonly BlockContents[], accounts: CalledAccounts): readonly QueryCase[] {
  const data = listData(accounts);
  return blocks.flatMap(({ number }) =>
    data.flatMap(([name, text]) => [
      {
        kind: `call, ${name}`,
        query: `{ block(number: ${number}) { call(data: { ${writeGas(text)} }) { data gasUsed status } } }`,
      },
      { kind: `estimate, ${name}`, query: `{ block(number: ${number}) { estimateGas(data: { ${writeGas(text)} }) } }` },
    ]),
  );
}

/** Calls and estimates in the pending state. */
export function listPendingCallCases(accounts: CalledAccounts): readonly QueryCase[] {
  return listData(accounts).flatMap(([name, text]) => [
    {
      kind: `pending call, ${name}`,
      query: `{ pending { call(data: { ${writeGas(text)} }) { data gasUsed status } } }`,
    },
    { kind: `pending estimate, ${name}`, query: `{ pending { estimateGas(data: { ${writeGas(text)} }) } }` },
  ]);
}

/** geth fails over numbers in its text that need more than 31 bits: they are written as strings. */
function writeGas(text: string): string {
  return text.replaceAll(/: (\d{10,})/g, (_, digits: string) => `: "0x${BigInt(digits).toString(16)}"`);
}
