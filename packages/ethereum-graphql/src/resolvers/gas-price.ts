import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import { ServiceError } from "@nodewright/runtime";
import type { EthereumContext } from "../context.ts";
import { isQuantity } from "../store/answer-forms.ts";
import type { EthereumParents } from "./parents.ts";

/** `Query.gasPrice`. */
export const gasPrice: EthereumHandler<"gasPrice", EthereumContext, EthereumParents> = async (_input, context) => {
  const price = await context.read("eth_gasPrice");
  if (isQuantity(price)) return price as string;
  throw new ServiceError("upstream_unavailable", "The node answered something that is no price");
};
