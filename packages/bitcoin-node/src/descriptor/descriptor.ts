import type { KeyExpression } from "./key-expression.ts";

/** BIP 380: an expression that says which scripts outputs may have. */
export type Descriptor =
  | SingleKeyDescriptor
  | MultisigDescriptor
  | WrappedDescriptor
  | TaprootDescriptor
  /** BIP 379: a witness script as miniscript; inferred from scripts, not read from texts. */
  | { readonly kind: "miniscript"; readonly text: string; readonly script: Uint8Array }
  /** BIP 385: the script of one address. */
  | { readonly kind: "addr"; readonly address: string; readonly script: Uint8Array }
  /** BIP 385: the script itself. */
  | { readonly kind: "raw"; readonly script: Uint8Array };

/** BIP 381, 382, 384 and 386: what one key may sign. `rawtr` is the key of the output itself. */
interface SingleKeyDescriptor {
  readonly kind: "pk" | "pkh" | "wpkh" | "combo" | "rawtr";
  readonly key: KeyExpression;
}

/** BIP 383 and 387: what some of several keys must sign together, `multi_a` in tapscript. */
export interface MultisigDescriptor {
  readonly kind: "multi" | "multi_a";
  readonly required: number;
  readonly keys: readonly KeyExpression[];
  /** Whether the keys stand in the order of their bytes, not in that of the expression. */
  readonly isSorted: boolean;
}

/** BIP 381 and 382: the hash of another descriptor's script. */
interface WrappedDescriptor {
  readonly kind: "sh" | "wsh";
  readonly inner: Descriptor;
}

/** BIP 386: a key, or one of the leaves of a tree of scripts. */
export interface TaprootDescriptor {
  readonly kind: "tr";
  readonly key: KeyExpression;
  readonly tree?: TaprootTree | undefined;
}

export type TaprootTree =
  | { readonly kind: "leaf"; readonly descriptor: Descriptor }
  | { readonly kind: "branch"; readonly left: TaprootTree; readonly right: TaprootTree };

/** Where an expression stands: what may stand there, and which keys. */
export type DescriptorContext = "top" | "sh" | "wsh" | "tr";

/** Every key expression in a descriptor, in the order of the text. */
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

/** The leaves of a tree from left to right. */
export function leavesOf(tree: TaprootTree | undefined): readonly Descriptor[] {
  if (tree === undefined) return [];
  return tree.kind === "leaf" ? [tree.descriptor] : [...leavesOf(tree.left), ...leavesOf(tree.right)];
}

/** True for a descriptor of many scripts, one for each child of its keys. */
export function isRanged(descriptor: Descriptor): boolean {
  return keysOf(descriptor).some((key) => key.isRanged);
}

/** How many descriptors BIP 389's `<0;1>` makes of one. */
export function branchCount(descriptor: Descriptor): number {
  return Math.max(1, ...keysOf(descriptor).map((key) => key.branchCount));
}
