import { isPreparedJson, type PreparedJson, rawJson } from "@nodewright/runtime";
import { hundredMillionthsText } from "@nodewright/runtime/node";

/** Returns the response text of a handler's result. Integers of any size are amounts in it. */
export async function responseText(response: unknown): Promise<string> {
  const settled = await response;
  return isPreparedJson(settled) ? await charactersOf(settled) : wireText(settled);
}

/** Returns the value that a client reads in that text; amounts are numbers of coins. */
export async function responseValue(response: unknown): Promise<unknown> {
  return JSON.parse(await responseText(response));
}

/** Returns a value as it is serialized on the wire. */
export function wireText(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, member: unknown) =>
    typeof member === "bigint" ? rawJson(hundredMillionthsText(member)) : member,
  );
}

async function charactersOf({ text }: PreparedJson<unknown>): Promise<string> {
  if (typeof text === "string") return text;
  if (text instanceof Uint8Array) return Buffer.from(text).toString();
  const pieces: Uint8Array[] = [];
  for await (const piece of text) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}
