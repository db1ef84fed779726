/**
 * Minimum length of a secret that is replaced inside words. A shorter one may well be a part of a word, so it is replaced only as a
 * complete word.
 */
const unmistakableLength = 8;
/** Number of characters that reveal a secret: what follows them may be cut off. */
const startLength = 16;

/** Function that lists the spellings of a character, other than percent-encoded. */
type Spell = (character: string) => readonly string[];

const asItIs: Spell = (character) => [character];
const inJson: Spell = (character) => [JSON.stringify(character).slice(1, -1)];
const inBase64: Spell = (character) => (character === "+" ? ["+", "-"] : character === "/" ? ["/", "_"] : [character]);

/**
 * Returns a function that replaces secrets in text by `mask`: literal, as in a JSON string, with characters percent-encoded (once or
 * several times), cut off after their first 16 characters, and encoded in Base64 (RFC 4648, sections 4 and 5) together with other octets,
 * as in Basic credentials; all that is encoded with them is replaced. Secrets of fewer than 8 characters are replaced only where they are
 * complete words, by themselves or encoded.
 */
export function createSecretFilter(secrets: readonly string[], mask: string): (text: string) => string {
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length).map((secret) => [...secret]);
  const unmistakable = longestFirst.filter(({ length }) => length >= unmistakableLength);
  const words = longestFirst.filter(({ length }) => length > 0 && length < unmistakableLength).map(join);
  const bySharedStart = [...Map.groupBy(unmistakable, (secret) => join(secret.slice(0, startLength)))];
  const starts = bySharedStart.map(([start]) => start);
  const quoted = [...starts, ...words].flatMap((text) => [text, spellText(text, inJson)]);
  const encoded = [...starts.flatMap(findBase64Cores), ...words.map(toBase64)];
  let pattern: RegExp | undefined;
  return (text) => {
    // Most strings contain no quoted secret and skip the pattern.
    if (!mayQuote(text, quoted, encoded)) return text;
    pattern ??= new RegExp(
      // Each start has a group of its own, whose number indicates which secrets begin with it.
      [
        ...starts.map((start) => `(${spelledPattern(start)})`),
        ...starts.map(base64Pattern),
        ...words.map(wordPattern),
      ].join("|"),
      "g",
    );
    let filtered = "";
    let end = 0;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      filtered += text.slice(end, match.index) + mask;
      const [, secretsFound = []] = bySharedStart[match.slice(1).findIndex((start) => start !== undefined)] ?? [];
      const ends = secretsFound.map((secret) =>
        findEnd(text, match.index + match[0].length, secret.slice(startLength)),
      );
      end = Math.max(match.index + match[0].length, ...ends);
      pattern.lastIndex = end;
    }
    return filtered + text.slice(end);
  };
}

function mayQuote(text: string, quoted: readonly string[], encoded: readonly string[]): boolean {
  if (quoted.length === 0) return false;
  if (text.includes("%") || quoted.some((each) => text.includes(each))) return true;
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return encoded.some((each) => standard.includes(each));
}

/** Returns the end of a secret's characters in a string from `start` on; it may be cut off. */
function findEnd(text: string, start: number, characters: readonly string[]): number {
  let end = start;
  for (const character of characters) {
    const spelling = [...inJson(character), character].find((each) => text.startsWith(each, end));
    if (spelling !== undefined) {
      end += spelling.length;
      continue;
    }
    const escaped = new RegExp(escapedPattern(character), "y");
    escaped.lastIndex = end;
    if (!escaped.test(text)) break;
    end = escaped.lastIndex;
  }
  return end;
}

/** Returns a pattern of a text with each character literal or percent-encoded, or else as in a JSON string or percent-encoded. */
function spelledPattern(text: string): string {
  // With all spellings of each character, a run of backslashes could be read in too many ways.
  return `(?:${[asItIs, inJson].map((spell) => patternOf(text, spell)).join("|")})`;
}

/** Returns a pattern of short secrets and their Base64. */
function wordPattern(word: string): string {
  return String.raw`(?<![\w-])(?:${spelledPattern(word)}|${patternOf(toBase64(word), inBase64)}=*)(?![\w-])`;
}

/** Returns a pattern of Base64 from its first character to its last: each search begins where a run of such characters does. */
function base64Pattern(start: string): string {
  const run = String.raw`[\w+/=%-]`;
  const cores = findBase64Cores(start).map((core) => patternOf(core, inBase64));
  return `(?<!${run})${run}*?(?:${cores.join("|")})${run}*`;
}

/** Returns a pattern of a string. `RegExp.escape` is newer than the library that users of the sources compile with. */
function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function patternOf(text: string, spell: Spell): string {
  return join(
    [...text].map((character) => {
      const spellings = spell(character).map(literalPattern);
      return `(?:${[...spellings, escapedPattern(character)].join("|")})`;
    }),
  );
}

/** Returns a pattern of a character in UTF-8, percent-encoded once or several times. */
function escapedPattern(character: string): string {
  return join([...Buffer.from(character).toString("hex").matchAll(/../g)].map(([octet]) => `%(?:25)*(?i:${octet})`));
}

/** Returns the characters of Base64 that depend on a text alone, for each of the three places in a group at which it may begin. */
function findBase64Cores(text: string): readonly string[] {
  const octets = Buffer.from(text);
  return [0, 2, 3].map((begin, offset) => {
    const bits = (offset + octets.length) * 8;
    return Buffer.concat([Buffer.alloc(offset), octets])
      .toString("base64")
      .slice(begin, Math.floor(bits / 6));
  });
}

/** Encodes in Base64 without padding. */
function toBase64(text: string): string {
  return Buffer.from(text).toString("base64").replace(/=+$/, "");
}

function spellText(text: string, spell: Spell): string {
  return join([...text].map((character) => spell(character)[0] ?? ""));
}

function join(characters: readonly string[]): string {
  return characters.join("");
}
