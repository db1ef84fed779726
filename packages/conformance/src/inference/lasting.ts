import { plainName } from "../compare/volatile-names.ts";

type Input = Readonly<Record<string, unknown>>;

/** Hash: 32 bytes in hexadecimal. */
const hashText = /^(?:0x)?[0-9a-f]{64}$/i;
/** Any digest in hexadecimal. */
const digestText = /^(?:0x)?[0-9a-f]{32,}$/i;
/** Names of values that determine a result completely. */
const digestName = /(?:hash|txid|digest|sha1|sha256|sha512|checksum|merkleroot|transactionid)$/;
/** Names of objects that a hash identifies, whatever the name of the parameter. */
const contentName = /block|tx|transaction|object|blob|commit|file/;
/** Names of results that depend on more than the hashed object. */
const passingName =
  /mempool|pending|unspent|utxo|txout|spen[dt]|balance|status|confirm|peer|estimate|fee|wait|address|account|wallet|user|owner|script|count$/;
/** Names of results that change every day, even if no input refers to anything that changes. */
const dailyName = /fee|gas|mempool|pending|peer|hashrate|hashps|exchangerate|forecast/;
/** Tags of blocks that change. */
const movingTags: ReadonlySet<unknown> = new Set(["latest", "pending", "safe", "finalized", "earliest"]);

/** Whether a value is a hash of 32 bytes in hexadecimal. */
function isHash(value: unknown): value is string {
  return typeof value === "string" && hashText.test(value);
}

/** Whether the result of a call is immutable, because its input identifies the object by a hash. `name`: name or path of the operation. */
export function isNamedByHash(name: string, input: Input): boolean {
  const plain = plainName(name);
  if (passingName.test(plain) || Object.values(input).some((value) => movingTags.has(value))) return false;
  return Object.entries(input).some(
    ([property, value]) =>
      (isHash(value) && contentName.test(plain)) ||
      (typeof value === "string" && digestText.test(value) && digestName.test(plainName(property))),
  );
}

/** Whether an input identifies a block by its height: a chain may change at its tip, but blocks in a description are far below it. */
export function isNamedByHeight(name: string, input: Input): boolean {
  const heights = Object.entries(input).filter(([property]) => /(?:height|blocknumber)$/.test(plainName(property)));
  return (
    !passingName.test(plainName(name)) && heights.some(([, value]) => /^(?:\d+|0x[0-9a-f]{1,16})$/i.test(String(value)))
  );
}

/** Whether a result depends on the day of the call, so that an example shows only its form. */
export function isNamedDaily(name: string): boolean {
  return dailyName.test(plainName(name));
}
