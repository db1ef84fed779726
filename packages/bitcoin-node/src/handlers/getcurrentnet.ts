import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns the number of the network. */
export const getcurrentnet: BitcoinHandler<"getcurrentnet", BitcoinNodeContext> = (_input, { index }) => {
  const { buffer, byteOffset } = index.network.magic;
  return new DataView(buffer, byteOffset).getUint32(0, true);
};
