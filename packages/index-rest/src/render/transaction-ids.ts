import type { TransactionId } from "@nodewright/bitcoin-primitives";
import { PreparedJson } from "@nodewright/runtime";
import { JsonBytes, literalOf } from "@nodewright/runtime/node";

/** Writer that is empty between two responses, each of which is written without interruption. */
const shared = new JsonBytes();

const first = literalOf('["');
const next = literalOf('","');
const last = literalOf('"]');
const idLength = 32;

/** Renders ids that are adjacent in wire order. */
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
