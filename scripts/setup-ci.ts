// Installs and builds what the tests need beyond the npm packages, at pinned versions, into .cache/ci; a second run does nothing.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const cache = resolve(".cache/ci");

interface GoTool {
  readonly name: string;
  readonly module: string;
  readonly version: string;
}

const goTools: readonly GoTool[] = [
  { name: "btcd", module: "github.com/btcsuite/btcd", version: "v0.26.2" },
  { name: "btcctl", module: "github.com/btcsuite/btcd/cmd/btcctl", version: "v0.26.2" },
];

function run(command: string, parameters: readonly string[], environment: Readonly<Record<string, string>> = {}): void {
  const { status, error } = spawnSync(command, parameters, {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  if (status === 0) return;
  throw new Error(`${command} ${parameters.join(" ")} failed${error === undefined ? "" : `: ${error.message}`}`);
}

function installGoTool({ name, module, version }: GoTool): void {
  const stamp = join(cache, `${name}-${version}`);
  if (existsSync(stamp)) return;
  console.log(`Building ${name} ${version}`);
  run("go", ["install", `${module}@${version}`], { GOBIN: join(cache, "bin"), GOFLAGS: "-trimpath" });
  writeFileSync(stamp, "");
}

mkdirSync(join(cache, "bin"), { recursive: true });
for (const tool of goTools) installGoTool(tool);
