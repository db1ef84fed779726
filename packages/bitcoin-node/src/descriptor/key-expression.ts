import {
  ExtendedKey,
  fromHex,
  hardenedIndex,
  hash160,
  isPublicKey,
  liftedKey,
  type Network,
  type PrivateKey,
  parsePrivateKey,
  publicKeyOfPrivateKey,
  toHex,
} from "@nodewright/bitcoin-primitives";
import { truncate } from "../parameters/parameter-problems.ts";
import type { DescriptorContext } from "./descriptor.ts";
import { DescriptorError } from "./descriptor-error.ts";
import { branchesText, type HardenedMark, markOf, parsePath, pathText } from "./key-path.ts";

/** Origin of a key (BIP 380): the key it was derived from, and how. */
export interface KeyOrigin {
  /** First 4 bytes of the first key's hash. */
  readonly fingerprint: Uint8Array;
  readonly path: readonly number[];
  /** Last number, after the path, which the origins of all children share. */
  readonly child?: number | undefined;
}

/** A key that a descriptor derives at one position. */
export interface DerivedKey {
  /** Public key: 33 bytes, or 65 where the descriptor contains that form. */
  readonly publicKey: Uint8Array;
  readonly origin: KeyOrigin;
}

/** A key, or all children of one (BIP 380). */
export interface KeyExpression {
  readonly isRanged: boolean;
  /** Number of paths in one expression (BIP 389). */
  readonly branchCount: number;
  /** Whether the source text contains a private key. */
  readonly isPrivate: boolean;
  /** Length of the public keys, in bytes. */
  readonly keyLength: 33 | 65;
  /** Whether children can be derived from it. */
  readonly isExtended: boolean;
  /** Number of keys that are derived for one position. */
  readonly keyCount: number;
  /** Returns the expression as a client may see it, without private keys; `branch`: with that path alone of several. */
  text(branch?: number): string;
  /** Number of elements of the longest path, each of which costs a derivation the first time. */
  readonly pathLength: number;
  /** Derives a key. `branch`: index of the path. `undefined` where the child can't be derived without a private key. */
  derive(position: number, branch: number): DerivedKey | undefined;
  /** Derives in steps, so that other work can run after each; the same `derive` costs nothing afterwards. */
  prepare(position: number, branch: number): Iterable<undefined>;
}

/** Position of a key expression. */
export interface KeyPlace {
  readonly network: Network;
  readonly context: DescriptorContext;
  /** Whether a key of 65 bytes is allowed here. */
  readonly allowsUncompressed: boolean;
}

interface OriginExpression {
  readonly fingerprint: Uint8Array;
  readonly path: readonly number[];
  readonly mark: HardenedMark;
}

/** Parses a key expression. Throws `DescriptorError`, which reveals nothing of a private key. */
export function parseKeyExpression(text: string, place: KeyPlace): KeyExpression {
  const parts = text.split("]", 3);
  const [first = "", second] = parts;
  if (parts.length > 2) throw new DescriptorError("Multiple ']' characters found for a single pubkey");
  if (second === undefined) return parseKey(first, undefined, place);
  return parseKey(second, parseOrigin(first), place);
}

/** Returns the x coordinate of a key, as in taproot. */
export function xOnly(publicKey: Uint8Array): Uint8Array {
  return publicKey.subarray(1, 33);
}

/** Creates the expression of one public key, whose origin may be known. */
export function createFixedKey(
  publicKey: Uint8Array,
  options: { readonly isXOnly: boolean; readonly origin?: KeyOrigin | undefined },
): KeyExpression {
  const { isXOnly, origin } = options;
  return fixedKey(publicKey, {
    text: `${originText(origin)}${toHex(isXOnly ? xOnly(publicKey) : publicKey)}`,
    isPrivate: false,
    origin,
  });
}

