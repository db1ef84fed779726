import type { Network } from "@nodewright/bitcoin-primitives";

/** Returns the bytes of a block file as nodes store them: magic, length and block, one after the other. */
export function blockFileOf(blocks: readonly Uint8Array[], network: Network): Buffer {
  return Buffer.concat(
    blocks.flatMap((block) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(block.length);
      return [network.magic, length, block];
    }),
  );
}
