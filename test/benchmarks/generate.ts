// What generating all documents costs: cold, into an empty directory, and unchanged.
//
//   npm run build && node --conditions=source test/benchmarks/generate.ts [runs] [--write]
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, workspacePackages } from "../support/workspace.ts";
import { measureNode, median, type ProcessCost } from "./measure.ts";
import { beginSection } from "./sections.ts";

const section = beginSection("generating");
const runs = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 5);
/** Seconds of CPU. */
const limits = { cold: 3, unchanged: 0.6 } as const;
const copy = mkdtempSync(join(tmpdir(), "nodewright-generate-"));
const bin = join(root, "generators/cli/dist/main.js");

for (const part of ["specs", "nodewright.config.ts", "package.json"])
  cpSync(join(root, part), join(copy, part), { recursive: true });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

function generate(): ProcessCost {
  const cost = measureNode([bin, "gen", "--config", join(copy, "nodewright.config.ts")]);
  if (cost.status !== 0) throw new Error(cost.stdout);
  return cost;
}

function report(name: string, costs: readonly ProcessCost[], limit: number): void {
  const cpu = costs.map(({ cpuSeconds }) => cpuSeconds);
  const memory = median(costs.map(({ peakMegabytes }) => peakMegabytes));
  const cells = [
    name,
    `${median(cpu).toFixed(2)} s`,
    cpu.map((value) => value.toFixed(2)).join(" "),
    `${memory.toFixed(0)} MB`,
  ];
  section.print(`| ${cells.join(" | ")} | ${limit} s${median(cpu) > limit ? " **over**" : ""} |`);
}

const cold = Array.from({ length: runs }, () => {
  for (const { directory } of workspacePackages())
    rmSync(join(copy, directory, "src/gen"), { recursive: true, force: true });
  return generate();
});
const unchanged = Array.from({ length: runs }, generate);
section.print("| | CPU, median | runs | peak memory | limit |");
section.print("|---|---|---|---|---|");
report("cold: nothing generated yet", cold, limits.cold);
report("unchanged: touches no file", unchanged, limits.unchanged);
rmSync(copy, { recursive: true });
section.end();
