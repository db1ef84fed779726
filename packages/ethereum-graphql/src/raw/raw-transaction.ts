import type { AccessTuple, Authorization, Transaction } from "@nodewright/ethereum-node-api/types";
import { bytesOf, hexOf, integerBytesOf, keccak256, type RlpValue, serializeRlp } from "./rlp.ts";

/**
 * Returns the canonical encoding of a signed transaction (EIP-2718), from the node's result. Undefined when the type is unknown here, or
 * the bytes do not have the transaction's hash.
 */
export function serializeTransaction(transaction: Transaction): Uint8Array | undefined {
  const type = Number(transaction.type ?? "0x0");
  const fields = fieldsOf(type, transaction);
  if (fields === undefined) return undefined;
  const rlp = serializeRlp([...fields, ...signatureOf(type, transaction)]);
  const bytes = type === 0 ? rlp : withType(type, rlp);
  return keccak256(bytes) === transaction.hash.toLowerCase() ? bytes : undefined;
}

/** Prefixes the RLP with a type byte (EIP-2718). */
export function withType(type: number, rlp: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(rlp.length + 1);
  bytes[0] = type;
  bytes.set(rlp, 1);
  return bytes;
}

/** Returns the same as `serializeTransaction`, in hexadecimal. */
export function rawTransaction(transaction: Transaction): string | undefined {
  const bytes = serializeTransaction(transaction);
  return bytes && hexOf(bytes);
}

/** Returns the fields before the signature: EIPs 155, 2930, 1559, 4844, 7702. */
function fieldsOf(type: number, transaction: Transaction): readonly RlpValue[] | undefined {
  const integer = (value: string | null | undefined): Uint8Array => integerBytesOf(value ?? "0x0");
  const chainId = integer(transaction.chainId);
  const nonce = integer(transaction.nonce);
  const fees = [integer(transaction.maxPriorityFeePerGas), integer(transaction.maxFeePerGas)];
  const message = [
    integer(transaction.gas),
    bytesOf(transaction.to ?? "0x"),
    integer(transaction.value),
    bytesOf(transaction.input),
  ];
  const accessList = accessListOf(transaction.accessList ?? []);
  switch (type) {
    case 0:
      return [nonce, integer(transaction.gasPrice), ...message];
    case 1:
      return [chainId, nonce, integer(transaction.gasPrice), ...message, accessList];
    case 2:
      return [chainId, nonce, ...fees, ...message, accessList];
    case 3: {
      const hashes = (transaction.blobVersionedHashes ?? []).map(bytesOf);
      return [chainId, nonce, ...fees, ...message, accessList, integer(transaction.maxFeePerBlobGas), hashes];
    }
    case 4: {
      const authorizations = (transaction.authorizationList ?? []).map(authorizationOf);
      return [chainId, nonce, ...fees, ...message, accessList, authorizations];
    }
    default:
      return undefined;
  }
}

function accessListOf(accessList: readonly AccessTuple[]): RlpValue {
  return accessList.map(({ address, storageKeys }) => [bytesOf(address), storageKeys.map(bytesOf)]);
}

function authorizationOf({ chainId, address, nonce, yParity, r, s }: Authorization): RlpValue {
  return [
    integerBytesOf(chainId),
    bytesOf(address),
    integerBytesOf(nonce),
    integerBytesOf(yParity),
    integerBytesOf(r),
    integerBytesOf(s),
  ];
}

/** Returns the signature. Legacy transactions contain v, typed ones only the parity. */
function signatureOf(type: number, { v, yParity, r, s }: Transaction): readonly RlpValue[] {
  const first = type === 0 ? (v ?? yParity) : (yParity ?? v);
  return [integerBytesOf(first ?? "0x0"), integerBytesOf(r), integerBytesOf(s)];
}
