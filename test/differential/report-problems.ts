import { absent } from "./compare-responses.ts";
import type { DifferentialReport } from "./differential-report.ts";

const shownCharacters = 300;
const shownPlaces = 5;

/** Sentences on all that must not be: unexplained differences, entries that explain nothing, forgotten methods. */
export function describeProblems({ findings, differences, forgotten }: DifferentialReport): readonly string[] {
  return [
    ...findings.map(({ call: { method, params }, found }) =>
      [
        `${method} ${show(params)}`,
        ...found
          .slice(0, shownPlaces)
          .map(({ pointer, theirs, ours }) => `  ${pointer}\n    theirs: ${show(theirs)}\n    ours: ${show(ours)}`),
      ].join("\n"),
    ),
    ...differences.flatMap(({ id, cases, sometimes }) =>
      cases === 0 && !sometimes ? [`The listed difference ${id} explains nothing`] : [],
    ),
    ...forgotten.map((method) => `${method} of the other node is neither compared nor listed as not compared`),
  ];
}

function show(value: unknown): string {
  const text = value === absent ? "nothing" : (JSON.stringify(value) ?? "undefined");
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
