import { hash } from "node:crypto";

/** Keys of one chain: scripts ask for them by number, the same number gives the same key. */
export interface Keys {
  /** 33 bytes. */
  compressed(number: number): Uint8Array;
  /** 65 bytes. */
  uncompressed(number: number): Uint8Array;
  /** BIP 340, 32 bytes. */
  xOnly(number: number): Uint8Array;
  /** BIP 341: the output key of an internal key and a tree of at most two leaf scripts, and what shows the first leaf. */
  taproot(number: number, leaves: readonly Uint8Array[]): TaprootOutput;
}

interface TaprootOutput {
  /** 32 bytes. */
  readonly outputKey: Uint8Array;
  /** Of the first leaf; empty when there are no leaves. */
  readonly controlBlock: Uint8Array;
}

/** 32 bytes that the seed, a purpose and a number decide. */
export function seededHash(seed: number, purpose: string, number: number): Uint8Array {
  return hash("sha256", `${purpose}/${seed}/${number}`, "buffer");
}

/** Bytes that look like keys and cost a hash each: not on the curve, nobody has them. For chains that no node verifies. */
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
