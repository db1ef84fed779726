// Holds an answer of ours against electrs' and says why it differs, if that is a difference which specs/index/openapi.yaml lists.
import type { ChainContents, ComparedRequest } from "./electrs-requests.ts";

/** What a client sees of an answer. */
export interface ComparedAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly caching: string | undefined;
  /** Bytes as Latin-1 characters. */
  readonly body: string;
}

/** What became of two answers. */
export interface Comparison {
  /** Why they differ, a reason for each part that does. None: they are equal. */
  readonly reasons: readonly string[];
  /** electrs' answer without the differences that are known. */
  readonly expected: ComparedAnswer;
  readonly isExplained: boolean;
}

/** What has to be known of a chain to judge answers. */
export type KnownChain = Pick<ChainContents, "places" | "unconfirmed" | "unspendable">;

/** Makes of electrs' answer what it would be without one difference; gives the very same answer where it has none. */
interface Difference {
  readonly reason: string;
  without(theirs: ComparedAnswer, ours: ComparedAnswer, request: ComparedRequest, chain: KnownChain): ComparedAnswer;
}

/** Finds the listed differences between two answers to one request. */
export function explainDifference(
  request: ComparedRequest,
  theirs: ComparedAnswer,
  ours: ComparedAnswer,
  chain: KnownChain,
): Comparison {
  const reasons: string[] = [];
  let expected = theirs;
  for (const { reason, without } of differences) {
    if (isSame(expected, ours)) break;
    const next = without(expected, ours, request, chain);
    if (isSame(expected, next)) continue;
    reasons.push(reason);
    expected = next;
  }
  return { reasons, expected, isExplained: isSame(expected, ours) };
}

function isSame(left: ComparedAnswer, right: ComparedAnswer): boolean {
  return (
    left.status === right.status &&
    left.type === right.type &&
    left.caching === right.caching &&
    left.body === right.body
  );
}

const settled = "public, max-age=157784630";
const unsettled = "public, max-age=10";

const additionalRoutes =
  /^\/(?:mempool\/txids\/page|txs\/outspends|(?:addresses|scripthashes)\/txs|(?:address|scripthash)\/[^/]*\/txs\/summary)/;

