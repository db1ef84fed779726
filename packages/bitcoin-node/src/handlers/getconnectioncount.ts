import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { callNode } from "../forward/call-node.ts";
import { findInteger, unreadableResult } from "../forward/node-response.ts";

const method = "getconnectioncount";
const greatestCount = 2_147_483_647;

/** Returns how many peers are connected. */
export const getconnectioncount: BitcoinHandler<"getconnectioncount", BitcoinNodeContext> = async (_input, context) => {
  const count = findInteger(await callNode(context, { method }), 0, greatestCount);
  if (count === undefined) throw unreadableResult(method);
  return count;
};
