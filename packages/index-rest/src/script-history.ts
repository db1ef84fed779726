import type { ChainQueries } from "@nodewright/bitcoin-indexer";
import type { Transaction } from "@nodewright/index-api/types";
import { renderTransaction } from "./render/transaction.ts";

/** Most confirmed transactions of a page, Esplora's number. */
const pageSize = 25;

const transactionIdPattern = /^[0-9a-fA-F]{64}$/;

/**
 * A page of a script's confirmed transactions, newest first. `lastSeen` is the last transaction of the page before; what is no
 * transaction id stands for none.
 */
export async function listScriptHistory(
  index: ChainQueries,
  scriptHash: string,
  lastSeen?: string,
): Promise<readonly Transaction[]> {
  const hasCursor = lastSeen !== undefined && transactionIdPattern.test(lastSeen);
  const page = { limit: pageSize, after: hasCursor ? lastSeen.toLowerCase() : undefined };
  const history = await index.scriptHistory(scriptHash, page);
  return history.map((indexed) => renderTransaction(indexed, index.network));
}
