import type { TransactionResolvers } from "@nodewright/ethereum-api/server";
import type { Bytes, Receipt } from "@nodewright/ethereum-node-api/types";
import { ServiceError } from "@nodewright/runtime";
import { fromParent } from "@nodewright/runtime/graphql";
import type { EthereumContext } from "../context.ts";
import { rawReceipt } from "../raw-receipt.ts";
import { rawTransaction } from "../raw-transaction.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import { failureOfNode, isMethodMissing } from "../upstream-calls.ts";
import { AccountValue } from "../values/account-value.ts";
import { BlockValue, isPlaceEnough, needsFullBlock } from "../values/block-value.ts";

/** The fields of `Transaction`. */
export const transactionResolvers: TransactionResolvers<EthereumContext, EthereumParents> = {
  hash: fromParent("hash"),
  nonce: fromParent("nonce"),
  index: fromParent("index"),
  value: fromParent("value"),
  gasPrice: fromParent("gasPrice"),
  maxFeePerGas: fromParent("maxFeePerGas"),
  maxPriorityFeePerGas: fromParent("maxPriorityFeePerGas"),
  maxFeePerBlobGas: fromParent("maxFeePerBlobGas"),
  effectiveTip: fromParent("effectiveTip"),
  gas: fromParent("gas"),
  inputData: fromParent("inputData"),
  status: fromParent("status"),
  gasUsed: fromParent("gasUsed"),
  cumulativeGasUsed: fromParent("cumulativeGasUsed"),
  effectiveGasPrice: fromParent("effectiveGasPrice"),
  blobGasUsed: fromParent("blobGasUsed"),
  blobGasPrice: fromParent("blobGasPrice"),
  r: fromParent("r"),
  s: fromParent("s"),
  v: fromParent("v"),
  yParity: fromParent("yParity"),
  type: fromParent("type"),
  accessList: fromParent("accessList"),
  blobVersionedHashes: fromParent("blobVersionedHashes"),

  logs: ({ receipt }, _input, context) => (receipt === undefined ? null : context.countOrLeaveOut(receipt.logs)),

  from: (transaction, input, context) => AccountValue.at(transaction.body.from, input.block, context),

  to({ body }, input, context) {
    return body.to === null ? null : AccountValue.at(body.to, input.block, context);
  },

  createdContract({ receipt }, input, context) {
    const address = receipt?.contractAddress ?? null;
    return address === null ? null : AccountValue.at(address, input.block, context);
  },

  async block({ place }, _input, context, info) {
    if (place === undefined) return null;
    if (isPlaceEnough(info)) return BlockValue.ofPlace({ number: place.blockNumber, hash: place.blockHash });
    return BlockValue.of(await context.getBlockByHash(place.blockHash, needsFullBlock(info)));
  },

  async raw({ hash, body }, _input, context) {
    return rawTransaction(body) ?? (await readRawTransaction(hash, context));
  },

  async rawReceipt({ place, receipt }, _input, context) {
    if (place === undefined || receipt === undefined) return "0x";
    if (knownReceiptTypes.has(receipt.type ?? "0x0")) return rawReceipt(receipt);
    return await readRawReceipt(place.blockHash, receipt, context);
  },
};

/** Types of transactions whose receipts have the form of EIP-2718, "Receipts", and no further fields. */
const knownReceiptTypes = new Set(["0x0", "0x1", "0x2", "0x3", "0x4"]);

/** For types that cannot be encoded here. */
async function readRawTransaction(hash: string, context: EthereumContext): Promise<string> {
  try {
    const raw = (await context.calls.read("eth_getRawTransactionByHash", [hash])) as Bytes | null;
    if (raw !== null && raw !== "0x") return raw;
  } catch (reason) {
    if (!isMethodMissing(reason)) throw failureOfNode(reason);
  }
  return (await context.read("debug_getRawTransaction", [hash])) as string;
}

async function readRawReceipt(blockHash: string, receipt: Receipt, context: EthereumContext): Promise<string> {
  const receipts = (await context.read("debug_getRawReceipts", [blockHash])) as readonly string[];
  const raw = receipts[Number(receipt.transactionIndex)];
  if (raw !== undefined) return raw;
  throw new ServiceError("upstream_unavailable", "The node does not have the receipts of a block that it named");
}
