import { equalBytes } from "@nodewright/bitcoin-primitives";
import { p2tr, TaprootControlBlock } from "@scure/btc-signer";
import { pubECDSA, pubSchnorr } from "@scure/btc-signer/utils.js";
import { type Keys, seededHash } from "./keys.ts";

/** Returns private keys, which anyone who knows the seed has: worth nothing outside of tests. */
export function privateKeyOf(seed: number, number: number): Uint8Array {
  return seededHash(seed, "key", number);
}

/** Returns keys for valid signatures. */
export function realKeys(seed: number): Keys {
  return {
    compressed: (number) => pubECDSA(privateKeyOf(seed, number)),
    uncompressed: (number) => pubECDSA(privateKeyOf(seed, number), false),
    xOnly: (number) => pubSchnorr(privateKeyOf(seed, number)),
    taproot(number, leaves) {
      const internalKey = pubSchnorr(privateKeyOf(seed, number));
      const [first] = leaves;
      if (first === undefined) return { outputKey: p2tr(internalKey).tweakedPubkey, controlBlock: new Uint8Array(0) };
      const tree = leaves.map((script) => ({ script }));
      const output = p2tr(internalKey, tree, undefined, true);
      const shown = output.tapLeafScript?.find(([, script]) => equalBytes(script.subarray(0, -1), first));
      if (shown === undefined) throw new Error("A leaf script is not in the tree that was built from it");
      return { outputKey: output.tweakedPubkey, controlBlock: TaprootControlBlock.encode(shown[0]) };
    },
  };
}
