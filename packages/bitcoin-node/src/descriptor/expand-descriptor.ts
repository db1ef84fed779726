import {
  concatBytes,
  hash160,
  numberPush,
  opcodes,
  pushOf,
  sha256,
  tapBranchHash,
  tapLeafHash,
  taprootOutputKey,
} from "@nodewright/bitcoin-primitives";
import { scriptHashScript, witnessProgramScript } from "./script-wrapping.ts";
import type { Descriptor, MultisigDescriptor, TaprootDescriptor, TaprootTree } from "./descriptor.ts";
import { type DerivedKey, type KeyExpression, xOnly } from "./key-expression.ts";
import type { ScriptKnowledge, ScriptTree } from "./script-knowledge.ts";

/** Position of the scripts that a descriptor is expanded to. */
export interface ExpansionPlace {
  /** Index of the child of ranged keys. */
  readonly position: number;
  /** Index of BIP 389's path. */
  readonly branch: number;
}

const checkSignature = Uint8Array.of(opcodes.OP_CHECKSIG);

/**
 * Returns the scriptPubKeys of a descriptor at one place, of which `combo` has several. Keys and scripts that are found are added to
 * `knowledge`. `undefined` where a key can't be derived without its private key.
 */
export function expandDescriptor(
  descriptor: Descriptor,
  place: ExpansionPlace,
  knowledge: ScriptKnowledge,
): readonly Uint8Array[] | undefined {
  const expansion = new Expansion(place, knowledge);
  try {
    return expansion.scripts(descriptor, { isTapscript: false });
  } catch (error) {
    if (error instanceof UnderivableKey) return undefined;
    throw error;
  }
}

class UnderivableKey extends Error {}

class Expansion {
  readonly #place: ExpansionPlace;
  readonly #knowledge: ScriptKnowledge;

  constructor(place: ExpansionPlace, knowledge: ScriptKnowledge) {
    this.#place = place;
    this.#knowledge = knowledge;
  }

  scripts(descriptor: Descriptor, { isTapscript }: { readonly isTapscript: boolean }): readonly Uint8Array[] {
    switch (descriptor.kind) {
      case "pk":
      case "pkh": {
        const { publicKey } = this.#derive(descriptor.key);
        const key = isTapscript ? xOnly(publicKey) : publicKey;
        return [descriptor.kind === "pk" ? keyScript(key) : keyHashScript(hash160(key))];
      }
      case "wpkh":
        return [witnessProgramScript(hash160(this.#derive(descriptor.key).publicKey))];
      case "combo":
        return this.#combinations(this.#derive(descriptor.key).publicKey);
      case "rawtr":
        return [taprootScript(xOnly(this.#derive(descriptor.key).publicKey))];
      case "multi":
      case "multi_a":
        return [this.#multisig(descriptor)];
      case "sh":
        return [scriptHashScript(this.#inner(descriptor.inner))];
      case "wsh":
        return [witnessProgramScript(sha256(this.#inner(descriptor.inner)))];
      case "tr":
        return [this.#taproot(descriptor)];
      case "miniscript":
      case "addr":
      case "raw":
        return [descriptor.script];
    }
  }

  #derive(key: KeyExpression): DerivedKey {
    const derived = key.derive(this.#place.position, this.#place.branch);
    if (derived === undefined) throw new UnderivableKey();
    this.#knowledge.addKey(derived);
    return derived;
  }

  #inner(descriptor: Descriptor): Uint8Array {
    const [script] = this.scripts(descriptor, { isTapscript: false });
    if (script === undefined) throw new Error("A descriptor inside of another has no script");
    this.#knowledge.addScript(script);
    return script;
  }

  /** Returns the scripts of `combo`. BIP 384: witness programs only of compressed keys. */
  #combinations(publicKey: Uint8Array): readonly Uint8Array[] {
    const plain = [keyScript(publicKey), keyHashScript(hash160(publicKey))];
    if (publicKey.length !== 33) return plain;
    const witness = witnessProgramScript(hash160(publicKey));
    this.#knowledge.addScript(witness);
    return [...plain, witness, scriptHashScript(witness)];
  }

  #multisig({ kind, required, keys, isSorted }: MultisigDescriptor): Uint8Array {
    const derived = keys.map((key) => this.#derive(key).publicKey);
    const shown = kind === "multi_a" ? derived.map(xOnly) : derived;
    const ordered = isSorted ? shown.toSorted((left, right) => Buffer.compare(left, right)) : shown;
    return kind === "multi_a" ? tapscriptMultisig(required, ordered) : multisigScript(required, ordered);
  }

  #taproot({ key, tree }: TaprootDescriptor): Uint8Array {
    const internalKey = xOnly(this.#derive(key).publicKey);
    const scripts = tree === undefined ? undefined : this.#tree(tree);
    const outputKey = taprootOutputKey(internalKey, scripts === undefined ? undefined : treeHash(scripts));
    if (outputKey === undefined) throw new UnderivableKey();
    this.#knowledge.addOutput(outputKey, { internalKey, tree: scripts });
    return taprootScript(outputKey);
  }

  #tree(tree: TaprootTree): ScriptTree {
    if (tree.kind === "branch") return { kind: "branch", left: this.#tree(tree.left), right: this.#tree(tree.right) };
    const [script] = this.scripts(tree.descriptor, { isTapscript: true });
    if (script === undefined) throw new Error("A leaf has no script");
    return { kind: "leaf", script };
  }
}

function keyScript(key: Uint8Array): Uint8Array {
  return concatBytes(pushOf(key), checkSignature);
}

function keyHashScript(keyHash: Uint8Array): Uint8Array {
  const { OP_DUP, OP_HASH160, OP_EQUALVERIFY } = opcodes;
  return concatBytes(Uint8Array.of(OP_DUP, OP_HASH160), pushOf(keyHash), Uint8Array.of(OP_EQUALVERIFY), checkSignature);
}

function taprootScript(outputKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(opcodes.OP_1), pushOf(outputKey));
}

function multisigScript(required: number, keys: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    numberPush(required),
    ...keys.map(pushOf),
    numberPush(keys.length),
    Uint8Array.of(opcodes.OP_CHECKMULTISIG),
  );
}

/** Returns the script of `multi_a` (BIP 387). */
function tapscriptMultisig(required: number, keys: readonly Uint8Array[]): Uint8Array {
  const checks = keys.map((key, position) =>
    concatBytes(pushOf(key), Uint8Array.of(position === 0 ? opcodes.OP_CHECKSIG : opcodes.OP_CHECKSIGADD)),
  );
  return concatBytes(...checks, numberPush(required), Uint8Array.of(opcodes.OP_NUMEQUAL));
}

function treeHash(tree: ScriptTree): Uint8Array {
  return tree.kind === "leaf" ? tapLeafHash(tree.script) : tapBranchHash(treeHash(tree.left), treeHash(tree.right));
}
