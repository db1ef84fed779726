import type { Transaction, Withdrawal } from "@nodewright/ethereum-node-api/types";
import { listRoot } from "./list-root.ts";
import type { FullBlock, NodeHeader } from "../results/node-values.ts";
import { serializeTransaction } from "./raw-transaction.ts";
import {
  bytesOf,
  hexOf,
  integerBytesOf,
  keccak256,
  type RlpItem,
  type RlpValue,
  readRlpList,
  serializeRlp,
} from "./rlp.ts";

/**
 * Returns the header in RLP, encoded from the node's result. Undefined when the bytes do not have the block's hash: the chain's headers
 * contain something unknown here.
 */
export function serializeHeader(header: NodeHeader): Uint8Array | undefined {
  if (!requiredMembers.every((name) => typeof header[name] === "string")) return undefined;
  const bytes = serializeRlp(headerFields(header));
  return keccak256(bytes) === header.hash.toLowerCase() ? bytes : undefined;
}

/** Returns the same as `serializeHeader`, in hexadecimal. */
export function rawHeader(header: NodeHeader): string | undefined {
  const bytes = serializeHeader(header);
  return bytes && hexOf(bytes);
}

/**
 * Returns the block in RLP, encoded from a block with complete transactions and the headers of its ommers.
 *
 * Undefined when any part does not have its hash: the header, a transaction, or the header's roots of transactions, ommers and withdrawals.
 */
export function rawBlock(block: FullBlock, ommers: readonly NodeHeader[]): string | undefined {
  const header = serializeHeader(block);
  const transactions = encodeAll(block.transactions, serializeTransaction);
  const uncles = encodeAll(ommers, serializeHeader);
  if (header === undefined || transactions === undefined || uncles === undefined) return undefined;
  const withdrawals =
    block.withdrawalsRoot === undefined ? undefined : (block.withdrawals ?? []).map(serializeWithdrawal);
  const body: BlockBody = { transactions, ommers: serializeRlp(uncles.map(asWritten)), withdrawals };
  if (!isBodyOf(block, body)) return undefined;
  return hexOf(
    serializeRlp([
      asWritten(header),
      block.transactions.map((transaction, position) => transactionValue(transaction, transactions[position])),
      asWritten(body.ommers),
      ...(withdrawals === undefined ? [] : [withdrawals.map(asWritten)]),
    ]),
  );
}

/** Returns whether bytes of a block, as a node encodes it, are those of the block with this header: the header in them has its hash. */
export function isRawBlockOf(header: NodeHeader, bytes: Uint8Array): boolean {
  const [whole, ...rest] = readRlpList(bytes, 0, bytes.length);
  if (whole === undefined || rest.length > 0 || !whole.isList) return false;
  const [first, transactions, ommers, withdrawals] = readRlpList(bytes, whole.start, whole.end);
  if (first === undefined || transactions?.isList !== true || ommers === undefined) return false;
  if (keccak256(bytes.subarray(first.position, first.end)) !== header.hash.toLowerCase()) return false;
  const elementsOf = (list: RlpItem): readonly RlpItem[] => readRlpList(bytes, list.start, list.end);
  return isBodyOf(header, {
    transactions: elementsOf(transactions).map(({ isList, position, start, end }) =>
      bytes.subarray(isList ? position : start, end),
    ),
    ommers: bytes.subarray(ommers.position, ommers.end),
    withdrawals: withdrawals && elementsOf(withdrawals).map(({ position, end }) => bytes.subarray(position, end)),
  });
}

/** Encoded parts of a block other than its header. */
interface BlockBody {
  readonly transactions: readonly Uint8Array[];
  /** Complete list of ommers. */
  readonly ommers: Uint8Array;
  /** Withdrawals; undefined before the Shanghai upgrade. */
  readonly withdrawals: readonly Uint8Array[] | undefined;
}

/** Returns whether the body matches the hashes in the header. */
function isBodyOf(header: NodeHeader, { transactions, ommers, withdrawals }: BlockBody): boolean {
  if (listRoot(transactions) !== header.transactionsRoot.toLowerCase()) return false;
  if (keccak256(ommers) !== header.sha3Uncles.toLowerCase()) return false;
  return (withdrawals && listRoot(withdrawals)) === header.withdrawalsRoot?.toLowerCase();
}

/** Encodes all values; undefined when one of them cannot be encoded. */
function encodeAll<Value>(
  values: readonly Value[],
  encode: (value: Value) => Uint8Array | undefined,
): readonly Uint8Array[] | undefined {
  const encoded = values.map(encode).filter((bytes) => bytes !== undefined);
  return encoded.length === values.length ? encoded : undefined;
}

/** Returns a transaction's value in a block: a byte string if it is typed, a list of its own if it is legacy (EIP-2718). */
function transactionValue({ type }: Transaction, encoded: Uint8Array | undefined): RlpValue {
  if (encoded === undefined) throw new Error("Expected the encoding of each transaction");
  return Number(type ?? "0x0") === 0 ? { encoded } : encoded;
}

function asWritten(encoded: Uint8Array): RlpValue {
  return { encoded };
}

/** Members of every header, which no node is guaranteed to send. */
const requiredMembers = [
  "hash",
  "parentHash",
  "sha3Uncles",
  "miner",
  "stateRoot",
  "transactionsRoot",
  "receiptsRoot",
  "logsBloom",
  "number",
  "gasLimit",
  "gasUsed",
  "timestamp",
  "extraData",
] as const satisfies readonly (keyof NodeHeader)[];

/** Returns the fields in the order of the yellow paper and of the EIPs that added fields: 1559, 4895, 4844, 4788, 7685, 7928, 7843. */
function headerFields(header: NodeHeader): readonly RlpValue[] {
  const required: readonly RlpValue[] = [
    bytesOf(header.parentHash),
    bytesOf(header.sha3Uncles),
    bytesOf(header.miner),
    bytesOf(header.stateRoot),
    bytesOf(header.transactionsRoot),
    bytesOf(header.receiptsRoot),
    bytesOf(header.logsBloom),
    integerBytesOf(header.difficulty ?? "0x0"),
    integerBytesOf(header.number),
    integerBytesOf(header.gasLimit),
    integerBytesOf(header.gasUsed),
    integerBytesOf(header.timestamp),
    bytesOf(header.extraData),
    bytesOf(header.mixHash ?? "0x"),
    bytesOf(header.nonce ?? "0x"),
  ];
  const added: readonly (RlpValue | undefined)[] = [
    integer(header.baseFeePerGas),
    bytes(header.withdrawalsRoot),
    integer(header.blobGasUsed),
    integer(header.excessBlobGas),
    bytes(header.parentBeaconBlockRoot),
    bytes(header.requestsHash),
    bytes(header.blockAccessListHash),
    integer(header.slotNumber),
  ];
  return [...required, ...added.filter((field) => field !== undefined)];
}

function serializeWithdrawal({ index, validatorIndex, address, amount }: Withdrawal): Uint8Array {
  return serializeRlp([
    integerBytesOf(index),
    integerBytesOf(validatorIndex),
    bytesOf(address),
    integerBytesOf(amount),
  ]);
}

function integer(value: string | undefined): RlpValue | undefined {
  return value === undefined ? undefined : integerBytesOf(value);
}

function bytes(value: string | undefined): RlpValue | undefined {
  return value === undefined ? undefined : bytesOf(value);
}
