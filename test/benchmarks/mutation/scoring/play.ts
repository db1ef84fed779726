import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConformanceSuite, playSuite, type Report } from "@nodewright/conformance";
import { readSuite } from "../../../../generators/cli/src/conform/read-suite.ts";
import { createPhases } from "../../../../generators/cli/src/phases.ts";
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
  readonly isAlarm: boolean;
  /** `differs`, `conforms` or `unjudged`. */
  readonly outcome: Report["outcome"];
  readonly requests: number;
  readonly milliseconds: number;
  /** Cases that failed, with their first message. */
  readonly failed: readonly string[];
  readonly warned: readonly string[];
}

/** Whether a run says more than the runs of the correct server do; of `SHOULD`, warnings count too. */
export function isFound(verdict: Verdict, quiet: ReadonlySet<string>, level?: "SHOULD"): boolean {
  const isNew = (line: string): boolean => !quiet.has(line);
  return (
    verdict.outcome === "unjudged" || verdict.failed.some(isNew) || (level === "SHOULD" && verdict.warned.some(isNew))
  );
}

/** Plays a suite; `pace`: requests in a second, as many as come when not given. */
export async function play(
  suite: ConformanceSuite,
  baseUrl: string,
  seed: string,
  pace: { readonly rate?: number; readonly concurrency?: number } = { rate: 100_000, concurrency: 4 },
): Promise<Verdict> {
  const report = await playSuite(suite, { baseUrl, seed: seedDigits(seed), ...pace });
  const told = (verdict: string): readonly string[] =>
    report.cases
      .filter((one) => one.verdict === verdict)
      .map((one) => `${one.id}: ${one.findings[0]?.rule ?? ""} ${one.findings[0]?.message ?? ""}`);
  return {
    isAlarm: report.outcome === "differs",
    outcome: report.outcome,
    requests: report.requests,
    milliseconds: report.milliseconds,
    failed: [
      ...told("failed"),
      ...(report.outcome === "unjudged" ? [`unjudged: ${report.unjudgedBecause ?? ""}`] : []),
    ],
    warned: told("warned"),
  };
}

function seedDigits(seed: string): string {
  return Buffer.from(seed).toString("hex").slice(0, 16);
}
