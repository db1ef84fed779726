import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { EthereumContext } from "../context.ts";
import type { EthereumParents } from "./parents.ts";

/** `Query.gasPrice`. */
export const gasPrice: EthereumHandler<"gasPrice", EthereumContext, EthereumParents> = async (_input, context) =>
  (await context.read("eth_gasPrice")) as string;
