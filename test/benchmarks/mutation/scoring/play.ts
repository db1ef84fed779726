import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CaseReport,
  type ConformanceSuite,
  playSuite,
  type Report,
  type RunOptions,
} from "@nodewright/conformance";
import { readSuite } from "../../../../generators/cli/src/conform/read-suite.ts";
import { createPhases } from "../../../../generators/cli/src/jobs/phases.ts";
import type { World } from "../worlds/world.ts";

/** A world's document as files and as the suite that the command line makes of it. */
export interface WorldSuite {
  readonly suite: ConformanceSuite;
  /** Path of the document. */
  readonly document: string;
  /** Path of the operations, GraphQL with examples alone. */
  readonly operations: string | undefined;
}

/** Writes the document to a directory for temporary files and reads it as `nodewright conform --spec` does. */
export async function readWorldSuite(world: World): Promise<WorldSuite> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-mutation-"));
  const document = join(directory, world.document.fileName);
  writeFileSync(document, world.document.text);
  let operations: string | undefined;
  if (world.operations !== undefined) {
    operations = join(directory, world.operations.fileName);
    writeFileSync(operations, world.operations.text);
  }
  const reading = await readSuite(
    { spec: document, operations: operations === undefined ? [] : [operations] },
    createPhases(),
  );
  if (reading.suite === undefined) {
    throw new Error(`${world.name}: ${reading.diagnostics.map(({ message }) => message).join("; ")}`);
  }
  return { suite: reading.suite, document, operations };
}

/** What a run says, as far as the benchmark wants it. */
export interface Verdict {
  /** Of the run with the same input: `differs`, `conforms` or `inconclusive`. */
  readonly outcome: Report["outcome"];
  readonly requests: number;
  readonly milliseconds: number;
  /** Cases that fail a default run, as they break a MUST, with their first such message. */
  readonly failed: readonly string[];
  /** Cases that fail a run with `--strict` alone. */
  readonly warned: readonly string[];
}

/** Returns whether a run says more than the runs of the correct server do, under `--strict` or by default. */
export function isFound({ outcome, failed, warned }: Verdict, quiet: ReadonlySet<string>, isStrict: boolean): boolean {
  return outcome === "inconclusive" || [...failed, ...(isStrict ? warned : [])].some((line) => !quiet.has(line));
}

/** Plays a suite; with a rate of its own, as many requests come in a second as can. */
export async function play(
  suite: ConformanceSuite,
  baseUrl: string,
  seed: string,
  options: Pick<RunOptions, "rate" | "concurrency" | "strict"> = { rate: 100_000, concurrency: 4 },
): Promise<Verdict> {
  const report = await playSuite(suite, { baseUrl, seed: seedDigits(seed), ...options });
  const broken = report.cases.filter(({ verdict }) => verdict === "failed" || verdict === "warned");
  const isMust = ({ level }: { readonly level: string }): boolean => level === "MUST";
  const told = (one: CaseReport): string => {
    const { rule = "", message = "" } = one.findings.find(isMust) ?? one.findings[0] ?? {};
    return `${one.id}: ${rule} ${message}`;
  };
  return {
    outcome: report.outcome,
    requests: report.requests,
    milliseconds: report.milliseconds,
    failed: [
      ...broken.filter(isMust).map(told),
      ...(report.outcome === "inconclusive" ? [`inconclusive: ${report.inconclusiveBecause ?? ""}`] : []),
    ],
    warned: broken.filter((one) => !isMust(one) && one.level !== "MAY").map(told),
  };
}

function seedDigits(seed: string): string {
  return Buffer.from(seed).toString("hex").slice(0, 16);
}
