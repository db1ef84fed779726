import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isObject } from "../operators/json-tree.ts";
import type { WorldBench } from "../scoring/score.ts";

/** What a tool said: how many things are wrong; undefined when it could not run. */
export type Complaints = number | undefined;

/** A tool that judges servers by their documents, at a pinned version. */
export interface Peer {
  readonly name: string;
  fits(bench: WorldBench): boolean;
  judge(bench: WorldBench, baseUrl: string): Promise<Complaints>;
}

const home = resolve(".cache/ci/peers");
const python = join(home, "schemathesis");
const npm = join(home, "npm");

const versions = {
  schemathesis: "4.32.5",
  npm: ["dredd@14.1.0", "@open-rpc/test-coverage@2.2.4", "graphql-http@1.23.1", "graphql@16"],
} as const;

/** Installs the tools below .cache where they are not there yet. */
export function installPeers(): void {
  mkdirSync(npm, { recursive: true });
  if (!existsSync(join(python, "bin/st"))) {
    spawnSync("python3", ["-m", "venv", python], { stdio: "inherit" });
    spawnSync(join(python, "bin/pip"), ["install", "-q", `schemathesis==${versions.schemathesis}`], {
      stdio: "inherit",
    });
  }
  if (!existsSync(join(npm, "node_modules/graphql-http"))) {
    writeFileSync(join(npm, "package.json"), '{ "private": true }\n');
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
    spawnSync("npm", ["install", ...quiet, ...versions.npm], { cwd: npm, stdio: "inherit" });
  }
}

/** Runs a program for at most two minutes, with all that it prints. */
async function run(
  program: string,
  parameters: readonly string[],
  cwd: string,
): Promise<{ readonly status: number | null; readonly text: string }> {
  const child = spawn(program, parameters, { cwd, stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  return new Promise((settle) => {
    child.on("error", (error) => settle({ status: null, text: String(error) }));
    child.on("close", (status) => settle({ status, text }));
  });
}

const schemathesis: Peer = {
  name: `Schemathesis ${versions.schemathesis}`,
  fits: ({ world }) => world.kind !== "rpc",
  judge: async ({ suite }, baseUrl) => {
    const parameters = ["run", suite.document, "--url", baseUrl, "--seed", "1", "--no-color", "--max-examples", "20"];
    const { status, text } = await run(join(python, "bin/st"), parameters, home);
    if (status === null || status > 1) {
      return undefined;
    }
    return status === 0 ? 0 : (text.match(/^\d+\. Test Case ID/gm)?.length ?? 1);
  },
};

const dredd: Peer = {
  name: "Dredd 14.1.0",
  fits: ({ world }) => world.kind === "rest",
  judge: async ({ suite }, baseUrl) => {
    const { status, text } = await run(
      join(npm, "node_modules/.bin/dredd"),
      [suite.document, baseUrl, "--no-color"],
      npm,
    );
    const counted = /(\d+) failing, (\d+) errors/.exec(text);
    return counted === null ? (status === 0 ? 0 : undefined) : Number(counted[1]) + Number(counted[2]);
  },
};

const testCoverage: Peer = {
  name: "@open-rpc/test-coverage 2.2.4",
  fits: ({ world }) => world.kind === "rpc",
  judge: async ({ suite }, baseUrl) => {
    const document: unknown = JSON.parse(readFileSync(suite.document, "utf8"));
    const path = join(npm, "document.json");
    // It takes the URL from the document alone.
    writeFileSync(
      path,
      JSON.stringify({ ...(isObject(document) ? document : {}), servers: [{ name: "one", url: baseUrl }] }),
    );
    const parameters = ["-s", path, "-t", "http", "-r", "console"];
    const { status, text } = await run(join(npm, "node_modules/.bin/open-rpc-test-coverage"), parameters, npm);
    const counted = /Failed: (\d+)/i.exec(text);
    return counted === null ? (status === 0 ? 0 : status === null ? undefined : 1) : Number(counted[1]);
  },
};

const audits: Peer = {
  name: "graphql-http 1.23.1 audits",
  fits: ({ world }) => world.kind === "graphql",
  judge: async (_bench, baseUrl) => {
    const script = join(npm, "audit.mjs");
    writeFileSync(
      script,
      `import { auditServer } from "graphql-http";
const results = await auditServer({ url: process.argv[2] });
console.log("errors: " + results.filter(({ status }) => status === "error").length);
`,
    );
    const { text } = await run(process.execPath, [script, baseUrl], npm);
    const counted = /errors: (\d+)/.exec(text);
    return counted === null ? undefined : Number(counted[1]);
  },
};

export const peers: readonly Peer[] = [schemathesis, dredd, testCoverage, audits];
