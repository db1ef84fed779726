import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { addressOfScript, type Network } from "@nodewright/bitcoin-primitives";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { assertClientConnected } from "../context/assert-client-connected.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { branchCount, type Descriptor, isRanged, keysOf } from "../descriptor/descriptor.ts";
import { expandDescriptor } from "../descriptor/expand-descriptor.ts";
import { readDescriptor } from "../descriptor/read-descriptor.ts";
import { ScriptKnowledge } from "../descriptor/script-knowledge.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { positionRange } from "../scan/derive-scripts.ts";
import { findRangeProblem } from "../scan/find-scan-problem.ts";
import { type PositionRange, ScanCost } from "../scan/scan-bounds.ts";

/** Returns the addresses of a descriptor's scripts. */
export const deriveaddresses: BitcoinHandler<"deriveaddresses", BitcoinNodeContext> = async (
  { descriptor: text, range },
  { index, isClientDisconnected },
) => {
  const problem = range === undefined ? undefined : findRangeProblem(range);
  if (problem !== undefined) throw problem;
  const descriptor = readDescriptor(text, { network: index.network, requireChecksum: true });
  if (!isRanged(descriptor) && range !== undefined) {
    throw rpcError("invalidParameter", "Range should not be specified for an un-ranged descriptor");
  }
  if (isRanged(descriptor) && range === undefined) {
    throw rpcError("invalidParameter", "Range must be specified for a ranged descriptor");
  }
  const positions = range === undefined ? { first: 0, last: 0 } : positionRange(range);
  new ScanCost().add(descriptor, positions);
  const branches: string[][] = [];
  for (let branch = 0; branch < branchCount(descriptor); branch += 1) {
    branches.push(await addressesOf(descriptor, { branch, positions, network: index.network, isClientDisconnected }));
  }
  const [only = []] = branches;
  return branches.length === 1 ? only : branches;
};

async function addressesOf(
  descriptor: Descriptor,
  {
    branch,
    positions,
    network,
    isClientDisconnected,
  }: { readonly branch: number; readonly positions: PositionRange; readonly network: Network } & Pick<
    BitcoinNodeContext,
    "isClientDisconnected"
  >,
): Promise<string[]> {
  const addresses: string[] = [];
  for (let position = positions.first; position <= positions.last; position += 1) {
    for (const key of keysOf(descriptor)) {
      for (const _step of key.prepare(position, branch)) if (isTimeSliceUsedUp()) await nextTimeSlice();
    }
    const scripts = expandDescriptor(descriptor, { position, branch }, new ScriptKnowledge());
    if (scripts === undefined) throw rpcError("invalidDescriptor", "Cannot derive script without private keys");
    for (const script of scripts) {
      const address = addressOfScript(script, network);
      if (address !== undefined) addresses.push(address);
      // The script that contains the key itself has no address.
      else if (scripts.length === 1) {
        throw rpcError("invalidDescriptor", "Descriptor does not have a corresponding address");
      }
    }
    if (!isTimeSliceUsedUp()) continue;
    await nextTimeSlice();
    assertClientConnected({ isClientDisconnected });
  }
  return addresses;
}
