import type { StripeHandler } from "stripe-api/server";
import type { Context } from "../context.ts";

/** What is available, in every currency; nothing is ever pending here. */
export const getBalance: StripeHandler<"getBalance", Context> = (_input, { available }) => ({
  object: "balance",
  livemode: false,
  available: [...available].map(([currency, amount]) => ({ currency, amount })),
  pending: [],
});
