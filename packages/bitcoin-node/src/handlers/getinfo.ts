import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { difficultyOfBits } from "@nodewright/bitcoin-primitives";
import { getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { findNodeFacts } from "../forward/node-information.ts";
import { roundDouble } from "../render/double.ts";

/** Public test networks. As in btcd, and in Bitcoin Core when it had getinfo, regtest and signet are not among them. */
const testNetworks: ReadonlySet<string> = new Set(["test", "testnet4"]);

/** Returns a short state of the node. */
export const getinfo: BitcoinHandler<"getinfo", BitcoinNodeContext> = async (_input, context) => {
  const { height, header } = await getTip(context.index);
  const facts = await findNodeFacts(context);
  return {
    version: facts.version,
    protocolversion: facts.protocolversion,
    blocks: height,
    timeoffset: facts.timeoffset,
    connections: facts.connections,
    proxy: facts.proxy,
    difficulty: roundDouble(difficultyOfBits(header.bits)),
    testnet: testNetworks.has(context.index.network.chain),
    relayfee: facts.relayfee,
    errors: facts.errors,
  };
};
