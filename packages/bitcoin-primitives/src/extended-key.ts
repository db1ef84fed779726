import { createHmac } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { HDKey } from "@scure/bip32";
import { toHex } from "./bytes.ts";
import type { Network } from "./network.ts";

type Point = ReturnType<typeof secp256k1.Point.fromBytes>;

/** First index of hardened children, which only the private key leads to (BIP 32). */
export const hardenedIndex = 0x80000000;

/**
 * Length of every extended key that begins with the bytes of a network's version: version 4, depth 1, fingerprint 4, number 4, chain code
 * 32, key 33 and checksum 4 bytes in base58.
 */
const textLength = 111;

/** Key from which others are derived (BIP 32). */
export class ExtendedKey {
  readonly #key: HDKey;
  #point: Point | undefined;

  private constructor(key: HDKey) {
    this.#key = key;
  }

  /** Parses `xpub…`, `xprv…` and their equivalents on the network; `undefined` for any other text. */
  static parse(text: string, network: Network): ExtendedKey | undefined {
    if (text.length !== textLength) return undefined;
    try {
      return new ExtendedKey(HDKey.fromExtendedKey(text, { ...network.extendedKeyVersions }));
    } catch {
      return undefined;
    }
  }

  /** Creates a key without parents from a public key of 33 bytes and a chain code of 32 bytes. */
  static ofPublicKey(publicKey: Uint8Array, chainCode: Uint8Array, network: Network): ExtendedKey {
    return new ExtendedKey(new HDKey({ publicKey, chainCode, versions: { ...network.extendedKeyVersions } }));
  }

  /** Public key, 33 bytes. */
  get publicKey(): Uint8Array {
    const { publicKey } = this.#key;
    if (publicKey === null) throw new Error("An extended key without a public key");
    return publicKey;
  }

  /** Whether children above `hardenedIndex` can be derived. */
  get isPrivate(): boolean {
    return this.#key.privateKey !== null;
  }

  /** First four bytes of the public key's hash. */
  get fingerprint(): Uint8Array {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#key.fingerprint);
    return bytes;
  }

  /**
   * Derives a child; `undefined` for a hardened child of a public key, and for a child that does not exist, of which there is one in 2^127.
   */
  child(index: number): ExtendedKey | undefined {
    try {
      return new ExtendedKey(this.#key.deriveChild(index));
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the public key of a child that is not hardened, in 33 bytes: the same as that of `child` at a third of the cost, for callers
   * that derive nothing from it. The private key is not used.
   */
  publicChild(index: number): Uint8Array | undefined {
    const { chainCode } = this.#key;
    if (chainCode === null || index >= hardenedIndex) return undefined;
    const number = Buffer.alloc(4);
    number.writeUInt32BE(index);
    const digest = createHmac("sha512", chainCode).update(this.publicKey).update(number).digest();
    const tweak = BigInt(`0x${toHex(digest.subarray(0, 32))}`);
    if (tweak === 0n || tweak >= secp256k1.Point.CURVE().n) return undefined;
    this.#point ??= secp256k1.Point.fromBytes(this.publicKey);
    const child = this.#point.add(secp256k1.Point.BASE.multiplyUnsafe(tweak));
    return child.is0() ? undefined : child.toBytes(true);
  }

  /** Returns the same key without its private part, in base58. */
  publicText(): string {
    return this.#key.publicExtendedKey;
  }
}
