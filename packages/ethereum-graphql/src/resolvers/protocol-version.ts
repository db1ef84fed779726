import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { EthereumContext } from "../context.ts";
import type { EthereumParents } from "./parents.ts";
import { failureOfNode, isMethodMissing } from "../upstream-calls.ts";

/** `Query.protocolVersion`. Most clients have dropped the method; those that have it answer a number or text of one. */
export const protocolVersion: EthereumHandler<"protocolVersion", EthereumContext, EthereumParents> = async (
  _input,
  context,
) => {
  try {
    const version = Number(await context.calls.read("eth_protocolVersion"));
    return Number.isSafeInteger(version) ? version : context.node.protocolVersion;
  } catch (reason) {
    if (isMethodMissing(reason)) return context.node.protocolVersion;
    throw failureOfNode(reason);
  }
};
