import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { publicNodeText } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { callNode } from "../forward/call-node.ts";
import { getText } from "../forward/node-response.ts";
import { assertMayControl } from "../forward/node-control.ts";
import { nodeError } from "../forward/refusal.ts";

const method = "debuglevel";
const invalidParams = -32602;
const invalidParameter = -8;

/** Changes what the node logs. */
export const debuglevel: BitcoinHandler<"debuglevel", BitcoinNodeContext> = async ({ levelspec }, context) => {
  assertMayControl(context, method);
  const result = await callNode(context, {
    method,
    params: [levelspec],
    refuse: ({ code, message }) =>
      code === invalidParams ? nodeError(invalidParameter, publicNodeText(message)) : undefined,
  });
  return publicNodeText(getText(result, method));
};
