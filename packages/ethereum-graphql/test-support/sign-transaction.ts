import { createHash } from "node:crypto";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexOf, integerBytesOf, keccakOf, type RlpValue, serializeRlp } from "../src/raw/rlp.ts";

/** A key, and its account. */
export interface Signer {
  readonly address: string;
  sign(digest: Uint8Array): Signature;
}

interface Signature {
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  readonly parity: 0 | 1;
}

/** A transaction that is to be signed. Amounts are in wei; omitted ones are zero, empty, or a creation. */
export interface UnsignedTransaction {
  readonly type: 0 | 1 | 2 | 3 | 4;
  readonly chainId: number;
  readonly nonce: number;
  readonly to?: string;
  readonly value?: bigint;
  readonly data?: string;
  readonly gas: number;
  /** Maximum price of gas; for types 0 and 1 exactly that. */
  readonly price: bigint;
  /** Tip, of types 2 and above. */
  readonly tip?: bigint;
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[];
  /** Blobs of type 3: each contains the same number in all of its places. */
  readonly blobs?: readonly number[];
  /** Authorizations of type 4. */
  readonly authorizations?: readonly Authorization[];
  /** Whether it may be sent to any chain (before EIP-155); of type 0. */
  readonly isUnprotected?: boolean;
}

/** Authorization of an account to run another's code (EIP-7702). */
interface Authorization {
  readonly signer: Signer;
  readonly chainId: number;
  readonly address: string;
  readonly nonce: number;
}

/** Returns the key for a name: the same in each run. */
export function openSigner(name: string): Signer {
  const key = createHash("sha256").update(name).digest();
  const point = secp256k1.getPublicKey(key, false).subarray(1);
  return {
    address: hexOf(keccakOf(point).subarray(12)),
    sign(digest) {
      const signature = secp256k1.sign(digest, key, { prehash: false, format: "recovered" });
      const [parity] = signature;
      return { parity: parity === 1 ? 1 : 0, r: signature.subarray(1, 33), s: signature.subarray(33) };
    },
  };
}

/** Signs a transaction; returns it as it is sent to a node: its canonical encoding, of type 3 with its blobs (EIP-4844, EIP-7594). */
export function signTransaction(transaction: UnsignedTransaction, signer: Signer): string {
  const { type, blobs = [] } = transaction;
  if (type === 0) return hexOf(signLegacy(transaction, signer));
  const fields = fieldsOf(transaction);
  const { parity, r, s } = signer.sign(keccakOf(serializeTyped(type, fields)));
  const signed = [...fields, integer(parity), trim(r), trim(s)];
  return hexOf(serializeTyped(type, type === 3 ? [signed, ...sidecarOf(blobs)] : signed));
}

function signLegacy(transaction: UnsignedTransaction, signer: Signer): Uint8Array {
  const { chainId, nonce, gas, price, isUnprotected = false } = transaction;
  const fields = [integer(nonce), integer(price), integer(gas), ...contentOf(transaction)];
  const replay = isUnprotected ? [] : [integer(chainId), integer(0), integer(0)];
  const { parity, r, s } = signer.sign(keccakOf(serializeRlp([...fields, ...replay])));
  return serializeRlp([...fields, integer(isUnprotected ? 27 + parity : chainId * 2 + 35 + parity), trim(r), trim(s)]);
}

function fieldsOf(transaction: UnsignedTransaction): readonly RlpValue[] {
  const { type, chainId, nonce, gas, price, tip = 0n, blobs = [], authorizations = [] } = transaction;
  const accessList = (transaction.accessList ?? []).map(({ address, storageKeys }) => [
    bytes(address),
    storageKeys.map(bytes),
  ]);
  const fees = type === 1 ? [integer(price)] : [integer(tip), integer(price)];
  const common = [integer(chainId), integer(nonce), ...fees, integer(gas), ...contentOf(transaction), accessList];
  if (type === 3) return [...common, integer(1_000_000_000), blobs.map((number) => commit(number).versionedHash)];
  return type === 4 ? [...common, authorizations.map(authorize)] : common;
}

function contentOf({ to, value = 0n, data = "0x" }: UnsignedTransaction): readonly RlpValue[] {
  return [bytes(to ?? "0x"), integer(value), bytes(data)];
}

function authorize({ signer, chainId, address, nonce }: Authorization): RlpValue {
  const fields = [integer(chainId), bytes(address), integer(nonce)];
  const { parity, r, s } = signer.sign(keccakOf(serializeTyped(5, fields)));
  return [...fields, integer(parity), trim(r), trim(s)];
}

function serializeTyped(type: number, fields: readonly RlpValue[]): Uint8Array {
  return Buffer.concat([Uint8Array.of(type), serializeRlp(fields)]);
}

const numbersInBlob = 4_096;
const cellsInBlob = 128;
/** Point at infinity, which proves that a polynomial is constant: its quotient by any divisor is zero. */
const infinity = Buffer.from(`c0${"00".repeat(47)}`, "hex");

/** Returns version, blobs, commitments and the proofs of all cells. */
function sidecarOf(blobs: readonly number[]): readonly RlpValue[] {
  return [
    integer(1),
    blobs.map((number) => Buffer.concat(Array.from({ length: numbersInBlob }, () => numberInBlob(number)))),
    blobs.map((number) => commit(number).commitment),
    blobs.flatMap(() => Array.from({ length: cellsInBlob }, () => infinity)),
  ];
}

function numberInBlob(number: number): Uint8Array {
  return Buffer.from(number.toString(16).padStart(64, "0"), "hex");
}

/** Commits to a polynomial that is one number everywhere: no trusted setup is needed for it. */
function commit(number: number): { readonly commitment: Uint8Array; readonly versionedHash: Uint8Array } {
  const { BASE } = bls12_381.G1.Point;
  const commitment = number === 0 ? infinity : BASE.multiply(BigInt(number)).toBytes(true);
  const versionedHash = createHash("sha256").update(commitment).digest();
  versionedHash.writeUInt8(1, 0);
  return { commitment, versionedHash };
}

function integer(value: bigint | number): Uint8Array {
  return integerBytesOf(`0x${value.toString(16)}`);
}

function trim(value: Uint8Array): Uint8Array {
  return integerBytesOf(hexOf(value));
}

function bytes(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), "hex");
}
