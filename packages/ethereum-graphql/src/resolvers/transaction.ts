import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { Transaction } from "@nodewright/ethereum-node-api/types";
import type { EthereumContext } from "../context.ts";
import type { EthereumParents } from "./parents.ts";
import type { NodeReceipt } from "../node-values.ts";
import { type TransactionPlace, TransactionValue, transactionNeeds } from "../values/transaction-value.ts";

/** `Query.transaction`. */
export const transaction: EthereumHandler<"transaction", EthereumContext, EthereumParents> = async (
  { hash },
  context,
  info,
) => {
  const needs = transactionNeeds(info);
  const [body, receipt] = (await Promise.all([
    context.read("eth_getTransactionByHash", [hash]),
    needs.receipt ? context.read("eth_getTransactionReceipt", [hash]) : undefined,
  ])) as [Transaction | null, NodeReceipt | null | undefined];
  if (body === null) return null;
  const place = placeOf(body);
  if (place === undefined) return new TransactionValue(hash, { place, body });
  const block = needs.baseFee ? await context.namedBlock(place.blockHash) : undefined;
  return new TransactionValue(hash, {
    place,
    body,
    baseFee: block?.baseFeePerGas,
    receipt: needs.receipt ? await receiptAt(place, receipt, context) : undefined,
  });
};

function placeOf({ blockHash, blockNumber, transactionIndex }: Transaction): TransactionPlace | undefined {
  if (blockHash === null || blockNumber === null || transactionIndex === null) return undefined;
  return { blockHash, blockNumber, index: transactionIndex };
}

/** Transaction and receipt are read side by side, and may be of different blocks when the chain changed in between. */
async function receiptAt(
  place: TransactionPlace,
  receipt: NodeReceipt | null | undefined,
  context: EthereumContext,
): Promise<NodeReceipt | undefined> {
  if (receipt?.blockHash === place.blockHash) return receipt;
  return (await context.receipts(place.blockHash))[Number(place.index)];
}
