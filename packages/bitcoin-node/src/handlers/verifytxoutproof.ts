import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { proveTransactions } from "../chain/prove-transactions.ts";

/** Checks a proof that transactions are in a block. */
export const verifytxoutproof: BitcoinHandler<"verifytxoutproof", BitcoinNodeContext> = ({ proof }, { index }) =>
  proveTransactions(index, proof);
