// RESULTS.md is written by the scripts beside it: each owns the section between two markers and writes it whole, with when, of which commit,
// with which command and on what it was measured. Text outside the markers is people's: what a figure means, and why it is so.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { findCommit } from "../support/commit.ts";
import { root } from "../support/workspace.ts";

const results = fileURLToPath(new URL("RESULTS.md", import.meta.url));

/** Where a measurement was made, as the first lines of its section say. */
export interface Provenance {
  /** As ISO 8601 has it. */
  readonly date: string;
  /** Abbreviated hash, with what is not committed told. */
  readonly commit: string;
  readonly node: string;
  /** As it can be typed again. */
  readonly command: string;
  readonly machine: string;
}

/** A section that is being measured. */
export interface Section {
  /** Prints a line and keeps it for the section. */
  print(text?: string): void;
  /** Ends the section: with `--write` what was printed goes into RESULTS.md. A script that fails does not get here. */
  end(): void;
}

/** Begins the section of that name. */
export function beginSection(name: string): Section {
  const provenance = findProvenance();
  const lines: string[] = [];
  return {
    print(text = "") {
      console.log(text);
      lines.push(text);
    },
    end() {
      if (!process.argv.includes("--write")) return;
      const content = [renderProvenance(provenance), "", ...lines].join("\n");
      writeFileSync(results, replaceMarked(readFileSync(results, "utf8"), name, content));
    },
  };
}

/**
 * Returns the text with what is between the markers of `name` replaced. Throws when it does not have both, once and in order, and when
 * the content does not close a code block, which would take in what stands behind it.
 */
export function replaceMarked(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- section: ${name} -->`, `<!-- end of ${name} -->`];
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  const isOnce = text.lastIndexOf(begin) === start && text.lastIndexOf(end) === stop;
  if (start === -1 || stop < start || !isOnce) throw new Error(`The text needs "${begin}" and "${end}", each once`);
  if ((content.match(/^```/gm)?.length ?? 0) % 2 === 1) throw new Error(`A code block of "${name}" does not end`);
  return `${text.slice(0, start + begin.length)}\n\n${content.trim()}\n\n${text.slice(stop)}`;
}

/** The first lines of a section. */
export function renderProvenance({ date, commit, node, command, machine }: Provenance): string {
  return `Measured on ${date} at ${commit}, Node ${node}, ${machine}, by \`${command}\`.`;
}

/** Whether the section of that name says that it was measured at a commit, without a row that failed. */
export function isMeasuredAt(text: string, name: string, commit: string): boolean {
  const [, content = ""] = text.split(`<!-- section: ${name} -->`);
  const [section = ""] = content.split(`<!-- end of ${name} -->`);
  return section.includes(` at ${commit}, Node `) && !section.includes("| failed |");
}

/** Where and by which command the running script measures. */
export function findProvenance(): Provenance {
  const [program = "", ...parameters] = process.argv.slice(1);
  return {
    date: new Date().toISOString().slice(0, 16).replace("T", " "),
    commit: findCommit(),
    node: process.versions.node,
    command: ["node", "--conditions=source", relative(root, program), ...withoutPlaces(parameters)].join(" "),
    machine: `${availableParallelism()} processors (${cpus()[0]?.model.trim() ?? "unknown"}), load ${loadavg()[0]?.toFixed(1)} at the beginning`,
  };
}

/** Places on the machine are of no use to who reads the results. */
function withoutPlaces(parameters: readonly string[]): readonly string[] {
  return parameters.map((parameter) => (parameter.startsWith("/") ? "PATH" : parameter));
}
