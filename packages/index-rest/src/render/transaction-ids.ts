import type { TransactionId } from "@nodewright/bitcoin-primitives";
import { PreparedJson } from "@nodewright/runtime";
import { JsonBytes, literalOf } from "@nodewright/runtime/node";

/** Empty between two answers, each of which is written in one go. */
const shared = new JsonBytes();

const first = literalOf('["');
const next = literalOf('","');
const last = literalOf('"]');
const idLength = 32;

/** Ids that stand one after the other in wire order. */
export function renderTransactionIds(ids: Uint8Array): PreparedJson<readonly TransactionId[]> {
  if (ids.length === 0) return new PreparedJson("[]");
  return new PreparedJson(() => {
    shared.clear();
    for (let offset = 0; offset < ids.length; offset += idLength) {
      shared.literal(offset === 0 ? first : next);
      shared.displayHash(ids, offset);
    }
    shared.literal(last);
    return shared.takeText();
  });
}
