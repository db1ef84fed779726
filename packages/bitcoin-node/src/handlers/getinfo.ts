import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { difficultyOfBits } from "@nodewright/bitcoin-primitives";
import type { Upstream } from "@nodewright/upstream";
import { getTip } from "../best-block.ts";
import { countConnections } from "../connections.ts";
import type { BitcoinNodeContext } from "../context.ts";
import { roundDouble } from "../render/double.ts";

/** Satoshi for each 1000 bytes. */
const minimumRelayFee = 1_000n;

/** The state of the node in short. */
export const getinfo: BitcoinHandler<"getinfo", BitcoinNodeContext> = async (_input, { index, upstream, identity }) => {
  const { height, header } = await getTip(index);
  return {
    version: identity.version,
    protocolversion: identity.protocolVersion,
    blocks: height,
    timeoffset: 0,
    connections: await connectionsOf(upstream),
    proxy: "",
    difficulty: roundDouble(difficultyOfBits(header.bits)),
    testnet: index.network.chain !== "main",
    relayfee: minimumRelayFee,
    errors: "",
  };
};

/** 0 when the node can't be asked: the rest is known without it. */
async function connectionsOf(upstream: Upstream | undefined): Promise<number> {
  try {
    return await countConnections(upstream);
  } catch {
    return 0;
  }
}
