import type { EthereumResolvers } from "@nodewright/ethereum-api/server";
import { propertyUnlessArguments } from "@nodewright/runtime/graphql";
import type { EthereumContext } from "../request/context.ts";
import { whenResolved } from "../basics/promise-or-value.ts";
import { readRawReceipt, readRawTransaction } from "../block-fields/read-raw.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import { AccountValue } from "../results/account-value.ts";
import { BlockValue, blockNeeds, loadBlock } from "../values/block-value.ts";

/** Resolvers of the fields of `Transaction` that its value does not have. */
export const transactionResolvers: EthereumResolvers<EthereumContext, EthereumParents>["Transaction"] = {
  from: propertyUnlessArguments("from", ({ from }, { block }) => AccountValue.at(from.address, block)),

  to: propertyUnlessArguments("to", ({ to }, { block }) => to && AccountValue.at(to.address, block)),

  createdContract: propertyUnlessArguments(
    "createdContract",
    ({ createdContract }, { block }) => createdContract && AccountValue.at(createdContract.address, block),
  ),

  block({ place }, _input, context, info) {
    if (place === undefined) return null;
    const needs = blockNeeds(info);
    if (needs.isPlaceEnough) return BlockValue.ofPlace({ number: place.blockNumber, hash: place.blockHash });
    return whenResolved(loadBlock(place.blockHash, needs, context), BlockValue.of);
  },

  raw: ({ body }, _input, context) => readRawTransaction(body, context),

  rawReceipt: ({ receipt }, _input, context) => (receipt === undefined ? "0x" : readRawReceipt(receipt, context)),
};
