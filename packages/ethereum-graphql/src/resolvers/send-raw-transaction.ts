import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { EthereumContext } from "../context.ts";
import type { EthereumParents } from "./parents.ts";
import { failureOfNode } from "../upstream-calls.ts";

/** `Mutation.sendRawTransaction`. What the node says against the transaction is answered as it stands. */
export const sendRawTransaction: EthereumHandler<"sendRawTransaction", EthereumContext, EthereumParents> = async (
  { data },
  context,
) => {
  try {
    return (await context.calls.write("eth_sendRawTransaction", [data])) as string;
  } catch (reason) {
    throw failureOfNode(reason);
  }
};
