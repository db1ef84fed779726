import { createReport, type DiagnosticCatalogue, type DiagnosticReceiver, type SourceValue } from "@nodewright/source";
import { editDistanceAtMost } from "@nodewright/terminal-text";
import { type ExtensionValue, extensionValues } from "./extensions.ts";

/** Diagnostics of extensions (`x-…`), by the code without its prefix. */
export const extensionDiagnostics = {
  unknown: { severity: "error", message: '"{mark}" is not a known extension; did you mean "{near}"?' },
  "wrong-value": { severity: "error", message: 'The extension "{mark}" must be {expected}.' },
} as const;

extensionDiagnostics satisfies DiagnosticCatalogue;

/**
 * Reports extensions (`x-…`) of ours with invalid values, and unknown ones that are similar to ours. Third-party extensions are ignored.
 * `known`: the extensions that are checked.
 */
export function checkExtensions(
  owner: SourceValue,
  sink: DiagnosticReceiver,
  known: Readonly<Record<string, ExtensionValue>> = extensionValues,
): void {
  if (!hasMarks(owner)) return;
  const report = createReport("mark", extensionDiagnostics, sink);
  for (const [mark, member] of owner.members) {
    if (!mark.startsWith("x-")) continue;
    const expected = known[mark];
    if (expected === undefined) {
      const near = Object.keys(known).find((each) => editDistanceAtMost(each, mark, 2));
      if (near !== undefined) report("unknown", owner.keySource(mark), { mark, near });
    } else if (!isExtensionValue(member, expected)) {
      report("wrong-value", member.source, { mark, expected: expectation(expected) });
    }
  }
}

/**
 * Returns whether there are any extensions. Checks only the names: documents have many thousand schemas, and hardly any has an extension.
 */
function hasMarks({ node }: SourceValue): boolean {
  return node.kind === "object" && node.members.keys().some((name) => name.startsWith("x-"));
}

function isExtensionValue(member: SourceValue, expected: ExtensionValue): boolean {
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

function expectation(expected: ExtensionValue): string {
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
