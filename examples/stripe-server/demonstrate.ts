// The Stripe document in an empty folder to a running, typechecked server with one handler; an edit of the document, `gen`, and the
// handler is what it was.
//
//   node demonstrate.ts FOLDER DOCUMENT
//
// FOLDER has a package.json, and the toolkit, fastify and typescript are installed in it; the README says how.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [folder, document] = process.argv.slice(2);
if (folder === undefined || document === undefined) throw new Error("Say the folder and the document.");
const files = join(import.meta.dirname, "files");
const handler = "src/handlers/get-balance.ts";
const inFolder = (path: string): string => resolve(folder, path);

step("The document, a configuration and a context are all that is there.");
copyFileSync(document, inFolder("stripe.json"));
for (const path of ["nodewright.config.ts", "tsconfig.json", "src/context.ts"])
  cpSync(join(files, path), inFolder(path));

step("gen writes the package and a stub for each operation.");
run("npx", "nodewright", "gen");
run("npm", "install", "--no-audit", "--no-fund", "./stripe-api");

step("One handler is written by hand; the server has to know of nothing else.");
for (const path of [handler, "src/main.ts"]) cpSync(join(files, path), inFolder(path));
const written = readFileSync(inFolder(handler), "utf8");
run("npx", "nodewright", "gen");
run("npx", "tsc", "--project", ".");
await serve({ "/v1/balance": 200, "/v1/balance/history": 501, "/v1/nothing": 404 });

step("The document is edited: an operation more, and a member more that may be left out of a balance.");
editDocument();
run("npx", "nodewright", "gen");
run("npx", "nodewright", "check");
if (readFileSync(inFolder(handler), "utf8") !== written) throw new Error("The handler was touched.");
if (!existsSync(inFolder("src/handlers/get-greeting.ts"))) throw new Error("The new operation has no stub.");
run("npx", "tsc", "--project", ".");
await serve({ "/v1/balance": 200, "/v1/greeting": 501 });
step("The handler is what it was, and everything runs.");

function step(sentence: string): void {
  console.log(`\n# ${sentence}`);
}

function run(program: string, ...parameters: readonly string[]): void {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (status !== 0)
    throw new Error(`${program} ${parameters.join(" ")} ends with ${status}:\n${(stdout + stderr).slice(0, 2000)}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const lines = stdout.trimEnd().split("\n");
  console.log(`$ ${program} ${parameters.join(" ")}   (${seconds} s)`);
  for (const line of lines.slice(-2)) if (line !== "") console.log(`  ${line}`);
}

/** Starts the server and asks it; each path has to be answered with its status. */
async function serve(expected: Readonly<Record<string, number>>): Promise<void> {
  const server = spawn(process.execPath, ["src/main.ts"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "exit");
  try {
    const [address] = (await once(server.stdout.setEncoding("utf8"), "data")) as [string];
    for (const [path, status] of Object.entries(expected)) {
      const answer = await fetch(address.trim() + path);
      console.log(`GET ${path}: ${answer.status} ${(await answer.text()).slice(0, 100)}`);
      if (answer.status !== status) throw new Error(`${path} is answered ${answer.status}, not ${status}.`);
    }
  } finally {
    server.kill();
    await ended;
  }
}

function editDocument(): void {
  const path = inFolder("stripe.json");
  const api = JSON.parse(readFileSync(path, "utf8")) as {
    readonly paths: Record<string, unknown>;
    readonly components: { readonly schemas: { readonly balance: { readonly properties: Record<string, unknown> } } };
  };
  const content = { "application/json": { schema: { type: "string" } } };
  api.paths["/v1/greeting"] = {
    get: { operationId: "GetGreeting", responses: { "200": { description: "", content } } },
  };
  api.components.schemas.balance.properties["greeting"] = { type: "string" };
  writeFileSync(path, JSON.stringify(api, undefined, 2));
}
