import type { Transaction, Withdrawal } from "@nodewright/ethereum-node-api/types";
import type { NodeBlock, NodeHeader } from "./node-values.ts";
import { serializeTransaction } from "./raw-transaction.ts";
import { bytesOf, hexOf, integerBytesOf, keccak256, type RlpValue, serializeRlp } from "./rlp.ts";

/**
 * The header in RLP, made from what the node answers.
 * Undefined when the bytes do not have the block's hash: the chain's headers hold something that is unknown here.
 */
export function rawHeader(header: NodeHeader): string | undefined {
  const bytes = serializeRlp(headerFields(header));
  return keccak256(bytes) === header.hash.toLowerCase() ? hexOf(bytes) : undefined;
}

/**
 * The block in RLP, made from a block with whole transactions and without ommers.
 * Undefined when the header or a transaction does not have its hash.
 */
export function rawBlock(block: NodeBlock): string | undefined {
  if (block.uncles.length > 0 || rawHeader(block) === undefined) return undefined;
  const transactions: RlpValue[] = [];
  for (const transaction of block.transactions) {
    const value = typeof transaction === "string" ? undefined : transactionValue(transaction);
    if (value === undefined) return undefined;
    transactions.push(value);
  }
  const withdrawals = block.withdrawalsRoot === undefined ? [] : [(block.withdrawals ?? []).map(withdrawalFields)];
  return hexOf(serializeRlp([headerFields(block), transactions, [], ...withdrawals]));
}

/** In a block a typed transaction is a byte string, and a legacy one a list of its own (EIP-2718). */
function transactionValue(transaction: Transaction): RlpValue | undefined {
  const bytes = serializeTransaction(transaction);
  if (bytes === undefined) return undefined;
  return Number(transaction.type ?? "0x0") === 0 ? { encoded: bytes } : bytes;
}

/** In the order of the yellow paper and of the EIPs that added fields: 1559, 4895, 4844, 4788, 7685, 7928, 7843. */
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

function withdrawalFields({ index, validatorIndex, address, amount }: Withdrawal): RlpValue {
  return [integerBytesOf(index), integerBytesOf(validatorIndex), bytesOf(address), integerBytesOf(amount)];
}

function integer(value: string | undefined): RlpValue | undefined {
  return value === undefined ? undefined : integerBytesOf(value);
}

function bytes(value: string | undefined): RlpValue | undefined {
  return value === undefined ? undefined : bytesOf(value);
}
