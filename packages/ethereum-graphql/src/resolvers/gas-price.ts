import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { EthereumContext } from "../request/context.ts";
import { isQuantity } from "../results/response-forms.ts";
import type { EthereumParents } from "./parents.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/** Resolver of `Query.gasPrice`. */
export const gasPrice: EthereumHandler<"gasPrice", EthereumContext, EthereumParents> = async (_input, context) => {
  const price = await context.read("eth_gasPrice");
  if (isQuantity(price)) return price as string;
  throw unexpectedResult("a value that is not a price");
};
