import { fullBlock } from "./block-cases.ts";
import type { BlockContents, ChainContents } from "./chain-contents.ts";
import type { QueryCase } from "./query-case.ts";
import type { Random } from "./random.ts";

/** Accounts in one query. */
const together = 10;

/** The state of accounts after blocks: of all of them, some at a time, each with slots of its storage. */
export function listAccountCases(
  blocks: readonly BlockContents[],
  { addresses, slots }: ChainContents,
  random: Random,
): readonly QueryCase[] {
  return blocks.flatMap(({ number, hash }) => {
    const chosen = random.some(addresses, together);
    const fields = `address balance transactionCount code ${storage(random.some(slots, 3))}`;
    const selection = chosen.map((address, at) => `a${at}: account(address: "${address}") { ${fields} }`).join(" ");
    const only = chosen.map((address, at) => `a${at}: account(address: "${address}") { address }`).join(" ");
    return [
      { kind: "accounts by number", query: `{ block(number: ${number}) { ${selection} } }` },
      { kind: "accounts by hash", query: `{ block(hash: "${hash}") { ${selection} } }` },
      { kind: "accounts without state", query: `{ block(number: ${number}) { ${only} } }` },
    ];
  });
}

/** Accounts of blocks, transactions and logs at heights that are named. */
export function listAccountsAtCases({ blocks }: ChainContents, random: Random): readonly QueryCase[] {
  const head = blocks.length - 1;
  const withLogs = blocks.filter(
    ({ logAddresses, transactions }) => logAddresses.length > 0 && transactions.length <= fullBlock,
  );
  const some = random.some(withLogs, 5);
  const ask = (kind: string, hash: string, height: string): QueryCase => {
    const at = `(block: ${height})`;
    const fields = "{ address balance transactionCount code }";
    const ofTransaction = `from${at} ${fields} to${at} ${fields} createdContract${at} ${fields} logs { account${at} ${fields} }`;
    return { kind, query: `{ block(hash: "${hash}") { miner${at} ${fields} transactions { ${ofTransaction} } } }` };
  };
  return some.flatMap(({ number, hash }) => [
    ask("accounts at their block", hash, String(number)),
    ask("accounts before their block", hash, String(Math.max(0, number - 1))),
    ask("accounts at the first block", hash, "0"),
    ask("accounts at the head", hash, String(head)),
    ask("accounts beyond the head", hash, String(head + 1)),
    ask("accounts at a negative height", hash, "-1"),
    ask("accounts at a height of null", hash, "null"),
  ]);
}

function storage(slots: readonly string[]): string {
  return slots.map((slot, at) => `s${at}: storage(slot: "${slot}")`).join(" ");
}
