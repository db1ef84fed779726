import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { callNode } from "../forward/call-node.ts";
import { findInteger, unreadableResult } from "../forward/node-response.ts";
import { assertMayControl } from "../forward/node-control.ts";

const method = "pruneblockchain";
const greatestHeight = 2_147_483_647;

/** Deletes old blocks from the node's disk. */
export const pruneblockchain: BitcoinHandler<"pruneblockchain", BitcoinNodeContext> = async ({ height }, context) => {
  assertMayControl(context, method);
  const last = findInteger(await callNode(context, { method, params: [height] }), -1, greatestHeight);
  if (last === undefined) throw unreadableResult(method);
  return last;
};
