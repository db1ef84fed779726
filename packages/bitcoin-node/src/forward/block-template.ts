import { setTimeout as sleep } from "node:timers/promises";
import type { BlockTemplate, BlockTemplateRequest, TemplateTransaction } from "@nodewright/bitcoin-api/types";
import { concatBytes, doubleSha256, hashLength, merkleRoot, toHex, wireHash } from "@nodewright/bitcoin-primitives";
import type { ServiceError } from "@nodewright/runtime";
import { publicNodeText, type UpstreamRpcError } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { readBlockText } from "./block-text.ts";
import { rejectionOfProposal } from "./btcd-rejection.ts";
import { callNode, getSoftware } from "./call-node.ts";
import {
  findInteger,
  findText,
  getList,
  getRecord,
  isRecord,
  listTexts,
  type NodeRecord,
  present,
  unreadableResult,
} from "./node-response.ts";
import { nodeError } from "./refusal.ts";

const method = "getblocktemplate";

const notConnected = -9;
const downloading = -10;
const hashDigits = 64;
/** Maximum milliseconds that a request for a template may wait until its current one is out of date. */
const maximumWaitMilliseconds = 30_000;
const pollMilliseconds = 500;
const greatestInt32 = 2_147_483_647;
const greatestUint32 = 4_294_967_295;

/** Returns a template, or the node's verdict on a proposed block: `null` when it would be accepted. */
export async function getTemplate(
  request: BlockTemplateRequest,
  context: BitcoinNodeContext,
): Promise<BlockTemplate | string | null> {
  const { mode = "template" } = request;
  if (mode === "proposal") return await propose(request, context);
  if (mode !== "template") throw rpcError("invalidParameter", "Invalid mode");
  const { longpollid } = request;
  if (longpollid !== undefined) assertTemplateId(longpollid);
  if (request.rules?.includes("segwit") !== true) {
    const call = 'call with {"rules": ["segwit"]}';
    throw rpcError("invalidParameter", `getblocktemplate must be called with the segwit rule set (${call})`);
  }
  return longpollid === undefined
    ? await fetchTemplate(request, context)
    : await awaitTemplate(request, longpollid, context);
}

/** Checks the id of a template. Bitcoin Core and btcd both begin it with the hash of the block below. */
function assertTemplateId(id: string): void {
  const hash = id.slice(0, hashDigits);
  if (hash.length !== hashDigits) {
    throw rpcError(
      "invalidParameter",
      `longpollid must be of length ${hashDigits} (not ${hash.length}, for '${hash}')`,
    );
  }
  if (!/^[0-9a-f]+$/i.test(hash)) {
    throw rpcError("invalidParameter", `longpollid must be hexadecimal string (not '${hash}')`);
  }
}

/** Waits here, so that no connection to the node is held. A template is out of date when the best block has changed. */
async function awaitTemplate(
  request: BlockTemplateRequest,
  id: string,
  context: BitcoinNodeContext,
): Promise<BlockTemplate> {
  const deadline = performance.now() + maximumWaitMilliseconds;
  for (;;) {
    while ((await isTip(id.slice(0, hashDigits), context)) && performance.now() < deadline)
      await sleep(pollMilliseconds);
    const template = await fetchTemplate(request, context);
    if (template.longpollid !== id || performance.now() >= deadline) return template;
    // The index lags the node.
    await sleep(pollMilliseconds);
  }
}

async function isTip(hash: string, { index }: BitcoinNodeContext): Promise<boolean> {
  return (await index.tip())?.hash === hash.toLowerCase();
}

/** Requests a template. Other members of a request are for other kinds of results, which are not supported here. */
async function fetchTemplate({ rules = [], capabilities }: BlockTemplateRequest, context: BitcoinNodeContext) {
  const { kind } = await getSoftware(context, method);
  const wish = {
    mode: "template",
    rules,
    capabilities: [
      ...(capabilities ?? []).filter((name) => name !== "coinbasetxn" && name !== "coinbasevalue"),
      "coinbasevalue",
    ],
  };
  const result = getRecord(await callNode(context, { method, params: [wish], refuse: refuseTemplate }), method);
  return renderTemplate(result, kind === "btcd" ? await fetchDeployments(context) : readDeployments(result));
}

function refuseTemplate({ code }: UpstreamRpcError): ServiceError | undefined {
  if (code === notConnected) return nodeError(code, "Bitcoin Core is not connected!");
  if (code === downloading) return nodeError(code, "Bitcoin Core is in initial sync and waiting for blocks...");
  return undefined;
}

async function propose({ data, workid }: BlockTemplateRequest, context: BitcoinNodeContext): Promise<string | null> {
  if (data === undefined) throw rpcError("wrongType", "Missing data String key for proposal");
  readBlockText(data);
  const { kind } = await getSoftware(context, method);
  const wish = { mode: "proposal", data, ...present({ workid }) };
  const result = await callNode(context, { method, params: [wish] });
  if (result === null) return null;
  if (typeof result !== "string") throw unreadableResult(method);
  return kind === "btcd" ? rejectionOfProposal(result) : publicNodeText(result);
}

