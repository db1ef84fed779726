import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { publicNodeText } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { callNode } from "../forward/call-node.ts";
import { getText } from "../forward/node-response.ts";
import { assertMayControl } from "../forward/node-control.ts";

const method = "stop";

/** Stops the node. */
export const stop: BitcoinHandler<"stop", BitcoinNodeContext> = async (_input, context) => {
  assertMayControl(context, method);
  return publicNodeText(getText(await callNode(context, { method }), method));
};
