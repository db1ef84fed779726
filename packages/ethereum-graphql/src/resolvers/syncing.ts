import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { SyncStatus } from "@nodewright/ethereum-node-api/types";
import type { EthereumContext } from "../request/context.ts";
import { hasForms, isQuantity, type MemberForms, members } from "../results/response-forms.ts";
import type { EthereumParents } from "./parents.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/** Resolver of `Query.syncing`. Clients omit where they began or how far there is to go, and add what they do meanwhile. */
export const syncing: EthereumHandler<"syncing", EthereumContext, EthereumParents> = async (_input, context) => {
  const status = await context.read("eth_syncing");
  if (status === false || status === null) return null;
  if (!isStatus(status)) {
    throw unexpectedResult("a value that is not a synchronization status");
  }
  const { currentBlock, startingBlock = "0x0", highestBlock = currentBlock } = status;
  return { startingBlock, currentBlock, highestBlock };
};

const statusForms: MemberForms = [
  ...members("required", isHeight, "currentBlock"),
  ...members("optional", isHeight, "startingBlock", "highestBlock"),
];

/** Returns whether a value is a height. Some clients write numbers. */
function isHeight(value: unknown): boolean {
  return isQuantity(value) || (Number.isSafeInteger(value) && Number(value) >= 0);
}

function isStatus(status: unknown): status is Partial<SyncStatus> & Pick<SyncStatus, "currentBlock"> {
  return hasForms(status, statusForms);
}
