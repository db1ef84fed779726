import { type Network, networks } from "@nodewright/bitcoin-primitives";
import type { Upstream } from "@nodewright/upstream";
import { StartProblem } from "../configuration/start-problem.ts";

/** Queries a Bitcoin node for its genesis block, and so for its network. Throws `StartProblem`. */
export async function detectNetwork(upstream: Upstream): Promise<Network> {
  const genesisHash = await upstream.call("getblockhash", [0]).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "no response";
    throw new StartProblem(
      `The Bitcoin node of --bitcoin-rpc did not report its network (${reason}): start it, check its URL and credentials, or name the network with --bitcoin-network.`,
    );
  });
  const network = Object.values(networks).find((candidate) => candidate.genesisHash === genesisHash);
  if (network !== undefined) return network;
  throw new StartProblem(
    `The Bitcoin node of --bitcoin-rpc has a chain that is not known here: use one of ${Object.keys(networks).join(", ")}.`,
  );
}
