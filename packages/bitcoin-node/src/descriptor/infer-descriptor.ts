import {
  type CoreScriptType,
  liftedKey,
  opcodes,
  publicKeyHashOf,
  publicKeyOf,
  scriptHashOf,
  type ScriptOperation,
  scriptNumber,
  scriptOperations,
  scriptType,
  witnessProgramOf,
} from "@nodewright/bitcoin-primitives";
import { readMiniscript } from "../miniscript/read-miniscript.ts";
import { renderMiniscript } from "../miniscript/render-miniscript.ts";
import { isOnCurve } from "./curve.ts";
import type { Descriptor, DescriptorContext, TaprootTree } from "./descriptor.ts";
import { createFixedKey, type KeyExpression } from "./key-expression.ts";
import { ScriptKnowledge, type ScriptTree } from "./script-knowledge.ts";

/** Script for which a descriptor is inferred. */
export interface InferredScript {
  readonly script: Uint8Array;
  readonly type: CoreScriptType;
  /** Address of the script itself. */
  readonly address: string | undefined;
}

const nothingKnown = new ScriptKnowledge();

/**
 * Returns the descriptor that Bitcoin Core infers for a script: with the known keys and scripts, with those that the script itself
 * contains, or otherwise its address, or the raw script.
 */
export function inferDescriptor(
  { script, type, address }: InferredScript,
  knowledge: ScriptKnowledge = nothingKnown,
): Descriptor {
  const inferred = inferKnown(script, type, "top", knowledge);
  if (inferred !== undefined) return inferred;
  return address === undefined ? { kind: "raw", script } : { kind: "addr", address, script };
}

/** Infers a descriptor; `undefined` where the script and the known data provide only a hash. */
function inferKnown(
  script: Uint8Array,
  type: CoreScriptType,
  context: DescriptorContext,
  knowledge: ScriptKnowledge,
): Descriptor | undefined {
  if (context === "tr") return inferTapscript(script, knowledge);
  const template = inferTemplate(script, type, context, knowledge);
  return template ?? (context === "wsh" ? inferMiniscript(script, knowledge) : undefined);
}

/** Infers the descriptor of a script of a standard type. */
function inferTemplate(
  script: Uint8Array,
  type: CoreScriptType,
  context: DescriptorContext,
  knowledge: ScriptKnowledge,
): Descriptor | undefined {
  switch (type) {
    case "pubkey":
      return singleKey("pk", inferKey(publicKeyOf(script), context, knowledge));
    case "pubkeyhash":
      return singleKey("pkh", inferHashedKey(publicKeyHashOf(script), context, knowledge));
    case "witness_v0_keyhash":
      return context === "wsh"
        ? undefined
        : singleKey("wpkh", inferHashedKey(witnessProgramOf(script)?.program, "wsh", knowledge));
    case "multisig":
      return inferMultisig(script, context, knowledge);
    case "scripthash":
      return context === "top" ? inferInner("sh", scriptHashOf(script), knowledge) : undefined;
    case "witness_v0_scripthash":
      return context === "wsh" ? undefined : inferInner("wsh", witnessProgramOf(script)?.program, knowledge);
    case "witness_v1_taproot":
      return context === "top" ? inferTaproot(witnessProgramOf(script)?.program, knowledge) : undefined;
    default:
      return undefined;
  }
}

function singleKey(kind: "pk" | "pkh" | "wpkh" | "rawtr", key: KeyExpression | undefined): Descriptor | undefined {
  return key === undefined ? undefined : { kind, key };
}

function inferHashedKey(
  keyHash: Uint8Array | undefined,
  context: DescriptorContext,
  knowledge: ScriptKnowledge,
): KeyExpression | undefined {
  return keyHash === undefined ? undefined : inferKey(knowledge.findKey(keyHash), context, knowledge);
}

/** Infers a key. Descriptors don't allow the hybrid form of a key, nor witness programs one of 65 bytes. */
function inferKey(
  publicKey: Uint8Array | undefined,
  context: DescriptorContext,
  knowledge: ScriptKnowledge,
): KeyExpression | undefined {
  if (publicKey === undefined) return undefined;
  const [prefix] = publicKey;
  const isPlain = prefix === 2 || prefix === 3 || prefix === 4;
  if (!isPlain || (context === "wsh" && publicKey.length !== 33)) return undefined;
  return createFixedKey(publicKey, { isXOnly: false, origin: knowledge.findOrigin(publicKey) });
}

