// What checking a page of 25 transactions costs: our emitted validators beside those of ajv and typebox, in one run.
//
//   node --conditions=source test/benchmarks/validators.ts [rounds] [--write]
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { emitContract } from "@nodewright/emit-contract";
import { readOpenApi } from "@nodewright/openapi";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { parse } from "yaml";
import { root } from "../support/workspace.ts";
import { median } from "./measure.ts";
import { beginSection } from "./sections.ts";

const peers = { ajv: "8.20.0", typebox: "1.4.3" } as const;
const directory = join(root, ".cache/benchmarks/validators");
const rounds = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 9);
/** CPU microseconds that one measurement is to take at least. */
const measuredMicroseconds = 250_000;
const pageLength = 25;
const section = beginSection("validators");

type Check = (value: unknown) => unknown;

interface Contender {
  readonly name: string;
  /** A script that loads the check, to be run in a process of its own. */
  readonly startup: string;
  readonly page: Check;
  readonly transaction: Check;
}

interface Subject {
  readonly name: string;
  readonly values: readonly unknown[];
  readonly isRight: boolean;
  readonly of: "page" | "transaction";
}

mkdirSync(directory, { recursive: true });
installPeers();
const document = parse(readFileSync(join(root, "specs/index/openapi.yaml"), "utf8")) as IndexDocument;
const contenders = [await ours(), ...(await theirs())];
const subjects = makeSubjects();

for (const subject of subjects) {
  for (const contender of contenders) assertVerdict(contender, subject);
}
section.print(`| CPU | ${contenders.map(({ name }) => name).join(" | ")} | faster than the best of them |`);
section.print(`|---|${"---|".repeat(contenders.length + 1)}`);
for (const subject of subjects) reportSubject(subject);
reportStartup();
section.end();

