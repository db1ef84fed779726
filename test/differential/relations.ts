import { ExactNumber, isJsonObject, isSameJson } from "./exact-json.ts";
import type { Relation } from "./listed-differences.ts";

/** Whether a value of the other node's and one of ours belong together in one of the ways that listed differences name. */
export function holdsRelation(relation: Relation, theirs: unknown, ours: unknown): boolean {
  return relations[relation](theirs, ours);
}

const relations: Readonly<Record<Relation, (theirs: unknown, ours: unknown) => boolean>> = {
  "same members": hasSameMembers,
  "same members once": (theirs, ours) =>
    Array.isArray(theirs) && Array.isArray(ours) && hasSameMembers([...new Set(theirs)], ours),
  "same to 16 digits": (theirs, ours) =>
    theirs instanceof ExactNumber &&
    ours instanceof ExactNumber &&
    Number(Number(theirs.source).toPrecision(16)) === Number(ours.source),
  "same hexadecimal number": (theirs, ours) =>
    typeof theirs === "string" && typeof ours === "string" && hexDigitsOf(theirs) === hexDigitsOf(ours),
  "same script": (theirs, ours) => typeof theirs === "string" && typeof ours === "string" && isSameScript(theirs, ours),
  "same but for version and sequences": (theirs, ours) =>
    typeof theirs === "string" && typeof ours === "string" && neutralOf(theirs) === neutralOf(ours),
  "known chain tips": (theirs, ours) =>
    Array.isArray(theirs) && Array.isArray(ours) && ours.every((tip) => theirs.some((known) => isSameTip(known, tip))),
  "another unconfirmed transaction": (theirs, ours) =>
    isUnconfirmed(theirs) && isUnconfirmed(ours) && theirs["txid"] !== ours["txid"],
};

function isSameTip(theirs: unknown, ours: unknown): boolean {
  if (!isJsonObject(theirs) || !isJsonObject(ours)) return false;
  const isLeft = theirs["status"] === "invalid" && ours["status"] === "valid-fork";
  return isSameJson(isLeft ? { ...theirs, status: "valid-fork" } : theirs, ours);
}

function isUnconfirmed(transaction: unknown): transaction is Readonly<Record<string, unknown>> {
  return isJsonObject(transaction) && typeof transaction["txid"] === "string" && transaction["blockhash"] === undefined;
}

function hasSameMembers(theirs: unknown, ours: unknown): boolean {
  if (!Array.isArray(theirs) || !Array.isArray(ours) || theirs.length !== ours.length) return false;
  const [left, right] = [sorted(theirs), sorted(ours)];
  return left.every((item, at) => isSameJson(item, right[at]));
}

function sorted(list: readonly unknown[]): readonly unknown[] {
  const texts = new Map(list.map((item) => [item, JSON.stringify(item)]));
  return list.toSorted((left, right) => ((texts.get(left) ?? "") < (texts.get(right) ?? "") ? -1 : 1));
}

function hexDigitsOf(text: string): string {
  return text.toLowerCase().replace(/^0+/, "");
}

/** Word by word: btcd writes all data in hexadecimal, Bitcoin Core short data as a number and a signature's last byte as its meaning. */
function isSameScript(theirs: string, ours: string): boolean {
  const [left, right] = [theirs.split(" "), ours.split(" ")];
  return left.length === right.length && left.every((word, at) => isSameWord(word, right[at] ?? ""));
}

function isSameWord(theirs: string, ours: string): boolean {
  if (theirs === ours) return true;
  const [, signature, meaning] = /^([0-9a-f]+)\[([A-Z|]+)\]$/.exec(ours) ?? [];
  if (signature !== undefined) return theirs === signature + signatureHashBytes.get(meaning ?? "");
  return /^-?\d+$/.test(ours) && /^(?:[0-9a-f]{2}){1,4}$/.test(theirs) && scriptNumberOf(theirs) === Number(ours);
}

const signatureHashBytes: ReadonlyMap<string, string> = new Map([
  ["ALL", "01"],
  ["NONE", "02"],
  ["SINGLE", "03"],
  ["ALL|ANYONECANPAY", "81"],
  ["NONE|ANYONECANPAY", "82"],
  ["SINGLE|ANYONECANPAY", "83"],
]);

/** A number on a script's stack: little-endian, the highest bit is the sign. */
function scriptNumberOf(hex: string): number {
  const bytes = Buffer.from(hex, "hex").reverse();
  const first = bytes.readUInt8(0);
  bytes.writeUInt8(first & 0x7f, 0);
  const magnitude = bytes.readUIntBE(0, bytes.length);
  return first >= 0x80 ? -magnitude : magnitude;
}

/** Hexadecimal of an unsigned transaction of few inputs, without version and sequences. */
function neutralOf(hex: string): string {
  const inputs = Number.parseInt(hex.slice(8, 10), 16);
  const [start, length] = [10, 82];
  const outpoints = Array.from({ length: inputs }, (_, at) => hex.slice(start + at * length, start + at * length + 74));
  return [...outpoints, hex.slice(start + inputs * length)].join();
}
