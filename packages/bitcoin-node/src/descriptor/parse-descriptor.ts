import { fromHex, type Network } from "@nodewright/bitcoin-primitives";
import { readAddress } from "../parameters/read-address.ts";
import { Cursor } from "./cursor.ts";
import { descriptorChecksum, isDescriptorText } from "./descriptor-checksum.ts";
import { truncate } from "../parameters/parameter-problems.ts";
import { type Descriptor, type DescriptorContext, keysOf, type TaprootTree } from "./descriptor.ts";
import { DescriptorError } from "./descriptor-error.ts";
import { type KeyExpression, parseKeyExpression } from "./key-expression.ts";
import { parseMusig } from "./musig-expression.ts";

/** Maximum length of a descriptor: no spendable one is longer. */
const maximumDescriptorLength = 100_000;
const checksumLength = 8;
/** Maximum number of keys of OP_CHECKMULTISIG, and of BIP 387. */
const [maximumMultisigKeys, maximumTapscriptKeys] = [20, 999];
/** Maximum number of keys in a bare script that is relayed. */
const maximumBareKeys = 3;
/** Maximum bytes of a redeem script, which is one push. */
const maximumRedeemScript = 520;
/** BIP 341. */
const maximumTreeDepth = 128;

/** Options of the parser. */
export interface ParseOptions {
  readonly network: Network;
  /** Whether text without a checksum is rejected. */
  readonly requireChecksum?: boolean;
}

/** Parses a descriptor of BIP 380 to 387, 389 and 390; miniscript (BIP 379) is not supported. Throws `DescriptorError`. */
export function parseDescriptor(text: string, { network, requireChecksum = false }: ParseOptions): Descriptor {
  if (text.length > maximumDescriptorLength) {
    throw new DescriptorError(`Descriptor has more than ${maximumDescriptorLength} characters`);
  }
  const { content } = splitChecksum(text, requireChecksum);
  const cursor = new Cursor(content);
  const descriptor = parseExpression(cursor.takeExpression(), "top", network);
  if (!cursor.isAtEnd) throw new DescriptorError(`'${truncate(cursor.rest)}' follows the end of the descriptor`);
  assertBranches(descriptor);
  return descriptor;
}

/** Returns the part before the checksum, which is valid if there is one. Throws `DescriptorError`. */
export function splitChecksum(text: string, requireChecksum: boolean): { readonly content: string } {
  const [content = "", given, more] = text.split("#", 3);
  if (more !== undefined) throw new DescriptorError("Multiple '#' symbols");
  if (given === undefined && requireChecksum) throw new DescriptorError("Missing checksum");
  if (given !== undefined && given.length !== checksumLength) {
    throw new DescriptorError(`Expected 8 character checksum, not ${given.length} characters`);
  }
  if (!isDescriptorText(content)) throw new DescriptorError("Invalid characters in payload");
  const computed = descriptorChecksum(content);
  if (given !== undefined && given !== computed) {
    throw new DescriptorError(`Provided checksum '${given}' does not match computed checksum '${computed}'`);
  }
  return { content };
}

type FunctionParser = (argument: string, context: DescriptorContext, network: Network, name: string) => Descriptor;

const functions: ReadonlyMap<string, FunctionParser> = new Map<string, FunctionParser>([
  ["pk", parseSingleKey],
  ["pkh", parseSingleKey],
  ["wpkh", parseSingleKey],
  ["combo", parseSingleKey],
  ["rawtr", parseSingleKey],
  ["multi", parseMultisig],
  ["sortedmulti", parseMultisig],
  ["multi_a", parseMultisig],
  ["sortedmulti_a", parseMultisig],
  ["sh", parseWrapped],
  ["wsh", parseWrapped],
  ["tr", parseTaproot],
  ["addr", parseAddress],
  ["raw", parseRaw],
]);

