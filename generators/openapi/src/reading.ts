import type { Located, DocumentSet, Report, SourceRange } from "@nodewright/source";
import { type SchemaReader, withArticle } from "@nodewright/json-schema";
import { markValues } from "@nodewright/model";
import { editDistanceAtMost } from "@nodewright/source";
import type { openapiDiagnostics } from "./openapi-diagnostics.ts";

/** What every part of the reader works with. */
export interface Reading {
  readonly documents: DocumentSet;
  readonly schemas: SchemaReader;
  readonly report: Report<typeof openapiDiagnostics>;
  readonly isVersion30: boolean;
}

/** A member that has to be a text; undefined, with a diagnostic, when it is missing or something else. */
export function requiredText(
  reading: Reading,
  owner: Located,
  ownerName: string,
  name: string,
  reason: string,
): string | undefined {
  const member = owner.member(name);
  if (member === undefined) {
    reading.report("missing-member", owner.source, { owner: ownerName, name, reason });
    return undefined;
  }
  if (member.string === undefined) reportWrongMember(reading, member, name, "a text");
  return member.string;
}

/** A member that may be a text. */
export function optionalText(reading: Reading, owner: Located, name: string): string | undefined {
  const member = owner.member(name);
  if (member !== undefined && member.string === undefined) reportWrongMember(reading, member, name, "a text");
  return member?.string;
}

export function optionalFlag(reading: Reading, owner: Located, name: string): boolean | undefined {
  const member = owner.member(name);
  if (member !== undefined && member.boolean === undefined) reportWrongMember(reading, member, name, "true or false");
  return member?.boolean;
}

export function reportWrongMember(reading: Reading, member: Located, name: string, expected: string): void {
  reading.report("wrong-member", member.source, { name, expected, found: withArticle(member.typeName) });
}

/** Reports marks of ours that are unknown or hold something else than they take; `x-` names of others pass. */
export function checkMarks(reading: Reading, owner: Located): void {
  for (const [name, member] of owner.members) {
    if (!name.startsWith("x-")) continue;
    const expected = markValues[name];
    if (expected === undefined) reportNearMark(reading, name, owner.keySource(name));
    else if (!isMarkValue(member, expected))
      reading.report("wrong-mark", member.source, { mark: name, expected: markExpectation(expected) });
  }
}

/** A name a letter away from a mark of ours is a slip; any other belongs to somebody else. */
function reportNearMark(reading: Reading, name: string, source: SourceRange): void {
  const near = Object.keys(markValues).find((mark) => editDistanceAtMost(mark, name, 2));
  if (near !== undefined)
    reading.report("unknown-mark", source, { mark: name, suggestion: `; did you mean "${near}"?` });
}

function isMarkValue(member: Located, expected: (typeof markValues)[string]): boolean {
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

function markExpectation(expected: (typeof markValues)[string]): string {
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
