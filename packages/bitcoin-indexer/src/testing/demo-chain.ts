import { fileURLToPath } from "node:url";

/** The packed file of mainnet blocks 0 to 14131 that this repository carries. */
export const demoBlockFile: string = fileURLToPath(
  new URL("../../../service/demo/bitcoin-mainnet/blocks-0-14131.dat.zst", import.meta.url),
);
