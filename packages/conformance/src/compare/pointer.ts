import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { additionalOf, elementOf, memberOf } from "./member-facts.ts";

/** RFC 6901, section 3. */
export function escapeSegment(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The names in a JSON Pointer. */
function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * A JSON Pointer that is the same in every run: `*` stands for positions in lists and for names that only the data knows, such as the
 * keys of a map.
 */
export function steadyPointer(pointer: string, type: SuiteType | undefined, types: SuiteTypes): string {
  let current = type;
  let steady = "";
  for (const segment of segmentsOf(pointer)) {
    const member = memberOf(current, segment, types);
    if (member !== undefined) {
      steady += `/${escapeSegment(segment)}`;
      current = member.type;
    } else if (/^\d+$/.test(segment)) {
      steady += "/*";
      current = elementOf(current, Number(segment), types) ?? additionalOf(current, types);
    } else {
      const additional = additionalOf(current, types);
      steady += additional === undefined || additional.kind === "never" ? `/${escapeSegment(segment)}` : "/*";
      current = additional;
    }
  }
  return steady;
}

/** What a JSON Pointer leads to; undefined for nothing. */
export function valueAt(value: unknown, pointer: string): unknown {
  let current = value;
  for (const segment of segmentsOf(pointer)) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[segment];
  }
  return current;
}