interface IndexDocument {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

function installPeers(): void {
  const wanted = Object.entries(peers).map(([name, version]) => `${name}@${version}`);
  const isInstalled = Object.entries(peers).every(([name, version]) => {
    const file = join(directory, "node_modules", name, "package.json");
    return existsSync(file) && (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version === version;
  });
  if (isInstalled) return;
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const options = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", directory, ...wanted];
  const { status, stderr } = spawnSync("npm", options, { encoding: "utf8" });
  if (status !== 0) throw new Error(`npm could not install ${wanted.join(" and ")}: ${stderr}`);
}

/** The validators as a build leaves them: emitted now, types stripped. */
async function ours(): Promise<Contender> {
  const sink = createDiagnosticSink();
  const documents = createDocumentSet(root, sink);
  const model = await readOpenApi({ file: "specs/index/openapi.yaml", name: "index", documents, sink });
  const file =
    model && emitContract.emit({ model, packageName: "" }).files.find(({ path }) => path === "validators.ts");
  if (file === undefined) throw new Error("There are no validators");
  const path = join(directory, "validators.js");
  writeFileSync(path, stripTypeScriptTypes(file.text));
  const module = (await import(pathToFileURL(path).href)) as Record<string, Check>;
  const { isTransactionPage, isTransaction } = module;
  if (isTransactionPage === undefined || isTransaction === undefined) throw new Error("There is no such validator");
  return {
    name: "nodewright",
    startup: "import('./validators.js')",
    page: isTransactionPage,
    transaction: isTransaction,
  };
}

/** The schema of a component, with all others beside it. */
function schemaOf(name: string): object {
  const text = JSON.stringify(document.components.schemas).replaceAll("#/components/schemas/", "#/$defs/");
  return { $ref: `#/$defs/${name}`, $defs: JSON.parse(text) as unknown };
}

async function theirs(): Promise<readonly Contender[]> {
  writeFileSync(
    join(directory, "schemas.json"),
    JSON.stringify([schemaOf("TransactionPage"), schemaOf("Transaction")]),
  );
  const load = createRequire(join(directory, "package.json"));
  const schemas = "JSON.parse(readFileSync(new URL('./schemas.json', import.meta.url)))";
  const head = "import { readFileSync } from 'node:fs';";
  const scripts = {
    "ajv-runtime.js": `${head} import { Ajv2020 } from 'ajv/dist/2020.js';
const ajv = new Ajv2020({ strict: false, validateFormats: false });
export const [page, transaction] = ${schemas}.map((schema) => ajv.compile(schema));`,
    "typebox.js": `${head} import { Compile } from 'typebox/schema';
export const [page, transaction] = ${schemas}.map((schema) => { const compiled = Compile(schema); return (value) => compiled.Check(value); });`,
  };
  for (const [path, text] of Object.entries(scripts)) writeFileSync(join(directory, path), text);
  writeFileSync(join(directory, "ajv-standalone.cjs"), standaloneText(load));
  const modules = ["ajv-runtime.js", "ajv-standalone.cjs", "typebox.js"];
  const names = ["ajv", "ajv standalone", "typebox"];
  return Promise.all(
    modules.map(async (path, index) => {
      const { page, transaction } = (await import(pathToFileURL(join(directory, path)).href)) as Contender;
      return { name: names[index] ?? path, startup: `import('./${path}')`, page, transaction };
    }),
  );
}

interface Ajv {
  addSchema(schema: object): void;
}

interface AjvModule {
  readonly Ajv2020: new (options: object) => Ajv;
}

function standaloneText(load: NodeJS.Require): string {
  const { Ajv2020 } = load("ajv/dist/2020.js") as AjvModule;
  const { default: standaloneCode } = load("ajv/dist/standalone") as {
    default: (ajv: Ajv, names: Readonly<Record<string, string>>) => string;
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { source: true } });
  ajv.addSchema({ $id: "page", ...schemaOf("TransactionPage") });
  ajv.addSchema({ $id: "transaction", ...schemaOf("Transaction") });
  return standaloneCode(ajv, { page: "page", transaction: "transaction" });
}

/** Every transaction of the document's examples, as often as it takes to fill a page; each page is parsed from its own text. */
function makeSubjects(): readonly Subject[] {
  const known = new Map<string, unknown>();
  collectTransactions(document, known);
  const transactions = [...known.values()];
  const page = Array.from({ length: pageLength }, (_, index) => transactions[index % transactions.length]);
  const copies = (value: unknown): readonly unknown[] =>
    Array.from({ length: 20 }, () => JSON.parse(JSON.stringify(value)) as unknown);
  const spoilt = (place: number): readonly unknown[] =>
    copies(page.map((one, index) => (index === place ? { ...(one as object), locktime: "0" } : one)));
  const single = JSON.parse(JSON.stringify(transactions)) as readonly unknown[];
  return [
    { name: "page, right", values: copies(page), isRight: true, of: "page" },
    { name: "page, wrong in the first transaction", values: spoilt(0), isRight: false, of: "page" },
    { name: "page, wrong in the last transaction", values: spoilt(pageLength - 1), isRight: false, of: "page" },
    { name: "transaction, right", values: single, isRight: true, of: "transaction" },
    {
      name: "transaction, wrong in its last member",
      values: single.map((one) => ({ ...(one as object), status: { confirmed: 1 } })),
      isRight: false,
      of: "transaction",
    },
  ];
}

function collectTransactions(value: unknown, known: Map<string, unknown>): void {
  if (typeof value !== "object" || value === null) return;
  if ("txid" in value && "vin" in value && Array.isArray(value.vin) && "status" in value) {
    known.set(JSON.stringify(value), value);
  }
  for (const member of Object.values(value)) collectTransactions(member, known);
}

function assertVerdict(contender: Contender, { name, of, values, isRight }: Subject): void {
  const verdicts = new Set(values.map((value) => contender[of](value)));
  if (verdicts.size !== 1 || !verdicts.has(isRight))
    throw new Error(`${contender.name}: ${name}: ${[...verdicts].join()}`);
}

/** Rounds in turn, so that what else the machine does meets all of them. */
function reportSubject(subject: Subject): void {
  const repetitions = contenders.map((contender) => calibrate(contender[subject.of], subject.values));
  const costs = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      costs[index]?.push(measure(contender[subject.of], subject.values, repetitions[index] ?? 1));
    }
  }
  const medians = costs.map(median);
  const [own = Number.NaN, ...others] = medians;
  const shown = medians.map((cost) => `${cost.toFixed(2)} µs`);
  section.print(`| ${subject.name} | ${shown.join(" | ")} | ${(Math.min(...others) / own).toFixed(2)}x |`);
}

/** Repetitions over all values that take long enough, the compiler of V8 having had its time. */
function calibrate(check: Check, values: readonly unknown[]): number {
  let repetitions = 1;
  while (measure(check, values, repetitions) * repetitions * values.length < measuredMicroseconds) repetitions *= 2;
  return repetitions;
}

/** CPU microseconds for one value. */
function measure(check: Check, values: readonly unknown[], repetitions: number): number {
  const start = process.cpuUsage();
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const value of values) check(value);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / repetitions / values.length;
}

/** From nothing to a check that can be called: in a process of its own each time, in turn. */
function reportStartup(): void {
  const costs = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { startup }] of contenders.entries()) costs[index]?.push(startupOf(startup));
  }
  const medians = costs.map(median);
  const [own = Number.NaN, ...others] = medians;
  const shown = medians.map((cost) => `${cost.toFixed(1)} ms`);
  section.print(`| loading | ${shown.join(" | ")} | ${(Math.min(...others) / own).toFixed(2)}x |`);
}

/** CPU milliseconds. */
function startupOf(script: string): number {
  const path = join(directory, "startup.js");
  const end = "const { user, system } = process.cpuUsage(start); console.log((user + system) / 1000);";
  writeFileSync(path, `const start = process.cpuUsage(); await ${script}; ${end}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}
