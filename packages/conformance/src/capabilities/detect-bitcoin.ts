import { ownMember } from "../basics/own-member.ts";
import type { HttpSuite } from "../suite/suite.ts";
import { type TargetQueries, numberOf, secondsSince, textOf } from "./target-queries.ts";
import type { Detected } from "./detect.ts";

/** Share of verified blocks from which on a node that does not report its state counts as synchronised. */
const nearlyAll = 0.999;

/**
 * Queries a Bitcoin node for its version (`getnetworkinfo`, or `version` and `getinfo` of btcd) and for its chain (`getblockchaininfo`).
 */
export async function detectBitcoin(queries: TargetQueries): Promise<Detected> {
  const chain = await queries.callMethod("getblockchaininfo");
  const readHeight = async (): Promise<number | undefined> => numberOf(await queries.callMethod("getblockcount"));
  const height = numberOf(ownMember(chain, "blocks")) ?? (await readHeight());
  return {
    facts: {
      client: await readClient(queries),
      chain: textOf(ownMember(chain, "chain")),
      height,
      isSynchronised: isSynchronised(chain),
      headLagSeconds: secondsSince(numberOf(ownMember(chain, "time")) ?? numberOf(ownMember(chain, "mediantime"))),
      prunedBelow: ownMember(chain, "pruned") === true ? numberOf(ownMember(chain, "pruneheight")) : undefined,
    },
    readHeight,
  };
}

async function readClient(queries: TargetQueries): Promise<string | undefined> {
  const subversion = textOf(ownMember(await queries.callMethod("getnetworkinfo"), "subversion"));
  // `/Satoshi:29.0.0/`, `/btcwire:0.5.0/btcd:0.24.2/`: the last part is the program.
  if (subversion !== undefined)
    return subversion
      .split("/")
      .findLast((part) => part !== "")
      ?.replace(":", " ");
  const version = numberOf(ownMember(await queries.callMethod("getinfo"), "version"));
  const isBtcd = ownMember(await queries.callMethod("version"), "btcdjsonrpcapi") !== undefined;
  if (version === undefined) return isBtcd ? "btcd" : undefined;
  return isBtcd ? `btcd ${spellVersion(version)}` : spellVersion(version);
}

/** Formats a numeric version: 260200 is 0.26.2, with two digits each for major, minor and patch, and two for builds. */
function spellVersion(version: number): string {
  return [1_000_000, 10_000, 100].map((place) => Math.floor(version / place) % 100).join(".");
}

function isSynchronised(chain: unknown): boolean | undefined {
  const isLoading = ownMember(chain, "initialblockdownload");
  if (typeof isLoading === "boolean") return !isLoading;
  const progress = numberOf(ownMember(chain, "verificationprogress"));
  const headers = numberOf(ownMember(chain, "headers"));
  const blocks = numberOf(ownMember(chain, "blocks"));
  if (headers !== undefined && blocks !== undefined && headers > 0) return blocks >= headers - 1;
  return progress === undefined ? undefined : progress >= nearlyAll;
}

const heightPath = "/blocks/tip/height";

/** Queries a Bitcoin index with Esplora's API for its height; does nothing for other APIs. */
export async function detectIndex({ operations }: HttpSuite, queries: TargetQueries): Promise<Detected> {
  const path = operations.find(
    (operation) => operation.path.endsWith(heightPath) && operation.parameters.length === 0,
  )?.path;
  if (path === undefined) return { facts: {} };
  const readHeight = async (): Promise<number | undefined> => numberOf(await queries.getPath(path));
  return { facts: { height: await readHeight() }, readHeight };
}
