import type { BlockContents, ChainContents } from "./chain-contents.ts";
import type { QueryCase } from "./query-case.ts";
import type { Random } from "./random.ts";
import type { FieldArguments, SelectFields } from "./select-fields.ts";

/** A block of more transactions is asked about without what geth needs seconds for. */
export const fullBlock = 50;

/** Ranges of blocks that are asked for whole. */
const rangeCount = 12;
const longestRange = 20;

/** Arguments for all fields below a block that need some and that every block answers. */
function argumentsFor(
  { transactions, logAddresses }: BlockContents,
  { addresses, slots }: ChainContents,
  random: Random,
) {
  const last = transactions.length;
  const filters = [[], ...(logAddresses.length > 0 ? [logAddresses] : [])];
  return {
    "Block.ommerAt": [0, 1, 2].map((index) => `index: ${index}`),
    "Block.transactionAt": [0, last - 1, last].filter((index) => index >= 0).map((index) => `index: ${index}`),
    "Block.logs": filters.map((list) => `filter: { addresses: ${JSON.stringify(list)} }`),
    "Block.account": random.some(addresses, 3).map((address) => `address: "${address}"`),
    "Account.storage": random.some(slots, 2).map((slot) => `slot: "${slot}"`),
    // Without an argument, and at the block itself.
    "Transaction.from": ["", `block: ${Math.max(0, random.below(4))}`],
  } satisfies FieldArguments;
}

/** Each block whole, by its number and by its hash, and some of its transactions; an ommer has no state to ask about. */
export function listBlockCases(
  blocks: readonly BlockContents[],
  contents: ChainContents,
  select: SelectFields,
  random: Random,
  transactionsOfEach: number,
): readonly QueryCase[] {
  return blocks.flatMap((block) => {
    const all = argumentsFor(block, contents, random);
    const { "Block.account": _account, "Block.logs": _logs, "Account.storage": _storage, ...ofOmmers } = all;
    const isFull = block.transactions.length > fullBlock;
    const ofFull = isFull ? { "Transaction.block": [], "Log.transaction": [] } : {};
    const selection = select("Block", { ...(block.ommerCount === 0 ? all : ofOmmers), ...ofFull });
    const alone = select("Transaction", isFull ? { "Block.transactions": [] } : {});
    return [
      { kind: "block by number", query: `{ block(number: ${block.number}) { ${selection} } }` },
      { kind: "block by hash", query: `{ block(hash: "${block.hash}") { ${selection} } }` },
      ...random.some(block.transactions, transactionsOfEach).map(({ hash }) => ({
        kind: "transaction",
        query: `{ transaction(hash: "${hash}") { ${alone} } }`,
      })),
    ];
  });
}

/** Ranges of blocks: some whole, some reversed, empty, and beyond the head. */
export function listRangeCases({ blocks }: ChainContents, select: SelectFields, random: Random): readonly QueryCase[] {
  const head = blocks.length - 1;
  const selection = "number hash parent { hash } transactionCount transactions { hash status from { address } }";
  const ask = (kind: string, range: string, fields = selection): QueryCase => ({
    kind,
    query: `{ blocks(${range}) { ${fields} } }`,
  });
  const ranges = Array.from({ length: rangeCount }, () => {
    const from = random.below(head);
    return ask("range", `from: ${from}, to: ${from + random.below(longestRange)}`);
  });
  const whole = random.below(Math.max(1, head - 3));
  return [
    ...ranges,
    ask(
      "range, whole",
      `from: ${whole}, to: ${whole + 2}`,
      select("Block", { "Transaction.logs": [], "Transaction.block": [] }),
    ),
    ask("range to the head", `from: ${Math.max(0, head - 5)}`),
    ask("range to beyond the head", `from: ${Math.max(0, head - 5)}, to: ${head + 20}`),
    ask("range of one", `from: ${head}, to: ${head}`),
    ask("range from beyond the head", `from: ${head + 1}, to: ${head + 2}`),
    ask("range from beyond the head, without end", `from: ${head + 1}`),
    ask("range reversed", `from: ${Math.min(5, head)}, to: ${Math.min(5, head) - 2}`),
    ask("range without start", `to: ${head}`),
    ask("range without ends", "from: null, to: null"),
    ask("range from a negative number", "from: -5, to: 3"),
    ask("range to a negative number", "from: 0, to: -1"),
  ];
}

/** What is asked without naming a block, and blocks that are not there. */
export function listHeadCases({ blocks }: ChainContents, select: SelectFields): readonly QueryCase[] {
  const head = blocks.length - 1;
  const hash = `0x${"12".repeat(32)}`;
  const first = blocks[0]?.hash ?? "";
  return [
    { kind: "latest block", query: `{ block { ${select("Block")} } }` },
    { kind: "latest block", query: `{ block(number: null) { ${select("Block")} } }` },
    { kind: "latest block", query: `{ block(hash: null, number: null) { number } }` },
    { kind: "block beyond the head", query: `{ block(number: ${head + 1}) { number } }` },
    { kind: "block beyond the head", query: `{ block(number: "0x7fffffffffffffff") { number } }` },
    { kind: "block of a negative number", query: `{ block(number: -1) { number } }` },
    { kind: "block of an unknown hash", query: `{ block(hash: "${hash}") { number } }` },
    { kind: "block by number and hash", query: `{ block(number: 0, hash: "${first}") { number } }` },
    { kind: "unknown transaction", query: `{ transaction(hash: "${hash}") { hash block { number } } }` },
    { kind: "gas price", query: "{ gasPrice }" },
    { kind: "syncing", query: "{ syncing { startingBlock currentBlock highestBlock } }" },
  ];
}
