import { escapeSegment, segmentsOf } from "@nodewright/api-model";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { additionalOf, elementOf, memberOf } from "./member-facts.ts";

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
