// What generating costs for documents of others, side by side with other generators: CPU seconds and peak memory of whole
// processes, ours and theirs by turns. With --write its tables go into RESULTS.md when it ran whole, that of the documents also by itself.
//
//   node --conditions=source test/benchmarks/generators.ts [--only compare|unchanged|change|growth|compile] [--rounds 3]
//   node --conditions=source test/benchmarks/generators.ts --only documents [--rounds 1] [--document FILE]
//
// `--document` measures a file that no registry has instead of those that the tests try, and prints its rows alone.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { triedDocuments } from "../real-documents/documents.ts";
import { realDocument, type RealDocumentName } from "../support/documents.ts";
import { root } from "../support/workspace.ts";
import { compileOutput } from "./compile-output.ts";
import { documentsTable, type MeasuredDocument } from "./documents-table.ts";
import { changeOperation, growDocument, type OpenApiValue } from "./grown-document.ts";
import { renderGrowthPlot } from "./growth-plot.ts";
import type { ProcessCost } from "./measure.ts";
import {
  emptyPeerOutput,
  graphqlCodegen,
  heyApi,
  installPeers,
  openapiTypescript,
  openRpcGenerator,
  type PeerRun,
  runPeer,
} from "./peers.ts";
import { createProject, type Project } from "./project.ts";
import { costRow, type Row, renderTable } from "./report.ts";
import { beginSection } from "./sections.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { type: "string" },
    document: { type: "string" },
    write: { type: "boolean" },
  },
});
const rounds = Number(options.rounds ?? 3);

/** Our run against a peer's on one document. */
interface Comparison {
  readonly document: RealDocumentName;
  readonly title: string;
  readonly artefacts: readonly string[];
  readonly peer: PeerRun;
  /** Runs for each one of the option: short runs are repeated more often. */
  readonly repetitions: number;
}

const everything = ["types", "validators", "client", "server", "conformance"];

const comparisons: readonly Comparison[] = [
  { document: "petstore.json", title: "petstore", artefacts: everything, peer: heyApi, repetitions: 2 },
  { document: "github-rest.json", title: "GitHub REST", artefacts: everything, peer: heyApi, repetitions: 1 },
  { document: "github-rest.json", title: "GitHub REST", artefacts: ["types"], peer: openapiTypescript, repetitions: 1 },
  { document: "stripe.json", title: "Stripe", artefacts: everything, peer: heyApi, repetitions: 1 },
  { document: "stripe.json", title: "Stripe", artefacts: ["types"], peer: openapiTypescript, repetitions: 1 },
  { document: "github.graphql", title: "GitHub GraphQL", artefacts: everything, peer: graphqlCodegen, repetitions: 1 },
  {
    document: "petstore-expanded.openrpc.json",
    title: "OpenRPC petstore",
    artefacts: everything,
    peer: openRpcGenerator,
    repetitions: 2,
  },
];

/** The three largest, for what an unchanged run costs. */
const large: readonly RealDocumentName[] = ["github-rest.json", "stripe.json", "github.graphql"];
const grownSizes = [1, 2, 4, 8];

async function documentPath(name: RealDocumentName): Promise<string> {
  const found = await realDocument(name);
  if ("missing" in found) throw new Error(found.missing);
  return found.path;
}

/** What a run that failed cost says nothing. */
function succeeded(cost: ProcessCost): ProcessCost {
  if (cost.status !== 0) throw new Error(`The peer ended with ${cost.status}:\n${cost.stdout}\n${cost.stderr}`);
  return cost;
}

async function compare(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { document, title, artefacts, peer, repetitions } of comparisons) {
    const path = await documentPath(document);
    const project = createProject({ document: path, artefacts });
    const output = emptyPeerOutput(peer);
    project.generate();
    const ours: ProcessCost[] = [];
    const theirs: ProcessCost[] = [];
    for (let round = 0; round < rounds * repetitions; round += 1) {
      project.clean();
      ours.push(project.generate());
      emptyPeerOutput(peer);
      theirs.push(succeeded(runPeer(peer, path, output)));
    }
    const what = artefacts === everything ? "all five artefacts" : artefacts.join(", ");
    rows.push(costRow(`${title}: nodewright, ${what}`, ours, { against: theirs }));
    rows.push(costRow(`${title}: ${peer.name}`, theirs));
  }
  return rows;
}

async function unchanged(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const name of large) {
    const project = createProject({ document: await documentPath(name), artefacts: everything });
    project.clean();
    project.generate();
    const costs = Array.from({ length: rounds }, () => project.generate());
    rows.push(costRow(`unchanged: ${name}`, costs, { limitSeconds: 0.6 }));
  }
  return rows;
}

