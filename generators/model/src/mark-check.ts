import {
  createReport,
  type DiagnosticCatalogue,
  type DiagnosticSink,
  editDistanceAtMost,
  type Located,
} from "@nodewright/source";
import { type MarkValue, markValues } from "./marks.ts";

export const markDiagnostics = {
  unknown: { severity: "error", message: '"{mark}" is no mark; did you mean "{near}"?' },
  "wrong-value": { severity: "error", message: '"{mark}" takes {expected}.' },
} as const;

markDiagnostics satisfies DiagnosticCatalogue;

/**
 * Reports marks of ours that hold something else than they take, and names a slip away from one of ours.
 * Other `x-` members belong to somebody else and pass.
 */
export function checkMarks(owner: Located, sink: DiagnosticSink): void {
  const report = createReport("mark", markDiagnostics, sink);
  for (const [mark, member] of owner.members) {
    if (!mark.startsWith("x-")) continue;
    const expected = markValues[mark];
    if (expected === undefined) {
      const near = Object.keys(markValues).find((known) => editDistanceAtMost(known, mark, 2));
      if (near !== undefined) report("unknown", owner.keySource(mark), { mark, near });
    } else if (!isMarkValue(member, expected)) {
      report("wrong-value", member.source, { mark, expected: expectation(expected) });
    }
  }
}

function isMarkValue(member: Located, expected: MarkValue): boolean {
  switch (expected) {
    case "boolean":
      return member.boolean !== undefined;
    case "positive-number":
      return member.number !== undefined && member.number > 0;
    case "text":
      return member.string !== undefined;
    case "list":
      return member.node.kind === "array";
    default:
      return member.string !== undefined && expected.includes(member.string);
  }
}

function expectation(expected: MarkValue): string {
  switch (expected) {
    case "boolean":
      return "true or false";
    case "positive-number":
      return "a number above 0";
    case "text":
      return "a text";
    case "list":
      return "a list";
    default:
      return `one of ${expected.join(", ")}`;
  }
}
