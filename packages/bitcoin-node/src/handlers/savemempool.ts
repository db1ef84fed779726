import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { callNode } from "../forward/call-node.ts";
import { getRecord, getText } from "../forward/node-response.ts";
import { assertMayControl } from "../forward/node-control.ts";

const method = "savemempool";

/** Makes the node write its mempool to its disk. The path is not revealed. */
export const savemempool: BitcoinHandler<"savemempool", BitcoinNodeContext> = async (_input, context) => {
  assertMayControl(context, method);
  const { filename } = getRecord(await callNode(context, { method }), method);
  return { filename: getText(filename, method).split(/[/\\]/).at(-1) ?? "" };
};