/** Each run changes another operation, so that no run finds what an earlier one left for it. */
async function change(): Promise<readonly Row[]> {
  const document = JSON.parse(readFileSync(await documentPath("github-rest.json"), "utf8")) as OpenApiValue;
  const project = createProject({ text: JSON.stringify(document, null, 2), artefacts: everything });
  const cold: ProcessCost[] = [];
  const changed: ProcessCost[] = [];
  for (let round = 0; round < rounds; round += 1) {
    project.write(JSON.stringify(document, null, 2));
    project.clean();
    cold.push(project.generate());
    project.write(JSON.stringify(changeOperation(document, 100 + 317 * round, `added${round}`), null, 2));
    changed.push(project.generate());
  }
  return [
    costRow("GitHub REST: cold", cold),
    costRow("GitHub REST: one changed operation", changed, { against: cold, limitRatio: 0.25 }),
  ];
}

async function growth(): Promise<string> {
  const document = JSON.parse(readFileSync(await documentPath("stripe.json"), "utf8")) as OpenApiValue;
  const costs = grownSizes.map((size) => {
    const text = JSON.stringify(growDocument(document, size));
    const project = createProject({ text, artefacts: everything });
    project.clean();
    return project.generate();
  });
  return renderGrowthPlot(grownSizes, [
    { name: "CPU, Stripe several times", unit: "s", values: costs.map(({ cpuSeconds }) => cpuSeconds) },
    { name: "peak memory, Stripe several times", unit: "MB", values: costs.map(({ peakMegabytes }) => peakMegabytes) },
  ]);
}

/** What the compiler needs for the output, ours and hey-api's. */
async function compile(): Promise<readonly Row[]> {
  const path = await documentPath("github-rest.json");
  const project: Project = createProject({ document: path, artefacts: everything });
  project.generate();
  const output = emptyPeerOutput(heyApi);
  succeeded(runPeer(heyApi, path, output));
  const ours = await compileOutput(project.output);
  const theirs = await compileOutput(output);
  return [
    costRow("tsc --strict on GitHub REST: nodewright, all five artefacts", [ours], {
      against: [theirs],
      limitMegabytes: 2_000,
    }),
    costRow(`tsc --strict on GitHub REST: ${heyApi.name}`, [theirs]),
  ];
}

const aboutDocuments = `Each published document that the tests try (\`test/real-documents\`), ours and the peer of its language by turns, once, on a machine
that was shared with other work. Ours are all five artefacts. CPU and memory are of whole processes, warnings those of the document,
sizes of everything that was written; both outputs are compiled with the same options of TypeScript 7.`;

/** Every document that the tests try, or the one that the command line names, once unless more rounds are asked for. */
async function documents(): Promise<string> {
  const measured: MeasuredDocument[] = [];
  if (options.document !== undefined) measured.push(documentOfUser(resolve(options.document)));
  else {
    for (const { name, language } of triedDocuments) measured.push({ name, language, path: await documentPath(name) });
  }
  return documentsTable({ documents: measured, artefacts: everything, rounds: Number(options.rounds ?? 1) });
}

function documentOfUser(path: string): MeasuredDocument {
  const text = readFileSync(path, "utf8");
  const isRpc = path.endsWith(".json") ? "openrpc" in (JSON.parse(text) as object) : /^openrpc\s*:/m.test(text);
  return {
    name: basename(path),
    language: extname(path) === ".graphql" ? "graphql" : isRpc ? "openrpc" : "openapi",
    path,
  };
}

const parts = {
  compare: async () => renderTable(await compare()),
  unchanged: async () => renderTable(await unchanged()),
  change: async () => renderTable(await change()),
  growth: async () => `\`\`\`\n${await growth()}\n\`\`\``,
  compile: async () => renderTable(await compile()),
};

execFileSync(
  join(root, "node_modules/.bin/tsc"),
  ["--build", "generators/cli", "packages/runtime", "packages/conformance"],
  {
    cwd: root,
    stdio: "inherit",
  },
);
installPeers();
if (options.only !== "documents") {
  const section = beginSection("generating-for-others");
  for (const [name, part] of Object.entries(parts)) {
    if (options.only === undefined || options.only === name) section.print(`${await part()}\n`);
  }
  // A part of the tables would take the place of all.
  if (options.only === undefined) section.end();
}
if (options.only === undefined || options.only === "documents") {
  const section = beginSection("real-documents");
  section.print(`${aboutDocuments}\n\n${await documents()}`);
  if (options.document === undefined) section.end();
}
