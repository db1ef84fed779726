import { createReport, type DiagnosticCatalogue, type DiagnosticSink, type Report } from "./diagnostic.ts";
import type { SourceValue } from "./source-document.ts";
import { withArticle } from "./with-article.ts";

/** Diagnostics of missing and invalid members, which all readers of documents have. */
export const documentDiagnostics = {
  "missing-member": { severity: "error", message: '{owner} has no "{name}".', hint: "{reason}" },
  "wrong-member": { severity: "error", message: '"{name}" takes {expected}, not {found}.' },
} as const;

documentDiagnostics satisfies DiagnosticCatalogue;

/** Reader of members that must have a certain type. Reports those that do not. */
export class MemberReader {
  readonly #report: Report<typeof documentDiagnostics>;

  constructor(sink: DiagnosticSink) {
    this.#report = createReport("document", documentDiagnostics, sink);
  }

  /** Returns a required string. `ownerName` starts the message and `reason` states what the member is for. */
  requiredText(owner: SourceValue, ownerName: string, name: string, reason: string): string | undefined {
    if (!owner.has(name)) {
      this.missing(owner, ownerName, name, reason);
      return undefined;
    }
    return this.text(owner, name);
  }

  text(owner: SourceValue, name: string): string | undefined {
    const member = owner.member(name);
    if (member !== undefined && member.string === undefined) this.wrong(member, name, "a text");
    return member?.string;
  }

  flag(owner: SourceValue, name: string): boolean | undefined {
    const member = owner.member(name);
    if (member !== undefined && member.boolean === undefined) this.wrong(member, name, "true or false");
    return member?.boolean;
  }

  /** Returns the elements of a list; empty without a list. */
  list(owner: SourceValue, name: string): readonly SourceValue[] {
    const member = owner.member(name);
    if (member !== undefined && member.node.kind !== "array") this.wrong(member, name, "a list");
    return member?.items ?? [];
  }

  missing(owner: SourceValue, ownerName: string, name: string, reason: string): void {
    this.#report("missing-member", owner.source, { owner: ownerName, name, reason });
  }

  wrong(member: SourceValue, name: string, expected: string): void {
    this.#report("wrong-member", member.source, { name, expected, found: withArticle(member.typeName) });
  }
}