/** Infers a key from 32 bytes, which may have been derived as either of two. */
function inferXOnlyKey(key: Uint8Array, knowledge: ScriptKnowledge): KeyExpression {
  const even = liftedKey(key);
  const odd = Uint8Array.of(3, ...key);
  const origin = knowledge.findOrigin(even) ?? knowledge.findOrigin(odd);
  return createFixedKey(even, { isXOnly: true, origin });
}

function inferMultisig(
  script: Uint8Array,
  context: DescriptorContext,
  knowledge: ScriptKnowledge,
): Descriptor | undefined {
  const operations = [...scriptOperations(script)];
  const keys = operations.slice(1, -2).map(({ data }) => inferKey(data, context, knowledge));
  const required = smallNumber(operations[0]);
  if (required === undefined || !keys.every((key) => key !== undefined)) return undefined;
  return { kind: "multi", required, keys, isSorted: false };
}

function inferInner(
  kind: "sh" | "wsh",
  hash: Uint8Array | undefined,
  knowledge: ScriptKnowledge,
): Descriptor | undefined {
  const script = hash === undefined ? undefined : knowledge.findScript(hash);
  if (script === undefined) return undefined;
  const inner = inferKnown(script, scriptType(script).core, kind, knowledge);
  return inner === undefined ? undefined : { kind, inner };
}

function inferMiniscript(script: Uint8Array, knowledge: ScriptKnowledge): Descriptor | undefined {
  const fragment = readMiniscript(script);
  if (fragment === undefined) return undefined;
  const keyText = (key: Uint8Array): string =>
    createFixedKey(key, { isXOnly: false, origin: knowledge.findOrigin(key) }).text();
  return { kind: "miniscript", text: renderMiniscript(fragment, keyText), script };
}

function inferTaproot(outputKey: Uint8Array | undefined, knowledge: ScriptKnowledge): Descriptor | undefined {
  if (outputKey === undefined) return undefined;
  const known = knowledge.findOutput(outputKey);
  if (known !== undefined) {
    const key = inferXOnlyKey(known.internalKey, knowledge);
    if (known.tree === undefined) return { kind: "tr", key };
    const tree = inferTree(known.tree, knowledge);
    if (tree !== undefined) return { kind: "tr", key, tree };
  }
  return isOnCurve(outputKey) ? singleKey("rawtr", inferXOnlyKey(outputKey, knowledge)) : undefined;
}

function inferTree(tree: ScriptTree, knowledge: ScriptKnowledge): TaprootTree | undefined {
  if (tree.kind === "leaf") {
    const descriptor = inferTapscript(tree.script, knowledge);
    return descriptor === undefined ? undefined : { kind: "leaf", descriptor };
  }
  const left = inferTree(tree.left, knowledge);
  const right = left === undefined ? undefined : inferTree(tree.right, knowledge);
  return left === undefined || right === undefined ? undefined : { kind: "branch", left, right };
}

/** Infers one key, or BIP 387's multisignature. */
function inferTapscript(script: Uint8Array, knowledge: ScriptKnowledge): Descriptor | undefined {
  const operations = [...scriptOperations(script)];
  if (operations.length === 2) {
    const key = checkedKey(operations, 0, opcodes.OP_CHECKSIG);
    return singleKey("pk", key && inferXOnlyKey(key, knowledge));
  }
  const required = smallNumber(operations.at(-2));
  if (required === undefined || operations.at(-1)?.opcode !== opcodes.OP_NUMEQUAL) return undefined;
  const count = operations.length / 2 - 1;
  const keys: KeyExpression[] = [];
  for (let position = 0; position < count; position += 1) {
    const check = position === 0 ? opcodes.OP_CHECKSIG : opcodes.OP_CHECKSIGADD;
    const key = checkedKey(operations, position * 2, check);
    if (key === undefined) return undefined;
    keys.push(inferXOnlyKey(key, knowledge));
  }
  return { kind: "multi_a", required, keys, isSorted: false };
}

/** Returns the 32 bytes that an operation pushes, if the next one checks a signature with them. */
function checkedKey(operations: readonly ScriptOperation[], position: number, check: number): Uint8Array | undefined {
  const key = operations[position]?.data;
  return key?.length === 32 && operations[position + 1]?.opcode === check ? key : undefined;
}

function smallNumber(operation: ScriptOperation | undefined): number | undefined {
  if (operation === undefined) return undefined;
  const { opcode, data } = operation;
  if (opcode >= opcodes.OP_1 && opcode <= opcodes.OP_16) return opcode - opcodes.OP_RESERVED;
  return data === undefined || data.length > 2 || data.length === 0 ? undefined : scriptNumber(data);
}
