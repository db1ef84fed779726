import { fullBlock } from "./block-cases.ts";
import type { ChainContents } from "./chain-contents.ts";
import type { QueryCase } from "./query-case.ts";
import type { Random } from "./random.ts";
import type { SelectFields } from "./select-fields.ts";

/** Blocks that one filter looks at, at most. */
const longestRange = 40;
const noTopic = `0x${"ab".repeat(32)}`;

/** So many filters of logs, of a range and of a block, and those that are refused. */
export function listLogCases(
  contents: ChainContents,
  select: SelectFields,
  random: Random,
  count: number,
): readonly QueryCase[] {
  const { blocks } = contents;
  const head = blocks.length - 1;
  const withLogs = blocks.filter(({ logAddresses }) => logAddresses.length > 0);
  if (withLogs.length === 0) return [];
  const fields = "index topics data account { address } transaction { hash index block { number hash } }";
  const ask = (kind: string, filter: string, selection = fields): QueryCase => ({
    kind,
    query: `{ logs(filter: { ${filter} }) { ${selection} } }`,
  });
  const filters = Array.from({ length: count }, () => {
    const near = random.of(withLogs);
    const from = Math.max(0, near.number - random.below(longestRange / 2));
    const to = Math.min(head, near.number + random.below(longestRange / 2));
    return ask("logs", `fromBlock: ${from}, toBlock: ${to}, ${matching(near.logAddresses, contents, random)}`);
  });
  const ofBlocks = random.some(withLogs, Math.ceil(count / 2)).map(({ hash, logAddresses }) => ({
    kind: "logs of a block",
    query: `{ block(hash: "${hash}") { logs(filter: { ${matching(logAddresses, contents, random)} }) { ${fields} } } }`,
  }));
  // All that is below a log is too much for geth where there are many.
  const near = random.of(withLogs.filter(({ transactions }) => transactions.length <= fullBlock)).number;
  return [
    ...filters,
    ...ofBlocks,
    ask("logs, whole", `fromBlock: ${near}, toBlock: ${near}`, select("Log", { "Block.transactions": [] })),
    ask("logs without range", ""),
    ask("logs without end", `fromBlock: ${Math.max(0, head - 3)}`),
    ask("logs without start", `toBlock: ${head}`),
    ask("logs reversed", `fromBlock: ${near}, toBlock: ${near - 1}`),
    ask("logs beyond the head", `fromBlock: ${head}, toBlock: ${head + 1}`),
    ask("logs from beyond the head", `fromBlock: ${head + 5}, toBlock: ${head + 9}`),
    ask("logs of negative heights", "fromBlock: -3, toBlock: 4"),
    ask("logs to a negative height", "fromBlock: 0, toBlock: -1"),
    ask("logs of five topics", `fromBlock: ${near}, toBlock: ${near}, topics: [[], [], [], [], []]`),
    ask("logs of null", "fromBlock: null, toBlock: null, addresses: null, topics: null"),
  ];
}

/** Addresses and topics in GraphQL's text: none, empty, some that match, some that do not. */
function matching(addresses: readonly string[], { topics, addresses: all }: ChainContents, random: Random): string {
  const list = (values: readonly string[]): string => `[${values.map((value) => `"${value}"`).join(", ")}]`;
  const ofAddresses = [
    "",
    "addresses: []",
    `addresses: ${list(addresses)}`,
    `addresses: ${list([...addresses.slice(0, 1), random.of(all)])}`,
    `addresses: ${list([random.of(all)])}`,
  ];
  const position = (): string =>
    random.of(["[]", list([noTopic]), list(random.some(topics, 1)), list(random.some(topics, 4))]);
  const positions = Array.from({ length: random.below(5) }, position);
  return [random.of(ofAddresses), random.of(["", "topics: []", `topics: [${positions.join(", ")}]`])]
    .filter((text) => text !== "")
    .join(", ");
}
