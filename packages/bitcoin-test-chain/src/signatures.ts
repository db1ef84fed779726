/** Data of an input that spends an output. */
export interface InputUnlocking {
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
}

/** Signer of one input of a transaction. Keys are numbers of the chain's keys; each signature ends in its hash type where it needs one. */
export interface Signatures {
  /** Returns ECDSA over the complete transaction with `script` in place of this input's scriptSig. */
  legacy(key: number, script: Uint8Array): Uint8Array;
  /** Returns ECDSA over BIP 143's digest. */
  witness(key: number, scriptCode: Uint8Array): Uint8Array;
  /** Returns Schnorr with the output key of an internal key without leaves (BIP 341). */
  taprootKey(key: number): Uint8Array;
  /** Returns Schnorr with a key in a leaf script (BIP 342). */
  taprootLeaf(key: number, leaf: Uint8Array): Uint8Array;
}

/** Length of ECDSA in DER (BIP 66) with a hash type, when the first number is below 2^255, as most wallets create them. */
const ecdsaLength = 71;
/** Length when the first number is above, and is written with a zero before it. */
const longestEcdsaLength = 72;
/** Length of BIP 340 signatures, with the default hash type, which is not written. */
const schnorrLength = 64;

const zeros = { ecdsa: new Uint8Array(longestEcdsaLength), schnorr: new Uint8Array(schnorrLength) };

/** Zeros of the maximum length, for measurements. */
export const placeholderSignatures: Signatures = {
  legacy: () => zeros.ecdsa,
  witness: () => zeros.ecdsa,
  taprootKey: () => zeros.schnorr,
  taprootLeaf: () => zeros.schnorr,
};

/** Returns fake signatures: valid in form and length, and as hard to compress as real ones. `bytes` returns that many arbitrary bytes. */
export function arbitrarySignatures(bytes: (length: number) => Uint8Array): Signatures {
  const ecdsa = () => {
    const signature = Buffer.allocUnsafe(ecdsaLength);
    signature.set(bytes(ecdsaLength));
    signature.set([0x30, 0x44, 0x02, 0x20, 0x01 + ((signature[4] ?? 0) % 0x7e)], 0);
    signature.set([0x02, 0x20, 0x01 + ((signature[38] ?? 0) % 0x7e)], 36);
    signature[ecdsaLength - 1] = 0x01;
    return signature;
  };
  const schnorr = () => bytes(schnorrLength);
  return { legacy: ecdsa, witness: ecdsa, taprootKey: schnorr, taprootLeaf: schnorr };
}
