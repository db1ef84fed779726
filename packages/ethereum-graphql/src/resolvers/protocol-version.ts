import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import { callIfSupported } from "../node/call-if-supported.ts";
import type { EthereumContext } from "../request/context.ts";
import type { EthereumParents } from "./parents.ts";

/** The largest `Int` of GraphQL. */
const maximumInt = 2 ** 31 - 1;

/** Resolver of `Query.protocolVersion`. Most clients have dropped the method; the others return a number or a string of one. */
export const protocolVersion: EthereumHandler<"protocolVersion", EthereumContext, EthereumParents> = async (
  _input,
  context,
) => {
  const result = await callIfSupported("eth_protocolVersion", () => context.read("eth_protocolVersion"), context);
  return readVersion(result) ?? context.node.protocolVersion;
};

/** Reads a number, or a string of one in decimal or hexadecimal; undefined for anything else. */
function readVersion(result: unknown): number | undefined {
  const isText = typeof result === "string" && /^(?:0x[0-9a-f]+|[0-9]+)$/i.test(result);
  const version = isText || typeof result === "number" ? Number(result) : undefined;
  return version !== undefined && Number.isInteger(version) && version >= 0 && version <= maximumInt
    ? version
    : undefined;
}
