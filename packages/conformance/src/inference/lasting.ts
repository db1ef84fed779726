import { plainName } from "../compare/volatile-names.ts";

type Input = Readonly<Record<string, unknown>>;

/** A hash as interfaces write it: 32 bytes in hexadecimal. */
const hashText = /^(?:0x)?[0-9a-f]{64}$/i;
/** Any digest. */
const digestText = /^(?:0x)?[0-9a-f]{32,}$/i;
/** Names of values that say all that a result can be. */
const digestName = /(?:hash|txid|digest|sha1|sha256|sha512|checksum|merkleroot|transactionid)$/;
/** What is known by its hash, whatever the value is called. */
const contentName = /block|tx|transaction|object|blob|commit|file/;
/** What is returned depends on more than what the hash is of. */
const passingName =
  /mempool|pending|unspent|utxo|txout|spen[dt]|balance|status|confirm|peer|estimate|fee|wait|address|account|wallet|user|owner|script|count$/;
/** What is returned is something else each day, though no input names anything that changes. */
const dailyName = /fee|gas|mempool|pending|peer|hashrate|hashps|exchangerate|forecast/;
/** Words that stand for blocks that go on. */
const movingTags: ReadonlySet<unknown> = new Set(["latest", "pending", "safe", "finalized", "earliest"]);

/** Whether a value is written as a hash of 32 bytes. */
function isHash(value: unknown): value is string {
  return typeof value === "string" && hashText.test(value);
}

/** Whether the result of a call stays as it is: it is for something that its input names by a hash. `name`: of the operation, or its path. */
export function isNamedByHash(name: string, input: Input): boolean {
  const plain = plainName(name);
  if (passingName.test(plain) || Object.values(input).some((value) => movingTags.has(value))) return false;
  return Object.entries(input).some(
    ([property, value]) =>
      (isHash(value) && contentName.test(plain)) ||
      (typeof value === "string" && digestText.test(value) && digestName.test(plainName(property))),
  );
}

/** Whether an input names a block by its height: a chain may change at its tip, but what a description shows lies far below it. */
export function isNamedByHeight(name: string, input: Input): boolean {
  const heights = Object.entries(input).filter(([property]) => /(?:height|blocknumber)$/.test(plainName(property)));
  return (
    !passingName.test(plainName(name)) && heights.some(([, value]) => /^(?:\d+|0x[0-9a-f]{1,16})$/i.test(String(value)))
  );
}

/** Whether a result is of the day on which it is called for, so that an example only shows how it looks. */
export function isNamedDaily(name: string): boolean {
  return dailyName.test(plainName(name));
}
