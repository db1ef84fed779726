import { blockFilterHeader, makeBasicBlockFilter } from "@nodewright/bitcoin-primitives";
import { inSlices } from "../basics/in-slices.ts";
import { ByteReader, ByteWriter } from "../store/byte-codec.ts";
import type { IndexedBlock } from "./indexed-block.ts";
import type { OptionalIndexKind, OptionalRow } from "./optional-table.ts";

/** Basic filter of a block (BIP 158) and the header that chains it to those below (BIP 157). */
export interface BlockFilterRow extends OptionalRow {
  /** 32 bytes, in wire order. */
  readonly header: Uint8Array;
  readonly filter: Uint8Array;
}

const writer = new ByteWriter();

/** Index of block filters. */
export const blockFilters: OptionalIndexKind<BlockFilterRow> = {
  name: "block-filters",
  title: "block filters",
  layout: 1,
  async rowOf(block, below) {
    const filter = await filterOfBlock(block);
    return { hash: block.hash, header: blockFilterHeader(filter, below?.header), filter };
  },
  encode: ({ hash, header, filter }) => writer.bytes(hash).bytes(header).bytes(filter).take(),
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return { hash: reader.bytes(32), header: reader.bytes(32), filter: reader.rest() };
  },
};

/** Returns the basic filter of a block, from its outputs and those that it spends, without the index of filters. */
export async function filterOfBlock(block: IndexedBlock): Promise<Uint8Array> {
  const paid: Uint8Array[] = [];
  const spent: Uint8Array[] = [];
  for await (const transactions of block.transactions()) {
    for (const { transaction, previousOutputs } of transactions) {
      for (const { scriptPubKey } of transaction.outputs) paid.push(scriptPubKey);
      for (const output of previousOutputs) if (output !== undefined) spent.push(output.scriptPubKey);
    }
  }
  return inSlices(makeBasicBlockFilter(block.hash, { paid, spent }), () => {});
}
