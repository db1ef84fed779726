/**
 * Asks electrs and this service for everything there is of one chain and holds the answers against each other: status, content type,
 * caching and body, byte for byte. Prints for each route how many are equal, how many differ as specs/index/openapi.yaml says
 * that they do, and how many differ without an explanation; those make it fail.
 *
 *     npm run build && node --conditions=source test/foreign-clients/compare-with-electrs.ts --electrs PROGRAM
 *       [--transactions 3000] [--mempool 600] [--seed 1]
 *
 * `--electrs`: Blockstream's, or mempool.space's fork, whose own differences are known too.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request as sendRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { displayHash, toHex } from "@nodewright/bitcoin-primitives";
import { buildChain, type MempoolStep, writeBlockFiles } from "@nodewright/bitcoin-test-chain";
import { startElectrs } from "../benchmarks/electrs.ts";
import { waitUntil } from "../support/calls.ts";
import { nodeOf, startService } from "../support/service.ts";
import { type ComparedAnswer, type Comparison, elementsOf, explainDifference } from "./electrs-differences.ts";
import { type ComparedRequest, listRequests, readChainContents } from "./electrs-requests.ts";

interface Server {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface RouteCount {
  equal: number;
  listed: number;
  unexplained: number;
  readonly reasons: Set<string>;
}

const { values } = parseArgs({
  options: {
    electrs: { type: "string" },
    transactions: { type: "string", default: "3000" },
    mempool: { type: "string", default: "600" },
    seed: { type: "string", default: "1" },
  },
});
if (values.electrs === undefined) {
  console.error("--electrs is missing: the path of an electrs program");
  process.exit(2);
}

/** Asked for at the same time. */
const lanes = 8;
/** Of each route. */
const shownDifferences = 5;
const shownCharacters = 300;
/** So that electrs refuses no list of unspent outputs. */
const mostOutputs = 10_000_000;
const agent = new Agent({ keepAlive: true });
const directory = mkdtempSync(join(tmpdir(), "nodewright-compare-"));
try {
  process.exitCode = await compare(values.electrs);
} finally {
  agent.destroy();
  rmSync(directory, { recursive: true, force: true });
}

async function compare(program: string): Promise<number> {
  const blocks = join(directory, "blocks");
  const chain = buildChain({
    seed: Number(values.seed),
    transactions: Number(values.transactions),
    mempool: { transactions: Number(values.mempool), blocks: 0 },
    signatures: "placeholder",
  });
  await writeBlockFiles(blocks, chain);
  const mempool = await readMempool(chain.mempool);
  const electrs = await startElectrs(program, blocks, { parameters: ["--utxos-limit", String(mostOutputs)], mempool });
  try {
    const service = await startService({
      parameters: ["--bitcoin-blocks", blocks, "--bitcoin-rpc", electrs.nodeUrl, "--address-search"],
      dataDirectory: join(directory, "data"),
      timeoutMilliseconds: 120_000,
    });
    try {
      const { interfaces, apikey } = nodeOf(service, "bitcoin");
      const ours = { url: interfaces.rest ?? "", headers: { "x-api-key": apikey } };
      const theirs = { url: electrs.url, headers: {} };
      for (const server of [theirs, ours]) await waitForMempool(server, mempool.size);
      return await compareServers(theirs, ours);
    } finally {
      await service.stop();
    }
  } finally {
    await electrs.stop();
  }
}

/** What is left in a mempool at its end: hex of transactions by id. */
async function readMempool(steps: AsyncIterable<MempoolStep>): Promise<ReadonlyMap<string, string>> {
  const mempool = new Map<string, string>();
  for await (const step of steps) {
    if (step.kind === "block") throw new Error("A block stands among the mempool's transactions");
    if (step.kind === "replacement") for (const txid of step.replaced) mempool.delete(displayHash(txid));
    mempool.set(displayHash(step.transaction.txid), toHex(step.transaction.bytes));
  }
  return mempool;
}

async function waitForMempool(server: Server, size: number): Promise<void> {
  // electrs looks at its node every five seconds, and counts what it holds every ten.
  await waitUntil(`${size} unconfirmed transactions are known`, async () => {
    const { status, body } = await ask(server, { route: "", path: "/mempool" });
    return status === 200 && (JSON.parse(body) as { readonly count: number }).count === size;
  });
}

