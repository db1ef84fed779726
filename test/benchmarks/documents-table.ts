import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { parse } from "yaml";
import { compileOutput } from "./compile-output.ts";
import { median, type ProcessCost } from "./measure.ts";
import { emptyPeerOutput, graphqlCodegen, heyApi, openRpcGenerator, type PeerRun, runPeer } from "./peers.ts";
import { createProject, type Project } from "./project.ts";

/** A document that is put in the table, whatever it is written in. */
export interface MeasuredDocument {
  /** As the table calls it. */
  readonly name: string;
  readonly path: string;
  readonly language: "openapi" | "openrpc" | "graphql";
}

export interface DocumentsTableOptions {
  readonly documents: readonly MeasuredDocument[];
  readonly artefacts: readonly string[];
  /** How often ours and the peer's run by turns; the medians are shown. */
  readonly rounds: number;
}

/** One generator's part in a document: two rows stand for each document. */
interface Outcome {
  readonly generator: string;
  /** How it ended: our diagnostics counted, or how the peer ended and what it said. */
  readonly verdict: string;
  readonly costs: readonly ProcessCost[];
  readonly outputBytes: number;
  /** Undefined where there is nothing to compile. */
  readonly typeErrors: number | undefined;
}

const peers: Readonly<Record<MeasuredDocument["language"], PeerRun>> = {
  openapi: heyApi,
  openrpc: openRpcGenerator,
  graphql: graphqlCodegen,
};

/**
 * Generates from each document with ours and with the peer of its language, and compiles what both write. A peer that fails has
 * a row like any other, with what it says.
 */
export async function documentsTable({ documents, artefacts, rounds }: DocumentsTableOptions): Promise<string> {
  const rows: string[] = [];
  for (const document of documents) {
    for (const row of await documentRows(document, artefacts, rounds)) {
      console.error(row);
      rows.push(row);
    }
  }
  return [
    "| document | operations | size | generator | outcome | CPU | peak memory | output | errors of `tsc --strict` |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

async function documentRows(
  document: MeasuredDocument,
  artefacts: readonly string[],
  rounds: number,
): Promise<readonly string[]> {
  const project = createProject({ document: document.path, artefacts });
  const peer = peers[document.language];
  const output = emptyPeerOutput(peer);
  const ours: ProcessCost[] = [];
  const theirs: ProcessCost[] = [];
  for (let round = 0; round < rounds; round += 1) {
    project.clean();
    ours.push(project.run("--json"));
    emptyPeerOutput(peer);
    theirs.push(runPeer(peer, document.path, output));
  }
  const our = await outcome("nodewright", ourVerdict(ours.at(-1)), ours, project.output);
  const their = await outcome(peer.name, peerVerdict(theirs.at(-1)), theirs, output, peer.ambientTypes);
  const what = [document.name, operationCount(document, project), megabytes(statSync(document.path).size)];
  return [renderRow([...what, ...cells(our)]), renderRow(["", "", "", ...cells(their)])];
}

async function outcome(
  generator: string,
  verdict: string,
  costs: readonly ProcessCost[],
  output: string,
  ambientTypes?: readonly string[],
): Promise<Outcome> {
  const outputBytes = sizeOfDirectory(output);
  if (outputBytes === 0) return { generator, verdict, costs, outputBytes, typeErrors: undefined };
  const { stdout } = await compileOutput(output, ambientTypes);
  return { generator, verdict, costs, outputBytes, typeErrors: [...stdout.matchAll(/error TS\d+:/g)].length };
}

function ourVerdict(cost: ProcessCost | undefined): string {
  const { diagnostics } = JSON.parse(cost?.stdout ?? "") as {
    readonly diagnostics: readonly { readonly severity: string }[];
  };
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return `${counted(errors, "error")}, ${counted(diagnostics.length - errors, "warning")}`;
}

/** Peers print what they like: the first error with a name and a message stands for it. */
function peerVerdict(cost: ProcessCost | undefined): string {
  const { status = null, stdout = "", stderr = "" } = cost ?? {};
  if (status === 0) return "ends with 0";
  const text = stripVTControlCharacters(`${stderr}\n${stdout}`).replace(/^process-cost .*$/gm, "");
  const lines = text.split("\n").map((line) => line.trim());
  const named = lines.map((line) => /\b[A-Z]\w*Error: .+/.exec(line)?.[0]).find((line) => line !== undefined);
  const said = named ?? lines.find((line) => /error/i.test(line)) ?? lines.find((line) => line !== "") ?? "nothing";
  return `ends with ${status}: ${said.slice(0, 140).replaceAll("|", "\\|")}`;
}

function cells({ generator, verdict, costs, outputBytes, typeErrors }: Outcome): readonly string[] {
  return [
    generator,
    verdict,
    `${median(costs.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)} s`,
    `${median(costs.map(({ peakMegabytes }) => peakMegabytes)).toFixed(0)} MB`,
    outputBytes === 0 ? "none" : megabytes(outputBytes),
    typeErrors === undefined ? "" : String(typeErrors),
  ];
}

/** Operations as our manifest lists them; what an API calls back is counted in the document, for the manifest does not list it. */
function operationCount({ path }: MeasuredDocument, { output }: Project): string {
  const { operations } = JSON.parse(readFileSync(join(output, "manifest.json"), "utf8")) as {
    readonly operations: readonly string[];
  };
  const webhooks = webhookCount(path);
  return [String(operations.length), ...(webhooks > 0 ? [counted(webhooks, "webhook")] : [])].join(", ");
}

function webhookCount(path: string): number {
  if (extname(path) === ".graphql") return 0;
  const text = readFileSync(path, "utf8");
  const document = (extname(path) === ".json" ? JSON.parse(text) : parse(text, { merge: true })) as {
    readonly webhooks?: object;
  };
  return Object.keys(document.webhooks ?? {}).length;
}

function sizeOfDirectory(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function renderRow(row: readonly string[]): string {
  return `| ${row.join(" | ")} |`;
}