type Deployments = Pick<BlockTemplate, "rules" | "vbavailable" | "vbrequired">;

function readDeployments(result: NodeRecord): Deployments {
  return {
    rules: listTexts(result["rules"]),
    vbavailable: isRecord(result["vbavailable"]) ? readBits(result["vbavailable"]) : {},
    vbrequired: findInteger(result["vbrequired"], 0, greatestUint32) ?? 0,
  };
}

function readBits(bits: NodeRecord): Readonly<Record<string, number>> {
  const entries = Object.entries(bits).map(([name, bit]) => [name, findInteger(bit, 0, 28)] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, number] => entry[1] !== undefined));
}

/** Rule name with which miners declare support. BIP 9: a name that begins with ! is of a change that miners must support. */
const segwitRule = "!segwit";
const ruleNames: readonly (readonly [deployment: string, rule: string])[] = [
  ["csv", "csv"],
  ["segwit", segwitRule],
  ["taproot", "taproot"],
];

/** Fetches the deployments. btcd's template lacks the changes of the rules that are active or signalled; it reports them elsewhere. */
async function fetchDeployments(context: BitcoinNodeContext): Promise<Deployments> {
  const result = getRecord(await callNode(context, { method, nodeMethod: "getblockchaininfo" }), method);
  const forks = isRecord(result["bip9_softforks"]) ? result["bip9_softforks"] : {};
  const known = ruleNames.flatMap(([deployment, rule]) => {
    const fork = forks[deployment];
    return isRecord(fork) ? [{ rule, status: fork["status"], bit: findInteger(fork["bit"], 0, 28) }] : [];
  });
  const signalled = known.flatMap(({ rule, status, bit }) =>
    bit !== undefined && (status === "started" || status === "lockedin") ? [[rule, bit] as const] : [],
  );
  return {
    rules: known.filter(({ status }) => status === "active").map(({ rule }) => rule),
    vbavailable: Object.fromEntries(signalled),
    vbrequired: 0,
  };
}

function renderTemplate(result: NodeRecord, deployments: Deployments): BlockTemplate {
  const transactions = getList(result["transactions"], method).map(renderTemplateTransaction);
  const text = (name: string): string => findText(result[name]) ?? missing();
  const integer = (name: string, maximum?: number): number => findInteger(result[name], 0, maximum) ?? missing();
  return {
    capabilities: ["proposal"],
    version: findInteger(result["version"], -greatestInt32 - 1, greatestInt32) ?? missing(),
    ...deployments,
    previousblockhash: text("previousblockhash"),
    transactions,
    coinbaseaux: readTexts(result["coinbaseaux"]),
    coinbasevalue: integer("coinbasevalue"),
    longpollid: text("longpollid"),
    target: text("target"),
    mintime: integer("mintime", greatestUint32),
    mutable: listTexts(result["mutable"]),
    noncerange: text("noncerange"),
    sigoplimit: integer("sigoplimit", greatestUint32),
    sizelimit: integer("sizelimit", greatestUint32),
    ...present({ weightlimit: findInteger(result["weightlimit"], 0, greatestUint32) }),
    curtime: integer("curtime", greatestUint32),
    bits: text("bits").padStart(8, "0"),
    height: integer("height", greatestInt32),
    ...present({
      signet_challenge: findText(result["signet_challenge"]),
      default_witness_commitment:
        findText(result["default_witness_commitment"]) ??
        (deployments.rules.includes(segwitRule) ? renderWitnessCommitment(transactions) : undefined),
    }),
  };
}

/** Renders the script of the witness commitment (BIP 141) for the transactions after a coinbase whose reserved value is zero. */
function renderWitnessCommitment(transactions: readonly TemplateTransaction[]): string {
  const root = merkleRoot([new Uint8Array(hashLength), ...transactions.map(({ hash }) => wireHash(hash) ?? missing())]);
  return `6a24aa21a9ed${toHex(doubleSha256(concatBytes(root, new Uint8Array(hashLength))))}`;
}

function renderTemplateTransaction(value: unknown): TemplateTransaction {
  const transaction = getRecord(value, method);
  const text = (name: string): string => findText(transaction[name]) ?? missing();
  const depends = getList(transaction["depends"] ?? null, method);
  return {
    data: text("data"),
    txid: text("txid"),
    hash: text("hash"),
    depends: depends.filter((position): position is number => findInteger(position, 1, greatestUint32) !== undefined),
    fee: findInteger(transaction["fee"]) ?? missing(),
    sigops: findInteger(transaction["sigops"], 0, greatestUint32) ?? missing(),
    weight: findInteger(transaction["weight"], 0, greatestUint32) ?? missing(),
  };
}

function readTexts(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function missing(): never {
  throw unreadableResult(method);
}
