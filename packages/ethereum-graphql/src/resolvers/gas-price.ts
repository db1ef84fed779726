import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { EthereumContext } from "../context.ts";
import { isQuantity } from "../store/answer-forms.ts";
import type { EthereumParents } from "./parents.ts";
import { unusableAnswer } from "../node-calls/unusable-answer.ts";

/** Resolver of `Query.gasPrice`. */
export const gasPrice: EthereumHandler<"gasPrice", EthereumContext, EthereumParents> = async (_input, context) => {
  const price = await context.read("eth_gasPrice");
  if (isQuantity(price)) return price as string;
  throw unusableAnswer("something that is no price");
};
