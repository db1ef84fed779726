import type { ConformanceCase, HttpSuite } from "@nodewright/conformance";

/** Names on another chain, in place of those of mainnet's first blocks that the document's examples have. */
export interface OtherChain {
  /** Of each hash, txid, address, script hash and raw transaction in the examples, in lower case where it is hex. */
  readonly names: ReadonlyMap<string, string>;
  /** Below the tip. */
  readonly height: number;
}

/**
 * The suite with every example asked of another chain: what is there is held against the type that the document gives it, what is not
 * there, and what is wrong, against the same texts. Throws when an example names something of mainnet that has no other name.
 */
export function suiteOfOtherChain(suite: HttpSuite, chain: OtherChain): HttpSuite {
  return {
    ...suite,
    operations: suite.operations.map((operation) => ({
      ...operation,
      cases: operation.cases.map((one) => translateCase(one, chain)),
    })),
  };
}

function translateCase(one: ConformanceCase, chain: OtherChain): ConformanceCase {
  const input = translate(one.input, chain) as ConformanceCase["input"];
  const isOther = JSON.stringify(input) !== JSON.stringify(one.input) || "height" in input || "startHeight" in input;
  const { expect } = one;
  return {
    ...one,
    input,
    expect: isOther && expect.kind === "value" ? { kind: "type", status: expect.status } : expect,
  };
}

function translate(value: unknown, chain: OtherChain): unknown {
  if (typeof value === "string") return translateText(value, chain);
  if (value === firstPaymentHeight) return chain.height;
  if (Array.isArray(value)) return value.map((item) => translate(item, chain));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, translate(member, chain)]));
}

/** Of the block that most examples are about. */
const firstPaymentHeight = 170;

/** Names stand alone, in lists, before an output's number, and cut short or changed where the example is of a mistake. */
function translateText(text: string, { names, height }: OtherChain): string {
  if (text === String(firstPaymentHeight)) return String(height);
  return text.replaceAll(/[0-9A-Za-z]+/g, (word) => {
    const name = names.get(word) ?? names.get(word.toLowerCase());
    if (name !== undefined) return /[a-z]/.test(word) ? name : name.toUpperCase();
    if (/^(?!(?:0|8)0{63}$)[0-9a-fA-F]{64}$/.test(word)) throw new Error(`${word} has no name on the other chain`);
    return word;
  });
}
