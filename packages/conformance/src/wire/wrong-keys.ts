import type { SendOptions } from "../contract/exchange.ts";

/** A way of not having the key, by its name in cases. */
export interface WrongKey {
  readonly name: string;
  readonly key: NonNullable<SendOptions["key"]>;
}

/** What the cases are called: without a key, with one that looks like none, with the right one but for its last character. */
export type WrongKeyNames = readonly [none: string, wrong: string, almostRight: string];

const usualNames: WrongKeyNames = ["no-key", "wrong-key", "almost-right-key"];

/** None, one that looks like no key, and the right one but for its last character. */
export function wrongKeys(apiKey: string, [none, wrong, almostRight]: WrongKeyNames = usualNames): readonly WrongKey[] {
  const last = apiKey.at(-1);
  return [
    { name: none, key: "none" },
    { name: wrong, key: { value: "not-a-key" } },
    { name: almostRight, key: { value: `${apiKey.slice(0, -1)}${last === "a" ? "b" : "a"}` } },
  ];
}
