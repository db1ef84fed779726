import { hash } from "node:crypto";

/** Keys of one chain: scripts request them by number, and the same number gives the same key. */
export interface Keys {
  /** Returns a key of 33 bytes. */
  compressed(number: number): Uint8Array;
  /** Returns a key of 65 bytes. */
  uncompressed(number: number): Uint8Array;
  /** Returns a key of BIP 340, 32 bytes. */
  xOnly(number: number): Uint8Array;
  /**
   * Returns the output key of an internal key and a tree of at most two leaf scripts, and the control block of the first leaf (BIP 341).
   */
  taproot(number: number, leaves: readonly Uint8Array[]): TaprootOutput;
}

interface TaprootOutput {
  /** Output key, 32 bytes. */
  readonly outputKey: Uint8Array;
  /** Control block of the first leaf; empty when there are no leaves. */
  readonly controlBlock: Uint8Array;
}

/** Returns 32 bytes derived from the seed, a purpose and a number. */
export function seededHash(seed: number, purpose: string, number: number): Uint8Array {
  return hash("sha256", `${purpose}/${seed}/${number}`, "buffer");
}

/** Returns bytes that look like keys and cost a hash each: not on the curve, without an owner. For chains that no node verifies. */
export function placeholderKeys(seed: number): Keys {
  const xOnly = (number: number) => seededHash(seed, "key", number);
  return {
    xOnly,
    compressed: (number) => Buffer.concat([Uint8Array.of(2 + (number % 2)), xOnly(number)]),
    uncompressed: (number) => Buffer.concat([Uint8Array.of(4), xOnly(number), seededHash(seed, "key-y", number)]),
    taproot(number, leaves) {
      const outputKey = seededHash(seed, "output-key", number);
      if (leaves.length === 0) return { outputKey, controlBlock: new Uint8Array(0) };
      const siblings = leaves.slice(1).map((_, index) => seededHash(seed, "leaf", number + index));
      return { outputKey, controlBlock: Buffer.concat([Uint8Array.of(0xc0), xOnly(number), ...siblings]) };
    },
  };
}
