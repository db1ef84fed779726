import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";

/** This interface's description, with the methods that the caller may call. */
export const rpcDiscover: BitcoinHandler<"rpcDiscover", BitcoinNodeContext> = (_input, { commands, methodAccess }) => {
  const { document } = commands;
  const methods = document.methods.filter(({ name }) => methodAccess.isEnabled(name));
  return { ...document, methods: methods.map((method) => ({ ...method })) };
};
