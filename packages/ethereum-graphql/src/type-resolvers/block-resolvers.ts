import type { BlockResolvers } from "@nodewright/ethereum-api/server";
import { fromParent } from "@nodewright/runtime/graphql";
import { estimateGas, runCall } from "../call.ts";
import type { EthereumContext } from "../context.ts";
import { findLogs } from "../find-logs.ts";
import type { NodeHeader, StateReference } from "../node-values.ts";
import { quantity } from "../quantity.ts";
import { readRawBlock, readRawHeader } from "../read-raw.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import { Selection } from "../selection.ts";
import { findTotalDifficulty } from "../total-difficulty.ts";
import { AccountValue } from "../values/account-value.ts";
import { BlockValue, isPlaceEnough, needsFullBlock } from "../values/block-value.ts";
import { transactionInBlock, transactionNeeds, transactionsOfBlock } from "../values/transaction-value.ts";

/** The fields of `Block`. */
export const blockResolvers: BlockResolvers<EthereumContext, EthereumParents> = {
  number: fromParent("number"),
  hash: fromParent("hash"),
  nonce: fromParent("nonce"),
  transactionsRoot: fromParent("transactionsRoot"),
  transactionCount: fromParent("transactionCount"),
  stateRoot: fromParent("stateRoot"),
  receiptsRoot: fromParent("receiptsRoot"),
  extraData: fromParent("extraData"),
  gasLimit: fromParent("gasLimit"),
  gasUsed: fromParent("gasUsed"),
  baseFeePerGas: fromParent("baseFeePerGas"),
  nextBaseFeePerGas: fromParent("nextBaseFeePerGas"),
  timestamp: fromParent("timestamp"),
  logsBloom: fromParent("logsBloom"),
  mixHash: fromParent("mixHash"),
  difficulty: fromParent("difficulty"),
  ommerCount: fromParent("ommerCount"),
  ommerHash: fromParent("ommerHash"),
  withdrawalsRoot: fromParent("withdrawalsRoot"),
  withdrawals: fromParent("withdrawals"),
  blobGasUsed: fromParent("blobGasUsed"),
  excessBlobGas: fromParent("excessBlobGas"),
  slotNumber: fromParent("slotNumber"),
  blockAccessListHash: fromParent("blockAccessListHash"),

  async parent(block, _input, context, info) {
    const height = BigInt(block.number);
    if (height === 0n) return null;
    const hash = block.header.parentHash;
    if (isPlaceEnough(info)) return BlockValue.ofPlace({ number: quantity(height - 1n), hash });
    return BlockValue.of(await context.getBlockByHash(hash, needsFullBlock(info)));
  },

  miner: (block, input, context) => AccountValue.at(block.header.miner, input.block, context),

  totalDifficulty: (block, _input, context) => findTotalDifficulty(block.header, context),

  async ommers(block, _input, context) {
    if (block.block === undefined) return null;
    return await Promise.all(block.block.uncles.map((_hash, position) => readOmmer(block, position, context)));
  },

  async ommerAt(block, { index }, context) {
    const position = Number(index);
    return position < (block.block?.uncles.length ?? 0) ? await readOmmer(block, position, context) : null;
  },

  async transactions({ block }, _input, context, info) {
    if (block === undefined) return null;
    return await transactionsOfBlock(block, transactionNeeds(Selection.of(info)), context);
  },

  async transactionAt({ block }, { index }, context, info) {
    const found = block?.transactions[Number(index)];
    if (block === undefined || found === undefined) return null;
    const hash = typeof found === "string" ? found : found.hash;
    const place = { blockHash: block.hash, blockNumber: block.number, index };
    return await transactionInBlock(hash, place, transactionNeeds(Selection.of(info)), context);
  },

  logs: (block, { filter }, context) => findLogs({ blockHash: block.hash }, filter, context),

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

async function readOmmer(block: BlockValue, position: number, context: EthereumContext): Promise<BlockValue | null> {
  const header = await context.read("eth_getUncleByBlockHashAndIndex", [block.hash, quantity(position)]);
  return header === null ? null : BlockValue.ofOmmer(header as NodeHeader);
}