function originText(origin: KeyOrigin | undefined, mark: HardenedMark = "h"): string {
  if (origin === undefined) return "";
  const { fingerprint, path, child } = origin;
  return `[${toHex(fingerprint)}${pathText(child === undefined ? path : [...path, child], mark)}]`;
}

function parseOrigin(text: string): OriginExpression {
  if (!text.startsWith("[")) {
    const found = text.slice(0, 1) || "]";
    throw new DescriptorError(`Key origin start '[ character expected but not found, got '${found}' instead`);
  }
  const [fingerprint = "", ...elements] = text.slice(1).split("/");
  if (fingerprint.length !== 8) {
    const length = fingerprint.length;
    throw new DescriptorError(`Fingerprint is not 4 bytes (${length} characters instead of 8 characters)`);
  }
  const bytes = fromHex(fingerprint);
  if (bytes === undefined) throw new DescriptorError(`Fingerprint '${fingerprint}' is not hex`);
  const { branches, mark } = parsePath(elements, { allowsBranches: false });
  const [path = []] = branches;
  return { fingerprint: bytes, path, mark };
}

function parseKey(text: string, origin: OriginExpression | undefined, place: KeyPlace): KeyExpression {
  const [key = "", ...path] = text.split("/");
  if (key === "") throw new DescriptorError("No key provided");
  if (key.trim() !== key) throw new DescriptorError(`Key '${truncate(key)}' is invalid due to whitespace`);
  if (path.length === 0) {
    const fixed = parseFixedKey(key, origin, place);
    if (fixed !== undefined) return fixed;
  }
  const extendedKey = ExtendedKey.parse(key, place.network);
  if (extendedKey === undefined) throw new DescriptorError(`key '${truncate(key)}' is not valid`);
  return extendedKeyExpression(extendedKey, origin, path);
}

/** Parses a public key in hexadecimal or a private key in the wallet import format; `undefined` for other text. */
function parseFixedKey(text: string, origin: OriginExpression | undefined, place: KeyPlace): KeyExpression | undefined {
  const bytes = fromHex(text);
  if (bytes !== undefined) return publicKeyExpression(text, bytes, origin, place);
  const privateKey = parsePrivateKey(text, place.network);
  return privateKey === undefined ? undefined : privateKeyExpression(privateKey, origin, place);
}

function publicKeyExpression(
  text: string,
  bytes: Uint8Array,
  origin: OriginExpression | undefined,
  { context, allowsUncompressed }: KeyPlace,
): KeyExpression {
  const [prefix] = bytes;
  if (bytes.length === 65 && (prefix === 6 || prefix === 7)) {
    throw new DescriptorError("Hybrid public keys are not allowed");
  }
  const isXOnly = context === "tr" && bytes.length === 32;
  const publicKey = isXOnly ? liftedKey(bytes) : bytes;
  if (!isPublicKey(publicKey)) throw new DescriptorError(`Pubkey '${truncate(text)}' is invalid`);
  if (publicKey.length === 65 && !allowsUncompressed) throw uncompressedRefused();
  return fixedKey(publicKey, { text: `${originText(origin, origin?.mark)}${toHex(bytes)}`, isPrivate: false, origin });
}

function privateKeyExpression(
  privateKey: PrivateKey,
  origin: OriginExpression | undefined,
  { context, allowsUncompressed }: KeyPlace,
): KeyExpression {
  if (!privateKey.compressed && !allowsUncompressed) throw uncompressedRefused();
  const publicKey = publicKeyOfPrivateKey(privateKey.secret, privateKey);
  const shown = context === "tr" ? xOnly(publicKey) : publicKey;
  return fixedKey(publicKey, { text: `${originText(origin, origin?.mark)}${toHex(shown)}`, isPrivate: true, origin });
}

function uncompressedRefused(): DescriptorError {
  return new DescriptorError("Uncompressed keys are not allowed");
}

