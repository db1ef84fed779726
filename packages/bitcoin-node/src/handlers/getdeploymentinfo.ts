import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { getBlockRecord, getTip } from "../chain/best-block.ts";
import { branchOf } from "../chain/branch.ts";
import { describeDeployments, scriptFlagsOf } from "../chain/deployments.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns the states of the changes of the rules at a block. */
export const getdeploymentinfo: BitcoinHandler<"getdeploymentinfo", BitcoinNodeContext> = async (
  { blockhash },
  { index },
) => {
  const record = await (blockhash === undefined ? getTip(index) : getBlockRecord(index, blockhash));
  return {
    hash: record.hash,
    height: record.height,
    script_flags: scriptFlagsOf(record, index.network),
    deployments: await describeDeployments(await branchOf(index, record), index.network),
  };
};
