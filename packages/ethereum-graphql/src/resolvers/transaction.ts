import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { Transaction } from "@nodewright/ethereum-node-api/types";
import type { EthereumContext } from "../request/context.ts";
import type { EthereumParents } from "./parents.ts";
import type { NodeReceipt } from "../results/node-values.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";
import { readReceipt, readTransaction } from "../results/check-block.ts";
import { countLogs, type TransactionPlace, TransactionValue, transactionNeeds } from "../values/transaction-value.ts";

/** Resolver of `Query.transaction`. */
export const transaction: EthereumHandler<"transaction", EthereumContext, EthereumParents> = async (
  { hash },
  context,
  info,
) => {
  const needs = transactionNeeds(info);
  const reading = context.read("eth_getTransactionByHash", [hash]).then((result) => readTransaction(result, hash));
  const placing = context.hold(reading.then(chainPlaceOf));
  const receipt = needs.receipt
    ? context.read("eth_getTransactionReceipt", [hash]).then((result) => readReceipt(result, hash))
    : undefined;
  const [body, sideRead] = await Promise.all([reading, receipt, placing]);
  if (body === undefined) return null;
  const place = placeOf(body);
  if (place === undefined) return new TransactionValue(hash, { place, body });
  const own = needs.receipt ? await receiptAt(hash, place, sideRead, context) : undefined;
  if (own !== undefined) countLogs([own], needs, context);
  const baseFee = needs.baseFee ? (await context.namedBlock(place.blockHash)).baseFeePerGas : undefined;
  return new TransactionValue(hash, { place, body, receipt: own, baseFee });
};

function placeOf({ blockHash, blockNumber, transactionIndex }: Transaction): TransactionPlace | undefined {
  if (typeof blockHash !== "string" || typeof blockNumber !== "string") return undefined;
  return transactionIndex === null ? undefined : { blockHash, blockNumber, index: transactionIndex };
}

function chainPlaceOf(body: Transaction | undefined): { readonly number: string; readonly hash: string } | undefined {
  const place = body && placeOf(body);
  return place && { number: place.blockNumber, hash: place.blockHash };
}

/** Returns the receipt. Transaction and receipt are read concurrently, and may be of different blocks when the chain changed in between. */
async function receiptAt(
  hash: string,
  { blockHash, index }: TransactionPlace,
  sideRead: NodeReceipt | undefined,
  context: EthereumContext,
): Promise<NodeReceipt> {
  const receipt = sideRead?.blockHash === blockHash ? sideRead : (await context.receipts(blockHash))[Number(index)];
  if (receipt?.transactionHash === hash && receipt.transactionIndex === index) return receipt;
  throw unexpectedResult("a transaction whose receipt is elsewhere");
}