const differences: readonly Difference[] = [
  {
    reason: "mempool.space: more routes",
    without: (theirs, ours, { path }) =>
      theirs.body.startsWith("endpoint does not exist ") && additionalRoutes.test(path) ? ours : theirs,
  },
  {
    reason: "mempool.space: members and types of its transactions",
    without: (theirs, ours) =>
      theirs.body === ours.body ? theirs : { ...theirs, body: withoutAdditions(theirs.body) },
  },
  {
    reason: "immutable only when ten blocks stand above",
    without: (theirs, ours, { path }) => {
      if (ours.caching === `${settled}, immutable`) return replaceCaching(theirs, settled, ours.caching);
      return path.startsWith("/block/") ? replaceCaching(theirs, settled, unsettled) : theirs;
    },
  },
  {
    reason: "failures have no caching",
    without: (theirs, ours) => (ours.status >= 400 ? replaceCaching(theirs, "public, max-age=0", undefined) : theirs),
  },
  {
    reason: "mempool.space: unconfirmed transactions stand twice in a history",
    without: (theirs, _ours, { route }) => {
      const elements = route.endsWith(":name/txs, all pages") ? elementsOf(theirs.body) : undefined;
      return elements === undefined ? theirs : { ...theirs, body: `[${[...new Set(elements)].join()}]` };
    },
  },
  {
    reason: "sizes in the mempool are whole virtual bytes, rounded up",
    without: (theirs, _ours, { path }, chain) =>
      path === "/mempool" ? { ...theirs, body: JSON.stringify(mempoolOf(chain.unconfirmed)) } : theirs,
  },
  {
    reason: "order of the mempool",
    without: (theirs, ours, { path }) =>
      path.startsWith("/mempool/") && isSameMempool(theirs.body, ours.body) ? { ...theirs, body: ours.body } : theirs,
  },
  {
    reason: "the newest fifty unconfirmed transactions",
    without: (theirs, ours, { path, whole }) => {
      const isOther = whole === undefined ? isOtherPage : isPageOf;
      return /\/txs(?:\/mempool)?$/.test(path) && isOther(theirs.body, ours.body)
        ? { ...theirs, body: ours.body }
        : theirs;
    },
  },
  {
    reason: "order of histories",
    without: (theirs, ours, { path }, { places }) =>
      path.includes("/txs") && isSameSet(theirs.body, ours.body) && isDescending(ours.body, places)
        ? { ...theirs, body: ours.body }
        : theirs,
  },
  {
    reason: "order of unspent outputs",
    without: (theirs, ours, { path }) =>
      path.endsWith("/utxo") && isSameSet(theirs.body, ours.body) ? { ...theirs, body: ours.body } : theirs,
  },
  {
    reason: "fee estimates hold all targets",
    without: (theirs, ours, { path }) =>
      path === "/fee-estimates" && isWithin(theirs.body, ours.body) ? { ...theirs, body: ours.body } : theirs,
  },
  {
    reason: "mempool.space: no history of scripts that begin with an opcode that is never valid",
    without: (theirs, ours, { path }, { unspendable }) =>
      unspendable.has(path.split("/")[2] ?? "") && ours.status === 200 ? ours : theirs,
  },
  {
    reason: "mempool.space: addresses of other test networks are taken",
    without: (theirs, ours, { path }) => {
      const isOther = path.startsWith("/address/tb1") && theirs.status === 200;
      return isOther && ours.body === "Address on invalid network" ? ours : theirs;
    },
  },
  {
    reason: "mempool.space: texts",
    without: (theirs, ours) => {
      const isKnown = texts.some(([known, text]) => known === theirs.body && text === ours.body);
      return isKnown ? { ...theirs, body: ours.body } : theirs;
    },
  },
  {
    reason: "whole numbers have neither sign nor leading zeros, nor more digits than are exact",
    without: (theirs, ours, { path }) =>
      /\/(?:\+\d+|0\d+|\d{17,})$/.test(path) && ours.body === "Invalid number" ? ours : theirs,
  },
  {
    reason: "an empty name before another slash is no name",
    without: (theirs, ours, { path }) =>
      path.startsWith("/address//") && theirs.status === 400 && ours.status === 404 ? ours : theirs,
  },
  {
    reason: "methods that a path does not have are refused with 405",
    without: (theirs, ours) =>
      theirs.body.startsWith("endpoint does not exist") && ours.status === 405 ? ours : theirs,
  },
  {
    reason: "mempool.space: wrong queries are overlooked",
    without: (theirs, ours, { path }) => {
      const refusal = refusals.find(([query]) => path.endsWith(query));
      return theirs.status === 200 && refusal !== undefined && refusal[1] === ours.body ? ours : theirs;
    },
  },
  {
    reason: "a summary below an unknown transaction is empty",
    without: (theirs, ours, { path }) =>
      path.includes("/txs/summary/") && theirs.body === "after_txid not found" && ours.body === "[]" ? ours : theirs,
  },
];

/** Ends of paths, and what we say of them. */
const refusals: readonly (readonly [string, string])[] = [
  ["max_txs=abc", "Invalid max_txs"],
  ["max_txs=0", "Invalid max_txs"],
  ["after_txid=abc", "after_txid not found"],
  [`after_txid=${"0".repeat(64)}`, "after_txid not found"],
  ["txids=", "No txids specified"],
];

/** Of mempool.space, and of Esplora. */
const texts: readonly (readonly [string, string])[] = [
  ["Invalid Bitcoin address", "base58 error"],
  ["Invalid Bitcoin address", "legacy address base58 string"],
  ["Invalid Bitcoin address", "legacy address base58 data"],
  ["Invalid Bitcoin address", "legacy address base58 prefix"],
  ["Invalid Bitcoin address", "tried to parse an unknown hrp"],
  ["start index must be a multipication of 25", "start index must be a multiple of 25"],
  ["Invalid hex string", "Invalid scripthash"],
];

/** Members that mempool.space's transactions have and Esplora's have not, and types of scripts that Esplora does not know. */
function withoutAdditions(body: string): string {
  if (!/"(?:vin|tx_position)":/.test(body)) return body;
  const value: unknown = JSON.parse(body);
  // Else it could not be told what was changed.
  if (JSON.stringify(value) !== body) return body;
  return JSON.stringify(value, (key, member: unknown) => {
    if (additionalMembers.has(key)) return undefined;
    if (key === "scriptpubkey_type" && additionalTypes.has(String(member))) return "unknown";
    return isTaprootSpend(member) ? { ...member, inner_witnessscript_asm: undefined } : member;
  });
}

const additionalMembers: ReadonlySet<string> = new Set(["sigops", "tx_position"]);
const additionalTypes: ReadonlySet<string> = new Set(["multisig", "anchor", "provably_unspendable"]);

function isTaprootSpend(value: unknown): value is object {
  if (typeof value !== "object" || value === null || !("prevout" in value)) return false;
  const { prevout } = value as { readonly prevout: { readonly scriptpubkey_type: string } | null };
  return prevout?.scriptpubkey_type === "v1_p2tr";
}

