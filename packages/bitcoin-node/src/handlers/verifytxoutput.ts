import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { proveTransactions } from "../chain/prove-transactions.ts";

/** Checks a proof that transactions are in a block; another name of verifytxoutproof. */
export const verifytxoutput: BitcoinHandler<"verifytxoutput", BitcoinNodeContext> = ({ proof }, { index }) =>
  proveTransactions(index, proof);
