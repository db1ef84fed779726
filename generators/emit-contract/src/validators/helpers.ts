import { renderTemplate, type TextDeclaration } from "@nodewright/output";

/** Functions that validators call; a file declares those that it uses. */
export type HelperName =
  | "canonicalText"
  | "countCodePoints"
  | "countMembers"
  | "decimalOf"
  | "escapeToken"
  | "evaluateApart"
  | "findRepetition"
  | "hasOtherMembers"
  | "holds"
  | "isBrief"
  | "isEqual"
  | "isList"
  | "isLongerThan"
  | "isMultipleOf"
  | "isRecord"
  | "isShorterThan"
  | "isTooDeep"
  | "missing"
  | "noteElements"
  | "noteMatches"
  | "noteMembers"
  | "noteNames"
  | "ownMember"
  | "pattern"
  | "runOf"
  | "reportMember"
  | "violate"
  | "violateName"
  | "violationsFrom";

/** Every helper, with the other helpers that it calls. */
const helperUses: Readonly<Record<HelperName, readonly HelperName[]>> = {
  canonicalText: [],
  countCodePoints: [],
  countMembers: [],
  decimalOf: [],
  escapeToken: [],
  evaluateApart: [],
  findRepetition: ["canonicalText"],
  hasOtherMembers: [],
  holds: ["isTooDeep"],
  isBrief: [],
  isEqual: ["isList", "isRecord", "countMembers"],
  isList: [],
  isLongerThan: ["countCodePoints"],
  isMultipleOf: ["decimalOf"],
  isRecord: [],
  isShorterThan: ["countCodePoints"],
  isTooDeep: [],
  missing: ["violate"],
  noteElements: ["isList"],
  noteMatches: ["isRecord"],
  noteMembers: ["isRecord"],
  noteNames: [],
  ownMember: [],
  pattern: [],
  runOf: [],
  reportMember: ["escapeToken", "missing", "violate"],
  violate: [],
  violateName: ["violate"],
  violationsFrom: ["isTooDeep", "violate"],
};

export const helperNames: readonly HelperName[] = Object.keys(helperUses) as HelperName[];

/** Names of the helpers in a file: `isRecord` belongs to a type `Record`, if there is one. */
export type HelperNames = ReadonlyMap<HelperName, string>;

/** Returns the helpers that are used, with those that they use. `violation` is the name of that type in the file. */
export function helperText(used: ReadonlySet<HelperName>, names: HelperNames, violation: string): TextDeclaration {
  const needed = new Set(used);
  for (const name of needed) {
    for (const other of helperUses[name]) needed.add(other);
  }
  const view = Object.fromEntries(helperNames.map((name) => [name, needed.has(name) && (names.get(name) ?? name)]));
  return { kind: "text", text: renderTemplate("validator-helpers", { ...view, violation }).trimEnd() };
}
