import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { root } from "../../support/workspace.ts";
import type { ConformRun } from "./conform-by-command.ts";

const isUpdating = process.env["UPDATE_GOLDEN"] === "1";

/**
 * Holds the generated parts of `docs/nodes/<node>.md`, each between the comments `methods of <name>` or `failures of <name>` and `end`,
 * and of `docs/nodes/<node>.json` to what a run found, and to the baseline that it kept to. Left out is what differs from one run to the
 * next: addresses, days, calls and times. With UPDATE_GOLDEN=1 they are written.
 */
export function holdNodePage(node: string, name: string, baseline: string, { methods }: ConformRun): void {
  const page = join(root, "docs/nodes", `${node}.md`);
  holdPart(page, `failures of ${name}`, failuresByReason(baseline));
  holdPart(page, `methods of ${name}`, steadyMarkdown(methods.markdown));
  holdTable(join(root, "docs/nodes", `${node}.json`), name, steadyJson(methods.json));
}

function holdPart(page: string, name: string, content: string): void {
  const [before = "", rest = ""] = split(readFileSync(page, "utf8"), `<!-- ${name} -->\n`);
  const [shown = "", behind = ""] = split(rest, "<!-- end -->");
  const found = `\n${content}\n`;
  if (isUpdating) writeFileSync(page, `${before}<!-- ${name} -->\n${found}<!-- end -->${behind}`);
  else expect(shown).toBe(found);
}

/** Each reason of a baseline with the operations that it is of, those with most failures first. */
function failuresByReason(baseline: string): string {
  const file = join(root, "test/conformance/nodes", `${baseline}.baseline.yaml`);
  const { known } = parse(readFileSync(file, "utf8")) as { readonly known: readonly KnownFailure[] };
  const rows = [...Map.groupBy(known, ({ reason }) => reason)]
    .map(([reason, failures]) => {
      const operations = [...new Set(failures.map((failure) => failure.case.split("/", 1)[0] ?? ""))].toSorted();
      return { reason, count: failures.length, operations: operations.map((name) => `\`${name}\``).join(", ") };
    })
    .toSorted((left, right) => right.count - left.count || (left.reason < right.reason ? -1 : 1));
  return [
    "| failures | reason | where |",
    "|---:|---|---|",
    ...rows.map(({ reason, count, operations }) => `| ${count} | ${reason.replaceAll("|", "\\|")} | ${operations} |`),
  ].join("\n");
}

interface KnownFailure {
  readonly case: string;
  readonly reason: string;
}

function holdTable(file: string, name: string, found: unknown): void {
  const tables = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>;
  if (isUpdating) writeFileSync(file, `${JSON.stringify({ ...tables, [name]: found }, undefined, 2)}\n`);
  else expect(tables[name]).toEqual(found);
}

function split(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  if (at === -1) throw new Error(`A page of a node lacks "${separator.trim()}"`);
  return [text.slice(0, at), text.slice(at + separator.length)];
}

/** The first three columns of the table: the operation, whether it is offered, and why that is thought. */
function steadyMarkdown(text: string): string {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  // Operations that the description does not name stand in the order in which they were asked for.
  const isRow = (line: string): boolean => line.startsWith("| `");
  return [...lines.filter((line) => !isRow(line)), ...lines.filter(isRow).toSorted()]
    .map(
      (line) =>
        `${line
          .split(/(?<!\\)\|/)
          .slice(0, 4)
          .join("|")}|`,
    )
    .join("\n");
}

function steadyJson(text: string): unknown {
  const { suite, target, operations } = JSON.parse(text) as MethodTable;
  return {
    document: suite.title,
    ...(target.client === undefined ? {} : { client: target.client.replace(/-stable.*/, "") }),
    operations: operations
      .map(({ origin, availability, reason }) => ({ operation: origin, availability, reason }))
      .toSorted((left, right) => (left.operation < right.operation ? -1 : 1)),
  };
}

interface MethodTable {
  readonly suite: { readonly title: string };
  readonly target: { readonly client?: string };
  readonly operations: readonly { readonly origin: string; readonly availability: string; readonly reason: string }[];
}
