import type { NodeReceipt } from "../results/node-values.ts";
import { withType } from "./raw-transaction.ts";
import { bytesOf, hexOf, integerBytesOf, serializeRlp } from "./rlp.ts";

/** Returns the canonical encoding of a receipt (EIP-2718; before Byzantium with the state's root in place of the status). */
export function rawReceipt(receipt: NodeReceipt): string {
  const type = Number(receipt.type ?? "0x0");
  const rlp = serializeRlp([
    receipt.status === undefined ? bytesOf(receipt.root ?? "0x") : integerBytesOf(receipt.status),
    integerBytesOf(receipt.cumulativeGasUsed),
    bytesOf(receipt.logsBloom),
    receipt.logs.map(({ address, topics, data }) => [bytesOf(address), topics.map(bytesOf), bytesOf(data)]),
  ]);
  return hexOf(type === 0 ? rlp : withType(type, rlp));
}
