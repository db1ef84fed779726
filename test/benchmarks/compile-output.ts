import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../support/workspace.ts";
import { cpuSecondsOf, type ProcessCost } from "./measure.ts";

/**
 * Typechecks a generated directory with TypeScript 7, strictly, as part of a project that has our packages. `types`: packages whose
 * global declarations the output builds upon.
 */
export async function compileOutput(directory: string, types: readonly string[] = []): Promise<ProcessCost> {
  const config = join(dirname(directory), "tsconfig.compile.json");
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "es2024",
    module: "preserve",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    types,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, include: [directory] }));
  const start = performance.now();
  const child = spawn(compiler(), ["--project", config], { stdio: ["ignore", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  // The compiler is no program of ours that could report on itself: it is looked at while it runs.
  let cpuSeconds = 0;
  let peakMegabytes = 0;
  const timer = setInterval(() => {
    try {
      cpuSeconds = Math.max(cpuSeconds, cpuSecondsOf(child.pid ?? 0));
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peakMegabytes = Math.max(peakMegabytes, Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1000);
    } catch {
      clearInterval(timer);
    }
  }, 20);
  const [status] = (await once(child, "close")) as [number | null];
  clearInterval(timer);
  if (status !== 0)
    console.error(`${stdout.split("\n").length - 1} errors in ${directory}:\n${stdout.slice(0, 1_000)}`);
  return { cpuSeconds, peakMegabytes, wallSeconds: (performance.now() - start) / 1000, status, stdout, stderr: "" };
}

/** The compiler's own program: the script that npm puts in its place starts it as a process that we could not look at. */
function compiler(): string {
  return join(root, "node_modules/@typescript", `typescript-${process.platform}-${process.arch}`, "lib/tsc");
}
