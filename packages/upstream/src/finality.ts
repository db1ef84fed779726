import { createHash } from "node:crypto";
import type { UpstreamCall } from "./upstream.ts";

/**
 * Duration for which the result of a call stays true.
 *
 * - `hash`: forever; its parameters name by their hash all that the result holds.
 * - `buried`: until blocks below the head are replaced.
 * - `head`: as long as the head is the same, as far as that is known.
 * - `never`: it may change the next moment.
 */
export type Finality = "hash" | "buried" | "head" | "never";

/** Number of blocks on top of a block after which it is buried. */
const buriedDepth = 6;

const hashPattern = /^[0-9a-f]{64}$/;

/** Methods whose result depends on the complete chain, or on the depth of something in it. */
const headMethods: ReadonlySet<string> = new Set([
  "getbestblock",
  "getbestblockhash",
  "getblockchaininfo",
  "getblockcount",
  "getchaintips",
  "getchaintxstats",
  "getdeploymentinfo",
  "getdifficulty",
  "getmininginfo",
  "getnetworkhashps",
]);

/** Methods whose result is determined by the hash of its block, confirmed or not. */
const blockHashMethods: ReadonlySet<string> = new Set([
  "getblockfilter",
  "getblockstats",
  "getcfilter",
  "getcfilterheader",
]);

/** Returns how long the result of a call stays true when the best block is at `height`. Parameters by name are not examined. */
export function finalityOf(method: string, params: UpstreamCall["params"], height: number): Finality {
  if (!Array.isArray(params)) return "never";
  const [first, second, third] = params as readonly unknown[];
  switch (method) {
    case "getblock":
      if (!isHash(first)) return "never";
      return second === 0 || second === false ? "hash" : "head";
    case "getblockheader":
      if (!isHash(first)) return "never";
      return second === false ? "hash" : "head";
    case "getblockhash":
      return typeof first === "number" && first <= height - buriedDepth ? "buried" : "head";
    case "getrawtransaction":
      // Without its block, a transaction may be unconfirmed and disappear the next moment.
      if (!isHash(first) || !isHash(third)) return "never";
      return second === undefined || second === 0 || second === false ? "hash" : "head";
    case "gettxoutproof":
      return isHash(second) ? "hash" : "never";
    case "eth_chainId":
      // The result may change when the chain is started anew.
      return "buried";
    case "gettxout":
      return third === false ? "head" : "never";
    default:
      if (headMethods.has(method)) return "head";
      return blockHashMethods.has(method) && isHash(first) ? "hash" : "never";
  }
}

/** Returns false for a result that does not match the hash in its call: it would be wrong forever. Checks blocks and headers in hex. */
export function isNamedByCall(method: string, params: UpstreamCall["params"], response: unknown): boolean {
  if (method !== "getblock" && method !== "getblockheader") return true;
  if (!Array.isArray(params) || typeof response !== "string") return false;
  const header = Buffer.from(response.slice(0, 160), "hex");
  return header.length === 80 && sha256(sha256(header)).reverse().toString("hex") === params[0];
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && hashPattern.test(value);
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
