/** A key that no request may get in with. */
export interface WrongKey {
  readonly name: string;
  /** `undefined`: none is sent. */
  readonly key: string | undefined;
}

/** Ways of not having the key: none, one that looks like no key, and the right one but for its last character. */
export function wrongKeys(apiKey: string): readonly WrongKey[] {
  const last = apiKey.at(-1);
  return [
    { name: "no-key", key: undefined },
    { name: "wrong-key", key: "not-a-key" },
    { name: "almost-right-key", key: `${apiKey.slice(0, -1)}${last === "a" ? "b" : "a"}` },
  ];
}