/** Contexts in which each function is allowed, and the error message elsewhere. */
const places: Readonly<Record<string, { readonly contexts: readonly DescriptorContext[]; readonly refusal: string }>> =
  {
    pk: { contexts: ["top", "sh", "wsh", "tr"], refusal: "" },
    pkh: { contexts: ["top", "sh", "wsh", "tr"], refusal: "" },
    wpkh: { contexts: ["top", "sh"], refusal: "Can only have wpkh() at top level or inside sh()" },
    combo: { contexts: ["top"], refusal: "Can only have combo() at top level" },
    rawtr: { contexts: ["top"], refusal: "Can only have rawtr at top level" },
    multi: {
      contexts: ["top", "sh", "wsh"],
      refusal: "Can only have multi/sortedmulti at top level, in sh(), or in wsh()",
    },
    sortedmulti: {
      contexts: ["top", "sh", "wsh"],
      refusal: "Can only have multi/sortedmulti at top level, in sh(), or in wsh()",
    },
    multi_a: { contexts: ["tr"], refusal: "Can only have multi_a/sortedmulti_a inside tr()" },
    sortedmulti_a: { contexts: ["tr"], refusal: "Can only have multi_a/sortedmulti_a inside tr()" },
    sh: { contexts: ["top"], refusal: "Can only have sh() at top level" },
    wsh: { contexts: ["top", "sh"], refusal: "Can only have wsh() at top level or inside sh()" },
    tr: { contexts: ["top"], refusal: "Can only have tr at top level" },
    addr: { contexts: ["top"], refusal: "Can only have addr() at top level" },
    raw: { contexts: ["top"], refusal: "Can only have raw() at top level" },
  };

function parseExpression(text: string, context: DescriptorContext, network: Network): Descriptor {
  const bracket = text.indexOf("(");
  const name = text.slice(0, Math.max(bracket, 0));
  const parse = text.endsWith(")") ? functions.get(name) : undefined;
  if (parse === undefined) throw unknownFunction(text, context);
  const place = places[name];
  if (place !== undefined && !place.contexts.includes(context)) throw new DescriptorError(place.refusal);
  return parse(text.slice(bracket + 1, -1), context, network, name);
}

