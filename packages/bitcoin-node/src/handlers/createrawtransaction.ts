import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { serializeTransaction, toHex } from "@nodewright/bitcoin-primitives";
import type { BitcoinNodeContext } from "../context/context.ts";
import { createTransaction } from "../raw-transaction/create-transaction.ts";

/** Builds a transaction without signatures. */
export const createrawtransaction: BitcoinHandler<"createrawtransaction", BitcoinNodeContext> = (
  parameters,
  { index },
) => toHex(serializeTransaction(createTransaction(parameters, index.network)));
