import { type GraphQLSchema, isInputObjectType } from "graphql";
import type { Count, Finding, Outcome } from "./compare-cases.ts";
import type { DifferencesFile, ListedDifference } from "./listed-differences.ts";
import { listCoordinates } from "./select-fields.ts";

/** What a comparison came to, as data. */
export interface DifferentialReport {
  readonly queries: number;
  /** In the order in which they were made. */
  readonly comparisons: readonly string[];
  /** A row for each `Type.field`, and for outcomes and messages. */
  readonly fields: readonly FieldRow[];
  readonly differences: readonly (ListedDifference & { readonly times: number })[];
  readonly unordered: DifferencesFile["unordered"];
  readonly uncompared: DifferencesFile["uncompared"];
  readonly ofOne: DifferencesFile["fields"];
  readonly findings: readonly Finding[];
  /** Sentences on what is wrong beside differences. */
  readonly problems: readonly string[];
}

interface FieldRow {
  readonly coordinate: string;
  /** By comparison; without those in which the field did not occur. */
  readonly counts: ReadonlyMap<string, Count>;
}

/** Makes a report of what was counted. Fields of the schema that nobody compared are a problem. */
export function createReport(
  { queries, counts, explained, findings }: Outcome,
  { differences, fields: ofOne, unordered, uncompared }: DifferencesFile,
  schema: GraphQLSchema,
  problems: readonly string[],
): DifferentialReport {
  const comparisons = [...counts.keys()];
  const names = [...new Set([...counts.values()].flatMap((byField) => [...byField.keys()]))].sort();
  const rows = names.map((coordinate) => ({
    coordinate,
    counts: new Map(
      [...counts].flatMap(([over, byField]) => {
        const count = byField.get(coordinate);
        return count === undefined ? [] : [[over, count] as const];
      }),
    ),
  }));
  const leftOut = uncompared.flatMap(({ coordinates }) => coordinates);
  const compared = new Set([...names, ...ofOne.map(({ coordinate }) => coordinate), ...leftOut]);
  const needless = leftOut.filter((name) => names.includes(name));
  const forgotten = listCoordinates(schema).filter((name) => !compared.has(name) && !isOfInput(schema, name));
  return {
    queries,
    comparisons,
    fields: rows,
    differences: differences.map((entry) => ({ ...entry, times: explained.get(entry.id) ?? 0 })),
    unordered,
    ofOne,
    findings,
    uncompared,
    problems: [
      ...problems,
      ...forgotten.map((name) => `${name} was not compared`),
      ...needless.map((name) => `${name} is listed as not compared, and was`),
    ],
  };
}

const shownPlaces = 40;
const shownCharacters = 400;

/** Sentences on all that must not be: unexplained differences, entries that explain nothing, fields that were forgotten. */
export function describeProblems({ findings, differences, problems }: DifferentialReport): readonly string[] {
  return [
    ...findings
      .slice(0, shownPlaces)
      .map(({ over, asked, coordinate, path, geth, ours }) =>
        [
          `${over}, ${asked.kind}: ${coordinate} ${path}`,
          `  ${show(asked.query)} ${asked.variables === undefined ? "" : show(asked.variables)}`,
          `  geth: ${show(geth)}`,
          `  ours: ${show(ours)}`,
        ].join("\n"),
      ),
    ...(findings.length > shownPlaces ? [`${findings.length} differences in all are unexplained`] : []),
    ...differences.flatMap(({ id, times, sometimes }) =>
      times === 0 && sometimes === undefined ? [`The listed difference ${id} explains nothing`] : [],
    ),
    ...problems,
  ];
}

/** The report for people. */
export function renderReport(report: DifferentialReport): string {
  const { comparisons, fields, differences, ofOne, unordered, uncompared } = report;
  const rows = fields.map(
    ({ coordinate, counts }) =>
      `| ${coordinate.startsWith("(") ? coordinate : `\`${coordinate}\``} | ${comparisons.map((over) => renderCount(counts.get(over))).join(" | ")} |`,
  );
  return [
    `| field | ${comparisons.join(" | ")} |`,
    `|---|${comparisons.map(() => "---:|").join("")}`,
    ...rows,
    "",
    "## Listed differences",
    "",
    "| difference | where | times | reason |",
    "|---|---|---:|---|",
    ...differences.map(
      ({ id, coordinates, times, reason }) => `| ${id} | ${coordinates.join(", ")} | ${times} | ${reason} |`,
    ),
    "",
    "## Not compared",
    "",
    ...ofOne.map(
      ({ coordinate, only, reason }) =>
        `- \`${coordinate}\`, a field of ${only === "ours" ? "this interface" : "geth"} alone. ${reason}`,
    ),
    ...unordered.map(({ coordinate, reason }) => `- The order of \`${coordinate}\`. ${reason}`),
    ...uncompared.map(
      ({ coordinates, reason }) => `- ${coordinates.map((name) => `\`${name}\``).join(", ")}. ${reason}`,
    ),
    "",
  ].join("\n");
}

/** How many values were compared, and how many of them differed, as listed or not. */
function renderCount(count: Count | undefined): string {
  if (count === undefined) return "";
  const { compared, listed, unexplained } = count;
  const differing = [...listed.values()].reduce((sum, times) => sum + times, 0);
  const parts = [
    String(compared),
    ...(differing > 0 ? [`${differing} as listed`] : []),
    ...(unexplained > 0 ? [`${unexplained} **unexplained**`] : []),
  ];
  return parts.join(", ");
}

function isOfInput(schema: GraphQLSchema, coordinate: string): boolean {
  return isInputObjectType(schema.getType(coordinate.slice(0, coordinate.indexOf("."))));
}

function show(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