function replaceCaching(answer: ComparedAnswer, from: string, to: string | undefined): ComparedAnswer {
  return answer.caching === from ? { ...answer, caching: to } : answer;
}

function isSameSet(theirs: string, ours: string): boolean {
  const [left, right] = [elementsOf(theirs), elementsOf(ours)];
  return left !== undefined && left.toSorted().join("\n") === right?.toSorted().join("\n");
}

/** Whether ours are fifty of theirs, which are more. */
function isPageOf(theirs: string, ours: string): boolean {
  const all = new Set(elementsOf(theirs));
  const page = new Set(elementsOf(ours));
  return page.size === unconfirmedPerPage && all.size > page.size && page.isSubsetOf(all);
}

/** Whether both have fifty unconfirmed ones, and the same confirmed ones below. */
function isOtherPage(theirs: string, ours: string): boolean {
  const [left, right] = [theirs, ours].map((body) => Object.groupBy(elementsOf(body) ?? [], confirmation));
  const areFifty = [left, right].every((groups) => new Set(groups?.unconfirmed).size === unconfirmedPerPage);
  return areFifty && left?.confirmed?.toSorted().join() === right?.confirmed?.toSorted().join();
}

function confirmation(transaction: string): "confirmed" | "unconfirmed" {
  return transaction.includes('"status":{"confirmed":false}') ? "unconfirmed" : "confirmed";
}

const unconfirmedPerPage = 50;

/** Whether our estimates are theirs and those for all other targets. */
function isWithin(theirs: string, ours: string): boolean {
  const all = JSON.parse(ours) as Readonly<Record<string, number>>;
  const some = Object.entries(JSON.parse(theirs) as Readonly<Record<string, number>>);
  return Object.keys(all).length === feeTargets && some.every(([target, rate]) => all[target] === rate);
}

/** 1 to 25, 144, 504 and 1008. */
const feeTargets = 28;

/** What is to be said of a mempool: Esplora's histogram, over whole virtual bytes. */
function mempoolOf(transactions: KnownChain["unconfirmed"]): unknown {
  const entries = transactions.map(({ weight, fee }) => ({ fee, size: Math.ceil(weight / 4) }));
  const histogram: [rate: number, size: number][] = [];
  let size = 0;
  let lastRate = 0;
  for (const entry of entries.toSorted((left, right) => right.fee / right.size - left.fee / left.size)) {
    const rate = entry.fee / entry.size;
    if (size > histogramBin && rate !== lastRate) {
      histogram.push([lastRate, size]);
      size = 0;
    }
    size += entry.size;
    lastRate = rate;
  }
  if (size > 0) histogram.push([lastRate, size]);
  return {
    count: entries.length,
    vsize: entries.reduce((sum, entry) => sum + entry.size, 0),
    total_fee: entries.reduce((sum, entry) => sum + entry.fee, 0),
    fee_histogram: histogram,
  };
}

/** Virtual bytes. */
const histogramBin = 50_000;

/** Above every place in the chain. */
const unconfirmed: number = Number.POSITIVE_INFINITY;

/** Whether two lists are of the same unconfirmed transactions, or of as many of the newest, which all came at once. */
function isSameMempool(theirs: string, ours: string): boolean {
  const [left, right] = [JSON.parse(theirs), JSON.parse(ours)] as readonly (readonly unknown[])[];
  if (left === undefined || left.length !== right?.length) return false;
  if (theirs.startsWith("[{")) return Object.keys(left[0] ?? {}).join() === Object.keys(right[0] ?? {}).join();
  return left.toSorted().join() === right.toSorted().join();
}

/** Whether a list of transactions goes down the chain, each confirmed one once and below all that are not. */
function isDescending(list: string, places: ReadonlyMap<string, number>): boolean {
  let above = unconfirmed;
  for (const element of elementsOf(list) ?? []) {
    const place = places.get(/^\{"txid":"([0-9a-f]+)"/.exec(element)?.[1] ?? "");
    if ((place ?? unconfirmed) >= above && above !== unconfirmed) return false;
    above = place ?? unconfirmed;
  }
  return true;
}

/** The texts of the objects of a list, as they stand there. `undefined`: it is no list. */
export function elementsOf(list: string): readonly string[] | undefined {
  if (!list.startsWith("[")) return undefined;
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: mark, index } of list.matchAll(/[{}]|"(?:[^"\\]|\\.)*"/g)) {
    if (mark === "{" && depth++ === 0) start = index;
    if (mark === "}" && --depth === 0) elements.push(list.slice(start, index + 1));
  }
  return elements;
}
