import type { Outcome } from "./compare-chain.ts";
import type { DifferencesFile } from "./listed-differences.ts";

/** What a comparison came to, as data. */
export interface DifferentialReport {
  readonly methods: readonly MethodRow[];
  readonly differences: readonly DifferenceRow[];
  /** Methods of the other node that were neither called nor listed as not compared. */
  readonly forgotten: readonly string[];
  /** Methods of this interface that the other node does not have. */
  readonly ownMethods: readonly string[];
  readonly uncompared: DifferencesFile["uncompared"];
  readonly findings: Outcome["findings"];
}

interface MethodRow {
  readonly method: string;
  readonly cases: number;
  readonly equal: number;
  readonly listed: number;
  readonly unexplained: number;
  readonly byName: number;
}

interface DifferenceRow {
  readonly id: string;
  readonly kind: string;
  readonly reason: string;
  readonly source: string;
  /** Whether it does not show in each run. */
  readonly sometimes: boolean;
  /** Calls whose answers it stands between; 0 for an entry that explains nothing. */
  readonly cases: number;
  /** Of those calls. */
  readonly methods: readonly string[];
}

/** Makes a report of what was counted, and of the methods that both have. */
export function createReport(
  { methods, findings }: Outcome,
  { differences, uncompared }: DifferencesFile,
  known: { readonly theirs: readonly string[]; readonly ours: readonly string[] },
): DifferentialReport {
  const rows = [...methods].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const leftOut = new Set(uncompared.flatMap((entry) => (entry.arguments === undefined ? entry.methods : [])));
  const ofTheirs = new Set(known.theirs);
  return {
    methods: rows.map(([method, { cases, equal, listed, unexplained, byName }]) => ({
      method,
      cases,
      equal,
      listed,
      unexplained,
      byName,
    })),
    differences: differences.map(({ id, kind, reason, source, sometimes = false }) => {
      const found = rows.filter(([, counted]) => counted.differences.has(id));
      const cases = found.reduce((sum, [, counted]) => sum + (counted.differences.get(id) ?? 0), 0);
      return { id, kind, reason, source, sometimes, cases, methods: found.map(([method]) => nameOf(method)) };
    }),
    forgotten: known.theirs.filter((method) => !methods.has(method) && !leftOut.has(method)),
    ownMethods: known.ours.filter((method) => !ofTheirs.has(method)),
    uncompared,
    findings,
  };
}

/** The report for people. */
export function renderReport(report: DifferentialReport): string {
  const all = report.methods.reduce(
    (sum, row) => ({
      method: "all",
      cases: sum.cases + row.cases,
      equal: sum.equal + row.equal,
      listed: sum.listed + row.listed,
      unexplained: sum.unexplained + row.unexplained,
      byName: sum.byName + row.byName,
    }),
    { method: "all", cases: 0, equal: 0, listed: 0, unexplained: 0, byName: 0 },
  );
  return [
    "| method | cases | equal | listed difference | unexplained | by name as well |",
    "|---|---|---|---|---|---|",
    ...[...report.methods, all].map(
      ({ method, cases, equal, listed, unexplained, byName }) =>
        `| ${method === "all" ? "**all**" : `\`${nameOf(method)}\``} | ${cases} | ${equal} | ${listed} | ${unexplained} | ${byName} |`,
    ),
    "",
    "## Listed differences",
    "",
    "| difference | kind | cases | methods | reason |",
    "|---|---|---|---|---|",
    ...report.differences.map(
      ({ id, kind, cases, methods, reason }) => `| ${id} | ${kind} | ${cases} | ${listMethods(methods)} | ${reason} |`,
    ),
    "",
    "## Not compared",
    "",
    ...report.uncompared.map(
      ({ methods, arguments: schema, reason }) =>
        `- ${methods.map((method) => `\`${method}\``).join(", ")}${schema === undefined ? "" : `, where \`${JSON.stringify(schema)}\``}: ${reason}`,
    ),
    `- The other node does not have ${report.ownMethods.map((method) => `\`${method}\``).join(", ")}.`,
    "",
  ].join("\n");
}

const namedMethods = 6;

function listMethods(methods: readonly string[]): string {
  return methods.length > namedMethods ? `${methods.length} methods` : methods.join(", ");
}

/** A request may call a method by an empty name. */
function nameOf(method: string): string {
  return method === "" ? "(empty)" : method;
}
