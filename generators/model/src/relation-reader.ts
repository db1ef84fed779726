import { createReport, type DiagnosticCatalogue, type DiagnosticSink, type SourceValue } from "@nodewright/source";
import { kebabCase } from "./names.ts";
import type { Relation } from "./read-model.ts";

/** Diagnostics of relations (`x-relations`), by the code without its prefix. */
export const relationDiagnostics = {
  "not-a-relation": {
    severity: "error",
    message:
      'A relation is an object with a "name" and with what "holds", both texts that are not empty; "because" is a text too.',
  },
  "unknown-member": {
    severity: "error",
    message: '"{member}" is not a member of a relation.',
    hint: 'It has "name", "holds" and "because".',
  },
  "duplicate-name": {
    severity: "error",
    message: 'The relation "{name}" stands here a second time.',
    hint: "Reports and baselines identify the relations of an operation by their names.",
  },
} as const;

relationDiagnostics satisfies DiagnosticCatalogue;

const relationMembers: ReadonlySet<string> = new Set(["name", "holds", "because"]);

/**
 * Reads the relations of one operation, `{ name, holds, because? }` each, and reports invalid ones. `others`: further members that each may
 * have.
 */
export function readRelations(
  items: readonly SourceValue[],
  sink: DiagnosticSink,
  others: ReadonlySet<string> = new Set(),
): readonly Relation[] {
  const report = createReport("relation", relationDiagnostics, sink);
  const names = new Set<string>();
  return items.flatMap((item): readonly Relation[] => {
    const [name, holds, because] = ["name", "holds", "because"].map((member) => item.member(member));
    if (!isFilled(name) || !isFilled(holds) || (because !== undefined && !isFilled(because))) {
      const wrong = [name, holds, because].find((member) => member !== undefined && !isFilled(member));
      report("not-a-relation", (wrong ?? item).source, {});
      return [];
    }
    for (const [member] of item.members) {
      if (!relationMembers.has(member) && !others.has(member))
        report("unknown-member", item.keySource(member), { member });
    }
    const kebabName = kebabCase(name.string);
    if (names.has(kebabName)) report("duplicate-name", name.source, { name: name.string });
    names.add(kebabName);
    return [
      {
        name: kebabName,
        holds: holds.string,
        ...(because?.string === undefined ? {} : { because: because.string }),
        source: item.source,
      },
    ];
  });
}

/** Returns whether a member is a string with at least one letter or digit. */
function isFilled(member: SourceValue | undefined): member is SourceValue & { readonly string: string } {
  return member?.string !== undefined && /[\p{L}\p{N}]/u.test(member.string);
}