function fixedKey(
  publicKey: Uint8Array,
  {
    text,
    isPrivate,
    origin,
  }: { readonly text: string; readonly isPrivate: boolean; readonly origin?: KeyOrigin | undefined },
): KeyExpression {
  return {
    isRanged: false,
    branchCount: 1,
    isPrivate,
    keyLength: publicKey.length === 65 ? 65 : 33,
    isExtended: false,
    keyCount: 1,
    text: () => text,
    pathLength: 0,
    prepare: () => [],
    derive: () => ({ publicKey, origin: origin ?? { fingerprint: hash160(publicKey).subarray(0, 4), path: [] } }),
  };
}

/** Returns all keys that `elements`, a path split at its slashes, leads to from an extended key. Throws `DescriptorError`. */
export function extendedKeyExpression(
  root: ExtendedKey,
  origin: OriginExpression | undefined,
  elements: readonly string[],
): KeyExpression {
  const last = elements.at(-1);
  const isRanged = last === "*" || last === "*'" || last === "*h";
  const isHardened = isRanged && last !== "*";
  const { branches, mark } = parsePath(isRanged ? elements.slice(0, -1) : elements, {
    allowsBranches: true,
    mark: isHardened ? markOf(last) : (origin?.mark ?? "h"),
  });
  const { fingerprint, path: originPath }: KeyOrigin = origin ?? { fingerprint: root.fingerprint, path: [] };
  const rest = isRanged ? `/*${isHardened ? mark : ""}` : "";
  const childAt = (position: number): number | undefined =>
    isRanged ? position + (isHardened ? hardenedIndex : 0) : undefined;
  const derivations = branches.map((path) => new Derivation(root, path));
  const paths = branches.map((path) => [...originPath, ...path]);
  return {
    isRanged,
    branchCount: branches.length,
    isPrivate: root.isPrivate,
    keyLength: 33,
    isExtended: true,
    keyCount: 1,
    text(branch) {
      const shown = branch === undefined ? branches : branches.slice(chosen(branch, branches)).slice(0, 1);
      return `${originText(origin, mark)}${root.publicText()}${branchesText(shown, mark)}${rest}`;
    },
    pathLength: branches[0]?.length ?? 0,
    prepare: (position, branch) => derivations[chosen(branch, branches)]?.steps(childAt(position)) ?? [],
    derive(position, branch) {
      const index = chosen(branch, branches);
      const child = childAt(position);
      const publicKey = derivations[index]?.derive(child);
      return publicKey && { publicKey, origin: { fingerprint, path: paths[index] ?? [], child } };
    },
  };
}

/** Returns the index of the path. A key with one path has it in all branches. */
function chosen(branch: number, branches: readonly unknown[]): number {
  return Math.min(branch, branches.length - 1);
}

/** Derivation of children of the key at the end of one path, which is derived once. The last child is cached. */
class Derivation {
  readonly #path: readonly number[];
  #parent: ExtendedKey | undefined;
  #derivedCount = 0;
  #child: { readonly number: number; readonly publicKey: Uint8Array | undefined } | undefined;

  constructor(root: ExtendedKey, path: readonly number[]) {
    this.#path = path;
    this.#parent = root;
  }

  /** Derives a child. `number`: its index; `undefined` for the end of the path itself. */
  derive(number: number | undefined): Uint8Array | undefined {
    for (const _step of this.steps(number));
    return number === undefined ? this.#parent?.publicKey : this.#child?.publicKey;
  }

  *steps(number: number | undefined): Generator<undefined> {
    while (this.#derivedCount < this.#path.length && this.#parent !== undefined) {
      this.#parent = this.#parent.child(this.#path[this.#derivedCount] ?? 0);
      this.#derivedCount += 1;
      yield;
    }
    if (number === undefined || number === this.#child?.number) return;
    const publicKey =
      number < hardenedIndex ? this.#parent?.publicChild(number) : this.#parent?.child(number)?.publicKey;
    this.#child = { number, publicKey };
    yield;
  }
}