async function compareServers(electrs: Server, service: Server): Promise<number> {
  const contents = await readChainContents(async (path) => {
    const { status, body } = await ask(electrs, { route: "", path });
    if (status !== 200) throw new Error(`electrs answers ${path} with ${status}`);
    return JSON.parse(body);
  });
  const { blocks, transactions, addresses, scriptHashes, unconfirmed } = contents;
  console.log(
    `${blocks.length} blocks, ${transactions.length} transactions, ${unconfirmed.length} of them unconfirmed, ${addresses.length} addresses, ${scriptHashes.length} scripts\n`,
  );
  const requests = listRequests(contents);
  const isFork = (await ask(electrs, { route: "", path: "/mempool/txids/page" })).status === 200;
  const counts = new Map<string, RouteCount>();
  const unexplained: string[] = [];
  const run = async (): Promise<void> => {
    for (const listed of requests) {
      const request = isFork ? listed : inPlainPages(listed);
      const [theirs, ours] = await Promise.all([
        request.whole === undefined ? askAllPages(electrs, request) : ask(electrs, { ...request, path: request.whole }),
        askAllPages(service, request),
      ]);
      const comparison = explainDifference(request, theirs, ours, contents);
      const counted = count(counts, request.route, comparison);
      if (counted.unexplained > 0 && counted.unexplained <= shownDifferences && !comparison.isExplained)
        unexplained.push(describe(request, comparison.expected, ours));
    }
  };
  await Promise.all(Array.from({ length: lanes }, run));
  report(counts, unexplained);
  return unexplained.length === 0 ? 0 : 1;
}

function count(counts: Map<string, RouteCount>, route: string, { reasons, isExplained }: Comparison): RouteCount {
  const counted = counts.get(route) ?? { equal: 0, listed: 0, unexplained: 0, reasons: new Set() };
  counts.set(route, counted);
  if (!isExplained) counted.unexplained += 1;
  else if (reasons.length === 0) counted.equal += 1;
  else counted.listed += 1;
  if (isExplained) for (const reason of reasons) counted.reasons.add(reason);
  return counted;
}

/** The request without what mempool.space's fork adds to pages. */
function inPlainPages({ next, whole: _, ...request }: ComparedRequest): ComparedRequest {
  if (next === undefined || request.body !== undefined) return request;
  const path = request.path.replace(/\?.*/, "");
  return { ...request, path, next: `${path.replace(/\/chain$/, "")}/chain/` };
}

/** The answer to a request, or to all pages of it. */
async function askAllPages(server: Server, request: ComparedRequest): Promise<ComparedAnswer> {
  const first = await ask(server, request);
  if (request.next === undefined || first.status !== 200) return first;
  const elements: string[] = [];
  for (let page = first; ; ) {
    const found = elementsOf(page.body) ?? [];
    elements.push(...found);
    const last = found.at(-1);
    if (last === undefined) return { ...first, body: `[${elements.join()}]` };
    const { txid } = JSON.parse(last) as { readonly txid: string };
    page = await ask(server, { ...request, path: request.next + txid });
    if (page.status !== 200) return page;
  }
}

function ask({ url, headers }: Server, { path, body }: ComparedRequest): Promise<ComparedAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(url);
    const sent = sendRequest(
      {
        agent,
        hostname,
        port,
        // As it stands: nothing may tidy up a path that is meant to be wrong.
        path: (pathname === "/" ? "" : pathname) + path,
        method: body === undefined ? "GET" : "POST",
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      },
      (response) => {
        let text = "";
        response.setEncoding("latin1");
        response.on("data", (piece: string) => (text += piece));
        response.on("error", reject);
        response.on("end", () => {
          const { "content-type": type, "cache-control": caching } = response.headers;
          resolve({ status: response.statusCode ?? 0, type, caching, body: text });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

function report(counts: ReadonlyMap<string, RouteCount>, unexplained: readonly string[]): void {
  console.log("| route | equal | listed difference | unexplained | which |");
  console.log("|---|---|---|---|---|");
  const all: RouteCount = { equal: 0, listed: 0, unexplained: 0, reasons: new Set() };
  for (const [route, counted] of counts) {
    console.log(rowOf(`\`${route}\``, counted));
    all.equal += counted.equal;
    all.listed += counted.listed;
    all.unexplained += counted.unexplained;
  }
  console.log(rowOf("all", all));
  for (const text of unexplained) console.log(`\n${text}`);
}

function rowOf(route: string, { equal, listed, unexplained, reasons }: RouteCount): string {
  return `| ${route} | ${equal} | ${listed} | ${unexplained} | ${[...reasons].join("; ")} |`;
}

function describe({ path, body }: ComparedRequest, expected: ComparedAnswer, ours: ComparedAnswer): string {
  const show = ({ status, type, caching, body: text }: ComparedAnswer): string => {
    let from = 0;
    while (from < text.length && expected.body[from] === ours.body[from]) from += 1;
    const start = Math.max(0, from - shownCharacters / 2);
    return `${status} ${type} [${caching}] …@${start}: ${JSON.stringify(text.slice(start, start + shownCharacters))}`;
  };
  const asked = body === undefined ? `GET ${path}` : `POST ${path} ${body.slice(0, shownCharacters)}`;
  return `${asked.slice(0, shownCharacters)}\n  wanted: ${show(expected)}\n  ours:   ${show(ours)}`;
}
