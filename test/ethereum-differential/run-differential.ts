import type { GraphQLSchema } from "graphql";
import { listAccountCases, listAccountsAtCases } from "./account-cases.ts";
import { type Ask, createAsk, readOwnSchema, readSchema, serveOwn } from "./query-both.ts";
import { fullBlock, listBlockCases, listHeadCases, listRangeCases } from "./block-cases.ts";
import { listCallCases, listPendingCallCases } from "./call-cases.ts";
import type { BlockContents } from "./chain-contents.ts";
import { checkOwnFields } from "./check-own-fields.ts";
import { checkSending, sendingField } from "./check-sending.ts";
import { compareCases, countDifferences, createOutcome, type Outcome } from "./compare-cases.ts";
import {
  type ComparedChain,
  forkWithAnvil,
  startEveryForkChain,
  startOwnTestChain,
  startPlayedChain,
} from "./compared-chain.ts";
import { createReport, type DifferentialReport } from "./differential-report.ts";
import { type Lessening, lessenNode } from "./lessened-node.ts";
import { createExplainDifference, type DifferencesFile, readDifferences } from "./listed-differences.ts";
import { listLogCases } from "./log-cases.ts";
import { listPendingCases } from "./pending-cases.ts";
import type { QueryCase } from "./query-case.ts";
import { createRandom, type Random } from "./random.ts";
import { createSelectFields, listCoordinates, type SelectFields } from "./select-fields.ts";
import { listWrongCases } from "./wrong-cases.ts";

export interface DifferentialOptions {
  /** Of the program. */
  readonly geth: string;
  /** Everything is kept there. */
  readonly directory: string;
  /** Every block of every chain, in place of some. */
  readonly everything: boolean;
  /** Which blocks, accounts and filters. */
  readonly seed: number;
}

/** How much of a chain is asked about. */
interface Extent {
  readonly blocks: number;
  /** Of each block, asked for by their own hashes. */
  readonly transactions: number;
  /** Whether full blocks are among them. */
  readonly hasFullBlocks: boolean;
  readonly calledBlocks: number;
  readonly filters: number;
}

const extents = {
  everything: {
    blocks: Number.POSITIVE_INFINITY,
    transactions: 60,
    hasFullBlocks: true,
    calledBlocks: 12,
    filters: 400,
  },
  some: { blocks: 8, transactions: 2, hasFullBlocks: true, calledBlocks: 1, filters: 30 },
  lessened: { blocks: 2, transactions: 1, hasFullBlocks: false, calledBlocks: 0, filters: 6 },
} as const satisfies Readonly<Record<string, Extent>>;

/** What nodes are found to lack, one thing at a time and all together. */
const lessenings: readonly Lessening[] = [
  { methods: ["eth_getBlockReceipts"] },
  { methods: ["eth_getStorageValues"] },
  { methods: ["eth_getProof"] },
  { methods: ["eth_simulateV1"] },
  { methods: ["debug_*"] },
  { methods: ["txpool_*"] },
  { methods: [], refusesBatches: true },
  {
    methods: [
      "eth_feeHistory",
      "eth_getBlockReceipts",
      "eth_getStorageValues",
      "eth_getProof",
      "eth_simulateV1",
      "debug_*",
      "txpool_*",
    ],
    refusesBatches: true,
  },
];

/** Asks geth and this project the same of each chain, over geth itself, over anvil and over nodes with less to them. */
export async function runDifferential(options: DifferentialOptions): Promise<DifferentialReport> {
  const run = createRun(options);
  const { geth, directory } = options;
  const extent = options.everything ? extents.everything : extents.some;
  await withChain(startOwnTestChain(geth, directory), async (chain) => {
    await run.compareOverGeth(chain, extent);
    await run.compareOverAnvil(chain, options.everything ? extents.some : extents.lessened);
  });
  await withChain(startEveryForkChain(geth, directory), async (chain) => await run.compareOverGeth(chain, extent));
  await withChain(startPlayedChain(geth, directory), async (chain) => {
    await run.compareOverGeth(chain, extent);
    for (const lessening of lessenings) await run.compareOverLess(chain, lessening, extents.lessened);
    await run.compareOverAnvil(chain, extents.lessened);
    await run.compareSending(chain);
  });
  return run.report();
}

async function withChain(
  starting: Promise<ComparedChain>,
  compare: (chain: ComparedChain) => Promise<void>,
): Promise<void> {
  const chain = await starting;
  try {
    await compare(chain);
  } finally {
    await chain.stop();
  }
}

