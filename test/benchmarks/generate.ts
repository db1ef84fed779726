// What generating all documents costs: cold, into an empty directory, and unchanged.
//
//   node --conditions=source test/benchmarks/generate.ts
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, workspacePackages } from "../support/workspace.ts";
import { measureNode, median, type ProcessCost } from "./measure.ts";

const runs = 5;
const copy = mkdtempSync(join(tmpdir(), "nodewright-generate-"));
const bin = join(root, "generators/cli/dist/bin.js");

for (const part of ["specs", "nodewright.config.ts", "package.json"])
  cpSync(join(root, part), join(copy, part), { recursive: true });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

function generate(): ProcessCost {
  const cost = measureNode([bin, "gen", "--config", join(copy, "nodewright.config.ts")]);
  if (cost.status !== 0) throw new Error(cost.stdout);
  return cost;
}

function report(name: string, costs: readonly ProcessCost[]): void {
  const cpu = costs.map(({ cpuSeconds }) => cpuSeconds);
  const memory = median(costs.map(({ peakMegabytes }) => peakMegabytes));
  console.log(
    `${name}: ${median(cpu).toFixed(2)} s CPU (${cpu.map((value) => value.toFixed(2)).join(" ")}), ${memory.toFixed(0)} MB`,
  );
}

const cold = Array.from({ length: runs }, () => {
  for (const { directory } of workspacePackages())
    rmSync(join(copy, directory, "src/gen"), { recursive: true, force: true });
  return generate();
});
const unchanged = Array.from({ length: runs }, generate);
report("cold", cold);
report("unchanged", unchanged);
console.log(unchanged.at(-1)?.stdout.trim());
rmSync(copy, { recursive: true });
