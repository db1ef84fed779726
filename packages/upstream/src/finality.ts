import { createHash } from "node:crypto";
import type { UpstreamCall } from "./upstream.ts";

/**
 * How long the answer to a call stays true.
 *
 * - `hash`: for ever; its parameters name by their hash all that it says.
 * - `buried`: until blocks below the head are replaced.
 * - `head`: as long as the head is the same, as far as that is known.
 * - `never`: it may be another one the next moment.
 */
export type Finality = "hash" | "buried" | "head" | "never";

/** Blocks on top of a block after which it is buried. */
const buriedDepth = 6;

const hashPattern = /^[0-9a-f]{64}$/;

/** Answers that say something of the whole chain, or of how deep something stands in it. */
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

/** Answers that are what they are by the hash of their block, confirmed or not. */
const blockHashMethods: ReadonlySet<string> = new Set([
  "getblockfilter",
  "getblockstats",
  "getcfilter",
  "getcfilterheader",
]);

/** Says how long the answer to a call stays true where the best block is at `height`. Parameters by name are not looked at. */
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
      // Without its block, a transaction may be unconfirmed, and be gone the next moment.
      if (!isHash(first) || !isHash(third)) return "never";
      return second === undefined || second === 0 || second === false ? "hash" : "head";
    case "gettxoutproof":
      return isHash(second) ? "hash" : "never";
    case "eth_chainId":
      // Of a chain that is begun anew it may be another one.
      return "buried";
    case "gettxout":
      return third === false ? "head" : "never";
    default:
      if (headMethods.has(method)) return "head";
      return blockHashMethods.has(method) && isHash(first) ? "hash" : "never";
  }
}

/** False for an answer that is not what its call names: it would be wrong for ever. Looks at blocks and headers in hex. */
export function isNamedByCall(method: string, params: UpstreamCall["params"], answer: unknown): boolean {
  if (method !== "getblock" && method !== "getblockheader") return true;
  if (!Array.isArray(params) || typeof answer !== "string") return false;
  const header = Buffer.from(answer.slice(0, 160), "hex");
  return header.length === 80 && sha256(sha256(header)).reverse().toString("hex") === params[0];
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && hashPattern.test(value);
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
