import type { TransactionId } from "@nodewright/bitcoin-primitives";
import { PreparedJson } from "@nodewright/runtime";

/** Ids in the order given. Nothing in them needs an escape. */
export function renderTransactionIds(ids: readonly TransactionId[]): PreparedJson<readonly TransactionId[]> {
  return new PreparedJson(ids.length === 0 ? "[]" : `["${ids.join('","')}"]`);
}
