import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { PreparedJson } from "@nodewright/runtime";
import { perAccess } from "../command/per-access.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

const descriptionText = perAccess(({ document }, { isEnabled }) => {
  const methods = document.methods.filter(({ name }) => isEnabled(name));
  return Buffer.from(JSON.stringify({ ...document, methods }));
});

/** Returns this interface's description, with the methods that the client may call. */
export const rpcDiscover: BitcoinHandler<"rpcDiscover", BitcoinNodeContext> = (_input, { commands, methodAccess }) =>
  new PreparedJson(descriptionText(commands, methodAccess));
