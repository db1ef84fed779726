import type { EthereumResolvers } from "@nodewright/ethereum-api/server";
import { propertyUnlessArguments } from "@nodewright/runtime/graphql";
import { computeNextBaseFee, findNextBaseFee } from "../block-fields/base-fee.ts";
import { estimateGas, runCall } from "../values/call.ts";
import type { EthereumContext } from "../request/context.ts";
import { whenResolved } from "../basics/promise-or-value.ts";
import { findLogsOfBlock } from "../logs/find-logs.ts";
import type { NodeBlock } from "../results/node-values.ts";
import type { StateReference } from "../results/state-reference.ts";
import { quantity } from "../basics/quantity.ts";
import { readOmmer } from "../block-fields/read-ommer.ts";
import { readRawBlock, readRawHeader } from "../block-fields/read-raw.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import { Selection } from "../basics/selection.ts";
import { findTotalDifficulty } from "../block-fields/total-difficulty.ts";
import { AccountValue } from "../results/account-value.ts";
import { BlockValue, blockNeeds, loadBlock } from "../values/block-value.ts";
import { transactionInBlock, transactionNeeds, transactionsOfBlock } from "../values/transaction-value.ts";

/** Resolvers of the fields of `Block` that its value does not have. */
export const blockResolvers: EthereumResolvers<EthereumContext, EthereumParents>["Block"] = {
  parent(block, _input, context, info) {
    const height = BigInt(block.number);
    if (height === 0n) return null;
    const hash = block.header.parentHash;
    const needs = blockNeeds(info);
    if (needs.isPlaceEnough) return BlockValue.ofPlace({ number: quantity(height - 1n), hash });
    return whenResolved(loadBlock(hash, needs, context), BlockValue.of);
  },

  miner: propertyUnlessArguments("miner", ({ miner }, { block }) => AccountValue.at(miner.address, block)),

  nextBaseFeePerGas: ({ content, header }, _input, context) =>
    content.kind === "ommer" ? computeNextBaseFee(header) : findNextBaseFee(header, context),

  totalDifficulty: (block, _input, context) => findTotalDifficulty(block.header, context),

  async ommers({ block }, _input, context) {
    if (block === undefined) return null;
    return await Promise.all(block.uncles.map((_hash, position) => ommerAt(block, position, context)));
  },

  async ommerAt({ block }, { index }, context) {
    return block === undefined ? null : await ommerAt(block, Number(index), context);
  },

  transactions({ block }, _input, context, info) {
    return block === undefined ? null : transactionsOfBlock(block, transactionNeeds(info), context);
  },

  transactionAt({ block }, { index }, context, info) {
    const found = block?.transactions[Number(index)];
    if (block === undefined || found === undefined) return null;
    const hash = typeof found === "string" ? found : found.hash;
    const place = { blockHash: block.hash, blockNumber: block.number, index };
    return transactionInBlock(hash, place, transactionNeeds(info), context);
  },

  logs: (block, { filter }, context) => findLogsOfBlock(block.hash, filter, context),

  account: (block, { address }) => new AccountValue(address, () => stateAfter(block)),

  call: (block, { data }, context, info) =>
    runCall(data, stateAfter(block), Selection.of(info).has("gasUsed"), context),

  estimateGas: (block, { data }, context) => estimateGas(data, stateAfter(block), context),

  rawHeader: (block, _input, context) => readRawHeader(block.header, context),

  raw: (block, _input, context) => readRawBlock(block, context),
};

function stateAfter({ hash }: BlockValue): StateReference {
  return { blockHash: hash };
}

async function ommerAt(block: NodeBlock, position: number, context: EthereumContext): Promise<BlockValue | null> {
  const header = await readOmmer(block, position, context);
  return header === null ? null : BlockValue.ofOmmer(header);
}
