import type { TransactionResolvers } from "@nodewright/ethereum-api/server";
import { fromParent } from "@nodewright/runtime/graphql";
import type { EthereumContext } from "../context.ts";
import { readRawReceipt, readRawTransaction } from "../read-raw.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
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

  raw: ({ body }, _input, context) => readRawTransaction(body, context),

  rawReceipt: ({ receipt }, _input, context) => (receipt === undefined ? "0x" : readRawReceipt(receipt, context)),
};
