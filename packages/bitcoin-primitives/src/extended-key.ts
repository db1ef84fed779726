import { base58 } from "@scure/base";
import { HDKey } from "@scure/bip32";
import type { Network } from "./network.ts";

/** BIP 32: what is added to the number of a child that only the private key leads to. */
export const hardenedIndex = 0x80000000;

/** Every extended key has as many characters, or one less. */
const longestText = 112;
/** What `HDKey` refuses is of these bytes: version 4, depth 1, fingerprint 4, number 4, chain code 32, key 33, checksum 4. */
const byteLength = 82;

/** BIP 32: a key from which others are derived. */
export class ExtendedKey {
  readonly #key: HDKey;

  private constructor(key: HDKey) {
    this.#key = key;
  }

  /** Reads `xpub…`, `xprv…` and what stands for them on the network; `undefined` for any other text. */
  static parse(text: string, network: Network): ExtendedKey | undefined {
    if (text.length > longestText) return undefined;
    try {
      if (base58.decode(text).length !== byteLength) return undefined;
      return new ExtendedKey(HDKey.fromExtendedKey(text, { ...network.extendedKeyVersions }));
    } catch {
      return undefined;
    }
  }

  /** 33 bytes. */
  get publicKey(): Uint8Array {
    const { publicKey } = this.#key;
    if (publicKey === null) throw new Error("An extended key without a public key");
    return publicKey;
  }

  /** Whether children above `hardenedIndex` can be derived. */
  get isPrivate(): boolean {
    return this.#key.privateKey !== null;
  }

  /** The first four bytes of the public key's hash. */
  get fingerprint(): Uint8Array {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#key.fingerprint);
    return bytes;
  }

  /** `undefined` for a hardened child of a public key, and for a child that does not exist, of which there is one in 2^127. */
  child(index: number): ExtendedKey | undefined {
    if (index >= hardenedIndex && !this.isPrivate) return undefined;
    try {
      return new ExtendedKey(this.#key.deriveChild(index));
    } catch {
      return undefined;
    }
  }

  /** The same key without what is secret, in base58. */
  publicText(): string {
    return this.#key.publicExtendedKey;
  }
}