function createRun({ seed }: DifferentialOptions) {
  const file = readDifferences();
  const explain = createExplainDifference(file);
  const schema = readOwnSchema();
  const outcome: Outcome = createOutcome();
  const problems: string[] = [];
  const select = createSelectFields(schema, (coordinate) => isOfOne(file, coordinate));
  const random = createRandom(seed);
  // Wrong values are refused before a chain is looked at: they are asked of one alone.
  let isFirst = true;
  const compare = async (over: string, geth: Ask, ours: Ask, cases: readonly QueryCase[]): Promise<void> =>
    await compareCases({ over, schema, geth, ours }, cases, file, explain, outcome);
  return {
    async compareOverGeth(chain: ComparedChain, extent: Extent): Promise<void> {
      const geth = createAsk(chain.geth.graphqlUrl);
      problems.push(...listFieldProblems(file, schema, await readSchema(geth)));
      const own = await serveOwn(chain.geth.url);
      try {
        const cases = [...listReadCases(chain, select, random, extent), ...listPendingOf(chain, select)];
        await compare(chain.name, geth, own.ask, cases);
        if (isFirst) await compare(chain.name, geth, own.ask, listWrongCases());
        isFirst = false;
        problems.push(...(await checkOwnFields(chain, own.ask)));
      } finally {
        await own.stop();
      }
    },
    async compareOverLess(chain: ComparedChain, lessening: Lessening, extent: Extent): Promise<void> {
      const lessened = await lessenNode(chain.geth.url, lessening);
      const own = await serveOwn(lessened.url);
      try {
        const cases = [...listReadCases(chain, select, random, extent), ...listPendingOf(chain, select)];
        await compare(nameOf(lessening), createAsk(chain.geth.graphqlUrl), own.ask, cases);
      } finally {
        await own.stop();
        await lessened.stop();
      }
    },
    async compareOverAnvil(chain: ComparedChain, extent: Extent): Promise<void> {
      const anvil = await forkWithAnvil(chain);
      if (anvil === undefined) return;
      const own = await serveOwn(anvil.url);
      try {
        const cases = listReadCases(chain, select, random, extent);
        await compare(`anvil over ${chain.name}`, createAsk(chain.geth.graphqlUrl), own.ask, cases);
      } finally {
        await own.stop();
        await anvil.stop();
      }
    },
    async compareSending({ name, geth, dev }: ComparedChain): Promise<void> {
      if (dev === undefined) return;
      const own = await serveOwn(geth.url);
      try {
        const { compared, refusals, problems: found } = await checkSending(dev, createAsk(geth.graphqlUrl), own.ask);
        problems.push(...found);
        const counted = new Map([[sendingField, compared]]);
        countDifferences(name, { kind: "sending", query: "" }, counted, [], explain, outcome);
        for (const { refused, ...difference } of refusals) {
          const asked = { kind: `refused transaction, ${refused}`, query: "" };
          countDifferences(name, asked, new Map(), [difference], explain, outcome);
        }
      } finally {
        await own.stop();
      }
    },
    report: (): DifferentialReport => createReport(outcome, file, schema, problems),
  };
}

/** All that can be read of a chain. The whole of its blocks is read where there is something special about them. */
function listReadCases(
  { contents, called }: ComparedChain,
  select: SelectFields,
  random: Random,
  extent: Extent,
): readonly QueryCase[] {
  const blocks = chooseBlocks(contents.blocks, random, extent);
  return [
    ...listHeadCases(contents, select),
    ...listBlockCases(blocks, contents, select, random, extent.transactions),
    ...listRangeCases(contents, select, random),
    ...listAccountCases(blocks, contents, random),
    ...listAccountsAtCases(contents, random),
    ...listLogCases(contents, select, random, extent.filters),
    // The head as well: it is the only block on whose state a fork runs calls.
    ...listCallCases([...random.some(blocks, extent.calledBlocks), ...contents.blocks.slice(-1)], called),
  ];
}

function listPendingOf({ contents, waiting, called }: ComparedChain, select: SelectFields): readonly QueryCase[] {
  return [...listPendingCases(contents.addresses, waiting, contents.slots, select), ...listPendingCallCases(called)];
}

/** So many blocks by chance, the first and the last, and one of each kind: by its transactions' types, ommers and logs. */
function chooseBlocks(all: readonly BlockContents[], random: Random, extent: Extent): readonly BlockContents[] {
  const { blocks: count, hasFullBlocks } = extent;
  const blocks = hasFullBlocks ? all : all.filter(({ transactions }) => transactions.length <= fullBlock);
  if (blocks.length <= count) return blocks;
  const kinds = new Map(blocks.map((block) => [kindOf(block), block]));
  const chosen = new Set([
    ...random.some(blocks, count),
    ...kinds.values(),
    ...blocks.slice(0, 1),
    ...blocks.slice(-1),
  ]);
  return [...chosen];
}

function kindOf({ transactions, ommerCount }: BlockContents): string {
  const types = new Set(transactions.map(({ type }) => type));
  return `${[...types].toSorted().join()} ${ommerCount}`;
}

function nameOf({ methods, refusesBatches = false }: Lessening): string {
  const lacks = [...methods, ...(refusesBatches ? ["batches"] : [])];
  return `without ${lacks.length > 2 ? "all of these" : lacks.join(", ")}`;
}

function isOfOne({ fields }: DifferencesFile, coordinate: string): boolean {
  return fields.some((field) => field.coordinate === coordinate);
}

/** Fields that one schema has and the other has not, and of which the list says nothing, or something that is not so. */
function listFieldProblems({ fields }: DifferencesFile, ours: GraphQLSchema, geth: GraphQLSchema): readonly string[] {
  const [own, theirs] = [new Set(listCoordinates(ours)), new Set(listCoordinates(geth))];
  const listed = new Map(fields.map(({ coordinate, only }) => [coordinate, only]));
  const found = new Map([
    ...[...own].filter((name) => !theirs.has(name)).map((name) => [name, "ours"] as const),
    ...[...theirs].filter((name) => !own.has(name)).map((name) => [name, "geth"] as const),
  ]);
  return [
    ...[...found].flatMap(([name, only]) => (listed.get(name) === only ? [] : [`${name} is a field of ${only} only`])),
    ...[...listed].flatMap(([name, only]) =>
      found.get(name) === only ? [] : [`${name} is not a field of ${only} only`],
    ),
  ];
}