function unknownFunction(text: string, context: DescriptorContext): DescriptorError {
  if ((context === "wsh" || context === "tr") && /^[a-z_0-9:]+\(/.test(text)) {
    return new DescriptorError(`'${truncate(text)}' may be miniscript, which is not read`);
  }
  if (context === "sh") return new DescriptorError("A function is needed within P2SH");
  if (context === "wsh") return new DescriptorError("A function is needed within P2WSH");
  return new DescriptorError(`'${truncate(text)}' is not a valid descriptor function`);
}

function parseKey(text: string, context: DescriptorContext, network: Network, name: string): KeyExpression {
  const keyContext = name === "tr()" || name === "rawtr()" ? "tr" : context;
  // Keys of 65 bytes are allowed in scripts that are not witness programs.
  const allowsUncompressed = (keyContext === "top" || keyContext === "sh") && name !== "wpkh()";
  try {
    const place = { network, context: keyContext, allowsUncompressed };
    return text.startsWith("musig(") ? parseMusig(text, place) : parseKeyExpression(text, place);
  } catch (error) {
    if (error instanceof DescriptorError) throw new DescriptorError(`${name}: ${error.message}`);
    throw error;
  }
}

function parseSingleKey(argument: string, context: DescriptorContext, network: Network, name: string): Descriptor {
  const kind = name as "pk" | "pkh" | "wpkh" | "combo" | "rawtr";
  if (kind === "rawtr" && new Cursor(argument).takeExpression() !== argument) {
    throw new DescriptorError("rawtr(): only one key expected.");
  }
  return { kind, key: parseKey(argument, context, network, `${name}()`) };
}

function parseMultisig(argument: string, context: DescriptorContext, network: Network, name: string): Descriptor {
  const cursor = new Cursor(argument);
  const threshold = cursor.takeExpression();
  const required = /^[0-9]{1,10}$/.test(threshold) ? Number(threshold) : 2 ** 32;
  if (required >= 2 ** 32) throw new DescriptorError(`Multi threshold '${truncate(threshold)}' is not valid`);
  const kind = name.endsWith("_a") ? "multi_a" : "multi";
  const maximum = kind === "multi" ? maximumMultisigKeys : maximumTapscriptKeys;
  const keys: KeyExpression[] = [];
  let count = 0;
  for (; !cursor.isAtEnd; count += 1) {
    if (!cursor.take(",")) throw new DescriptorError(`Multi: expected ',', got '${cursor.rest.slice(0, 1)}'`);
    const expression = cursor.takeExpression();
    // Parsing a key takes long, and keys above the maximum do not change the result.
    if (count < maximum) keys.push(parseKey(expression, context, network, "Multi"));
  }
  if (count === 0 || count > maximum) {
    const script = kind === "multi" ? "multisig" : "multi_a";
    throw new DescriptorError(
      `Cannot have ${count} keys in ${script}; must have between 1 and ${maximum} keys, inclusive`,
    );
  }
  assertMultisig({ required, keys, context });
  return { kind, required, keys, isSorted: name.startsWith("sorted") };
}

function assertMultisig({
  required,
  keys,
  context,
}: {
  readonly required: number;
  readonly keys: readonly KeyExpression[];
  readonly context: DescriptorContext;
}): void {
  if (required < 1) throw new DescriptorError(`Multisig threshold cannot be ${required}, must be at least 1`);
  if (required > keys.length) {
    throw new DescriptorError(
      `Multisig threshold cannot be larger than the number of keys; threshold is ${required} but only ${keys.length} keys specified`,
    );
  }
  if (context === "top" && keys.length > maximumBareKeys) {
    throw new DescriptorError(
      `Cannot have ${keys.length} pubkeys in bare multisig; only at most ${maximumBareKeys} pubkeys`,
    );
  }
  const scriptLength = keys.reduce((length, key) => length + key.keyLength + 1, 3);
  if (context === "sh" && scriptLength > maximumRedeemScript) {
    throw new DescriptorError(
      `P2SH script is too large, ${scriptLength} bytes is larger than ${maximumRedeemScript} bytes`,
    );
  }
}

function parseWrapped(argument: string, _context: DescriptorContext, network: Network, name: string): Descriptor {
  const kind = name as "sh" | "wsh";
  const cursor = new Cursor(argument);
  const inner = parseExpression(cursor.takeExpression(), kind, network);
  if (!cursor.isAtEnd) throw new DescriptorError(`${name}(): only one script expected`);
  return { kind, inner };
}

function parseTaproot(argument: string, _context: DescriptorContext, network: Network): Descriptor {
  const cursor = new Cursor(argument);
  const key = parseKey(cursor.takeExpression(), "tr", network, "tr()");
  if (cursor.isAtEnd) return { kind: "tr", key };
  if (!cursor.take(",")) throw new DescriptorError(`tr: expected ',', got '${cursor.rest.slice(0, 1)}'`);
  const tree = parseTree(cursor, 0, network);
  if (!cursor.isAtEnd) throw new DescriptorError(`tr(): expected end, got '${cursor.rest.slice(0, 1)}'`);
  return { kind: "tr", key, tree };
}

function parseTree(cursor: Cursor, depth: number, network: Network): TaprootTree {
  if (!cursor.take("{")) {
    return { kind: "leaf", descriptor: parseExpression(cursor.takeExpression(), "tr", network) };
  }
  if (depth >= maximumTreeDepth) {
    throw new DescriptorError(`tr() supports at most ${maximumTreeDepth} nesting levels`);
  }
  const left = parseTree(cursor, depth + 1, network);
  if (!cursor.take(",")) throw new DescriptorError("tr(): expected ',' after script expression");
  const right = parseTree(cursor, depth + 1, network);
  if (!cursor.take("}")) throw new DescriptorError("tr(): expected '}' after script expression");
  return { kind: "branch", left, right };
}

function parseAddress(argument: string, _context: DescriptorContext, network: Network): Descriptor {
  const reading = readAddress(argument, network);
  if (reading.kind === "problem") throw new DescriptorError("Address is not valid");
  return { kind: "addr", address: reading.address, script: reading.scriptPubKey };
}

function parseRaw(argument: string): Descriptor {
  const script = argument === "" ? undefined : fromHex(argument);
  if (script === undefined) throw new DescriptorError("Raw script is not hex");
  return { kind: "raw", script };
}

/** Checks that all keys with several paths have equally many (BIP 389). */
function assertBranches(descriptor: Descriptor): void {
  const counts = new Set(keysOf(descriptor).map((key) => key.branchCount));
  counts.delete(1);
  if (counts.size > 1) {
    throw new DescriptorError(`${descriptor.kind}(): Multipath derivation paths have mismatched lengths`);
  }
}
