import { decodeFormText } from "./percent-encoding.ts";
import { WireError } from "./wire-error.ts";
import { defaultWireLimits, type WireLimits } from "./wire-limits.ts";

/** A value after a name, as it was sent. */
export interface Pair {
  /** Name, decoded. */
  readonly name: string;
  /** Value as it was sent: a literal separator in it is not the same as a percent-encoded one. */
  readonly value: string;
}

/** Pairs of a query, a form or a multipart body, found by name. */
export interface Pairs {
  readonly all: readonly Pair[];
  /** Returns the values of a name, in the order they were sent. */
  values(name: string): readonly string[];
  /** Returns the pairs whose name continues in brackets after `base`: `base[member]`. */
  bracketed(base: string): readonly Pair[];
  /** Decodes the text of a value. */
  decode(value: string): string;
  readonly isPercentEncoded: boolean;
}

/** Creates a lookup of pairs by name. `decode` decodes the text of a value; absent, it is that text. */
export function createPairs(all: readonly Pair[], decode?: (value: string) => string): Pairs {
  const byName = new Map<string, string[]>();
  const byBase = new Map<string, Pair[]>();
  for (const pair of all) {
    append(byName, pair.name, pair.value);
    const bracket = pair.name.indexOf("[", 1);
    if (bracket > 0) append(byBase, pair.name.slice(0, bracket), pair);
  }
  return {
    all,
    values: (name) => byName.get(name) ?? [],
    bracketed: (base) => byBase.get(base) ?? [],
    decode: decode ?? ((value) => value),
    isPercentEncoded: decode !== undefined,
  };
}

/** Reads a query without its question mark, or a form (WHATWG URL, section 5.1). Throws `WireError`. */
export function readPairs(text: string, limits: WireLimits = defaultWireLimits): Pairs {
  const pieces = text.split("&", limits.maximumParts + 1).filter((piece) => piece !== "");
  if (pieces.length > limits.maximumParts) {
    throw new WireError("too-large", `There are more than ${limits.maximumParts} pairs of name and value`);
  }
  const pairs = pieces.map((piece): Pair => {
    const equals = piece.indexOf("=");
    return equals < 0
      ? { name: decodeFormText(piece), value: "" }
      : { name: decodeFormText(piece.slice(0, equals)), value: piece.slice(equals + 1) };
  });
  return createPairs(pairs, decodeFormText);
}

/** Returns the cookies of a `Cookie` header (RFC 6265, section 5.4). */
export function readCookies(header: string | undefined): readonly Pair[] {
  const pieces = (header ?? "").split(";").map((piece) => piece.trim());
  return pieces.flatMap((piece) => {
    const equals = piece.indexOf("=");
    return equals <= 0 ? [] : [{ name: piece.slice(0, equals).trim(), value: piece.slice(equals + 1).trim() }];
  });
}

function append<Value>(groups: Map<string, Value[]>, name: string, value: Value): void {
  const group = groups.get(name);
  if (group === undefined) groups.set(name, [value]);
  else group.push(value);
}
