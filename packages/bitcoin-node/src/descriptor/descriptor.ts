import type { KeyExpression } from "./key-expression.ts";

/** Expression that describes which scripts outputs may have (BIP 380). */
export type Descriptor =
  | SingleKeyDescriptor
  | MultisigDescriptor
  | WrappedDescriptor
  | TaprootDescriptor
  /** BIP 379: a witness script as miniscript; inferred from scripts, not parsed from text. */
  | { readonly kind: "miniscript"; readonly text: string; readonly script: Uint8Array }
  /** BIP 385: the script of one address. */
  | { readonly kind: "addr"; readonly address: string; readonly script: Uint8Array }
  /** BIP 385: the script itself. */
  | { readonly kind: "raw"; readonly script: Uint8Array };

/** Descriptor that one key may sign (BIP 381, 382, 384 and 386). `rawtr` is the key of the output itself. */
interface SingleKeyDescriptor {
  readonly kind: "pk" | "pkh" | "wpkh" | "combo" | "rawtr";
  readonly key: KeyExpression;
}

/** Descriptor that some of several keys must sign together (BIP 383 and 387), `multi_a` in tapscript. */
export interface MultisigDescriptor {
  readonly kind: "multi" | "multi_a";
  readonly required: number;
  readonly keys: readonly KeyExpression[];
  /** Whether the keys are in the order of their bytes, not in that of the expression. */
  readonly isSorted: boolean;
}

/** Hash of another descriptor's script (BIP 381 and 382). */
interface WrappedDescriptor {
  readonly kind: "sh" | "wsh";
  readonly inner: Descriptor;
}

/** A key, or one of the leaves of a tree of scripts (BIP 386). */
export interface TaprootDescriptor {
  readonly kind: "tr";
  readonly key: KeyExpression;
  readonly tree?: TaprootTree | undefined;
}

export type TaprootTree =
  | { readonly kind: "leaf"; readonly descriptor: Descriptor }
  | { readonly kind: "branch"; readonly left: TaprootTree; readonly right: TaprootTree };

/** Context of an expression, which decides the allowed expressions and keys. */
export type DescriptorContext = "top" | "sh" | "wsh" | "tr";

/** Returns every key expression in a descriptor, in source order. */
export function keysOf(descriptor: Descriptor): readonly KeyExpression[] {
  switch (descriptor.kind) {
    case "pk":
    case "pkh":
    case "wpkh":
    case "combo":
    case "rawtr":
      return [descriptor.key];
    case "multi":
    case "multi_a":
      return descriptor.keys;
    case "sh":
    case "wsh":
      return keysOf(descriptor.inner);
    case "tr":
      return [descriptor.key, ...leavesOf(descriptor.tree).flatMap(keysOf)];
    case "miniscript":
    case "addr":
    case "raw":
      return [];
  }
}

/** Returns the leaves of a tree from left to right. */
export function leavesOf(tree: TaprootTree | undefined): readonly Descriptor[] {
  if (tree === undefined) return [];
  return tree.kind === "leaf" ? [tree.descriptor] : [...leavesOf(tree.left), ...leavesOf(tree.right)];
}

/** Returns whether a descriptor has many scripts, one for each child of its keys. */
export function isRanged(descriptor: Descriptor): boolean {
  return keysOf(descriptor).some((key) => key.isRanged);
}

/** Returns how many descriptors BIP 389's `<0;1>` derives from one. */
export function branchCount(descriptor: Descriptor): number {
  return Math.max(1, ...keysOf(descriptor).map((key) => key.branchCount));
}
