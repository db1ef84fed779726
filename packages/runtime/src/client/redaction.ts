const placeholder = "<API_KEY>";

/** Remover of secrets from texts of a service or a platform. */
export interface Redaction {
  /** Adds secrets that are removed from now on. */
  learn(secrets: readonly string[]): void;
  text(text: string): string;
  /** Redacts every string in a JSON value, including names of members. */
  value(value: unknown): unknown;
}

/** Creates a redaction of each secret in plain form, percent-encoded, form-encoded, in JSON and in Basic credentials. */
export function createRedaction(secrets: readonly string[]): Redaction {
  const known = new Set(secrets);
  let spellings = sortedSpellings(known);
  const text = (original: string): string =>
    spellings.reduce((redacted, spelling) => redacted.replaceAll(spelling, placeholder), original);
  const value = (original: unknown): unknown => {
    if (typeof original === "string") return text(original);
    if (Array.isArray(original)) return original.map(value);
    if (typeof original !== "object" || original === null) return original;
    return Object.fromEntries(Object.entries(original).map(([name, member]) => [text(name), value(member)]));
  };
  return {
    learn(further) {
      if (further.every((secret) => known.has(secret))) return;
      for (const secret of further) known.add(secret);
      // Tokens are replaced over time; only the latest can still be quoted.
      for (const secret of [...known].slice(new Set(secrets).size, -learntSecrets)) known.delete(secret);
      spellings = sortedSpellings(known);
    },
    text,
    value,
  };
}

const learntSecrets = 100;

function sortedSpellings(secrets: ReadonlySet<string>): readonly string[] {
  return [...new Set([...secrets].flatMap(spellingsOf))]
    .filter((spelling) => spelling !== "")
    .toSorted((left, right) => right.length - left.length);
}

function spellingsOf(secret: string): readonly string[] {
  const encoded = encodeURIComponent(secret);
  return [
    secret,
    encoded,
    encoded.toLowerCase(),
    encoded.replaceAll("%20", "+"),
    JSON.stringify(secret).slice(1, -1),
    base64(`:${secret}`),
    base64(secret),
  ];
}

/** Encodes Base64 of UTF-8 (RFC 4648, section 4). */
export function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}
