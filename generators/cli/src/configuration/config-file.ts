import { readFileSync } from "node:fs";
import {
  createDiagnosticSink,
  createReport,
  createSourceText,
  type Diagnostic,
  type DiagnosticSink,
  type SourceRange,
  type SourceText,
} from "@nodewright/source";
import type { ConfigPath, ConfigProblem } from "./config-problems.ts";
import { configurationDiagnostics } from "./configuration-diagnostics.ts";

/** The source text of a configuration file, used to locate problems. */
export interface ConfigFile {
  /** Name of the file, as the user gave it. */
  readonly name: string;
  /** Source text, read when it is first needed. */
  readonly text: SourceText;
}

export function createConfigFile(name: string, path: string): ConfigFile {
  let text: SourceText | undefined;
  return {
    name,
    get text() {
      text ??= createSourceText(name, readFileSync(path, "utf8"));
      return text;
    },
  };
}

/** Placeholder for a configuration from the command line: its members have no location in a file. */
export const commandLineFile: ConfigFile = { name: "the command line", text: createSourceText("the command line", "") };

/** Returns the location of a member of the configuration. Loads a TypeScript parser: call it only when there is something to report. */
async function locateInConfig(file: ConfigFile, path: ConfigPath, isAboutKey = false): Promise<SourceRange> {
  const { locateMember } = await import("@nodewright/output");
  const { key, value } = locateMember(file.text.text, path);
  const { start, end } = isAboutKey ? key : value;
  return file.text.range(start, end, "");
}

/** Reports problems of a configuration with their locations. */
export async function reportConfigProblems(
  file: ConfigFile,
  problems: readonly ConfigProblem[],
  sink: DiagnosticSink,
): Promise<void> {
  const report = createReport("configuration", configurationDiagnostics, sink);
  for (const { code, path, isAboutKey, facts } of problems)
    report(code, await locateInConfig(file, path, isAboutKey), facts as never);
}

/** Returns the reason why a configuration could not be run, with its location where that is known. */
export async function importProblem(file: ConfigFile, path: string, reason: unknown): Promise<Diagnostic> {
  const sink = createDiagnosticSink();
  const report = createReport("configuration", configurationDiagnostics, sink);
  const { findSyntaxProblem } = await import("@nodewright/output");
  const syntax = findSyntaxProblem(file.text.text);
  if (syntax === undefined) report("failed", thrownAt(file, path, reason), { problem: firstLine(reason) });
  else report("syntax", file.text.range(syntax.start, syntax.end, ""), { problem: syntax.message });
  const [diagnostic] = sink.diagnostics;
  if (diagnostic === undefined) throw new Error("A reported problem has a diagnostic");
  return diagnostic;
}

/**
 * Returns the line of the configuration that the stack of an error names, otherwise its import that could not be found, otherwise its
 * start.
 */
function thrownAt({ text }: ConfigFile, path: string, reason: unknown): SourceRange {
  const stack = reason instanceof Error ? (reason.stack ?? "") : "";
  const name = path.slice(path.lastIndexOf("/") + 1).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const match = new RegExp(`${name}\\?nodewright=\\d+:(\\d+)(?::(\\d+))?`).exec(stack);
  if (match !== null) {
    const line = Number(match[1]);
    const start = lineStart(text, line) + Number(match[2] ?? 1) - 1;
    return text.range(start, start + 1, "");
  }
  const missing = /'([^']+)'/.exec(firstLine(reason))?.[1]?.split("/").at(-1);
  const start = missing === undefined ? -1 : text.text.indexOf(missing);
  return text.range(Math.max(0, start), Math.max(0, start) + 1, "");
}

function lineStart({ text }: SourceText, line: number): number {
  let start = 0;
  for (let number = 1; number < line; number += 1) start = text.indexOf("\n", start) + 1;
  return start;
}

function firstLine(reason: unknown): string {
  const message = reason instanceof Error ? reason.message : String(reason);
  return message.split("\n", 1)[0] ?? "";
}
