import { fileURLToPath } from "node:url";
import { networks } from "@nodewright/bitcoin-primitives";
import { openBlockFile } from "../store/block-file.ts";
import { FileWindow } from "../source/file-window.ts";
import { scanBlockFile } from "../source/scan-block-file.ts";

/** Path of the compressed file of mainnet blocks 0 to 14131 in this repository. */
export const demoBlockFile: string = fileURLToPath(
  new URL("../../../service/demo/bitcoin-mainnet/blocks-0-14131.dat.zst", import.meta.url),
);

/** Returns the first blocks of mainnet, at most the 14,132 of that file. */
export function demoBlocks(count: number): readonly Uint8Array[] {
  const file = openBlockFile(demoBlockFile);
  const blocks: Uint8Array[] = [];
  for (const { offset, length } of scanBlockFile(file, networks.mainnet)) {
    blocks.push(Buffer.from(new FileWindow(file).view(offset, length)));
    if (blocks.length === count) break;
  }
  file.close();
  return blocks;
}
