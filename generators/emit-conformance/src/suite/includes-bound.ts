import type { SuiteType } from "@nodewright/conformance/suite";
import type { Documentation } from "@nodewright/model";

const within = [
  /\b(?:at|on|equal(?: to)?) or (?:after|before|later|earlier|above|below)\b/,
  /\bor (?:later|earlier|newer|older|equal|more|less|fewer|higher|lower|greater)\b/,
  /\bat (?:least|most)\b/,
  /\b(?:no|not) (?:earlier|later|more|less|fewer|lower|higher|greater|older|newer) than\b/,
  /\bnot (?:before|after|below|above)\b/,
  /\binclusive(?:ly)?\b/,
  /\bup to and including\b/,
  /[<>]=|[≤≥]/,
];
const outside = /exclusive|excluding|\bnot inclusive|non-inclusive|\bstrictly\b/;

/** Whether a description says of a bound that what is at it is within: "at or after", "at most", "inclusive". */
export function includesBound(documentation: Documentation | undefined): boolean {
  const text = `${documentation?.summary ?? ""} ${documentation?.description ?? ""}`
    .toLowerCase()
    .replaceAll(/\s+/g, " ");
  return !outside.test(text) && within.some((words) => words.test(text));
}

/** Whether values of a type have an order that bounds are of, as far as the type itself tells. */
export function isOrdered(type: SuiteType): boolean {
  return type.kind === "string" ? /^date/.test(type.format ?? "") : /^(?:number|reference|union)$/.test(type.kind);
}
