import type { EthereumResolvers } from "@nodewright/ethereum-api/server";
import type { EthereumContext } from "../context.ts";
import { whenKnown } from "../eventually.ts";
import { readRawReceipt, readRawTransaction } from "../read-raw.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import { AccountValue } from "../values/account-value.ts";
import { BlockValue, blockNeeds, loadBlock } from "../values/block-value.ts";

/** The fields of `Transaction` that its value does not hold. */
export const transactionResolvers: EthereumResolvers<EthereumContext, EthereumParents>["Transaction"] = {
  from: (transaction, input, context) => AccountValue.at(transaction.body.from, input.block, context),

  to({ body }, input, context) {
    return body.to === null ? null : AccountValue.at(body.to, input.block, context);
  },

  createdContract({ receipt }, input, context) {
    const address = receipt?.contractAddress ?? null;
    return address === null ? null : AccountValue.at(address, input.block, context);
  },

  block({ place }, _input, context, info) {
    if (place === undefined) return null;
    const needs = blockNeeds(info);
    if (needs.isPlaceEnough) return BlockValue.ofPlace({ number: place.blockNumber, hash: place.blockHash });
    return whenKnown(loadBlock(place.blockHash, needs, context), BlockValue.of);
  },

  raw: ({ body }, _input, context) => readRawTransaction(body, context),

  rawReceipt: ({ receipt }, _input, context) => (receipt === undefined ? "0x" : readRawReceipt(receipt, context)),
};
