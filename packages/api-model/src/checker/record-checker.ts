import { isRecord } from "../basics/is-record.ts";
import type { RecordNode } from "../model/type-node.ts";
import type { PatternMatcher } from "../basics/pattern.ts";
import type { Check, Checker, Evaluated, Walk } from "./checker.ts";
import type { CheckOptions, Direction } from "./violation.ts";

export interface RecordParts {
  /** Checkers by name, except for members that are only listed as required. */
  readonly members: ReadonlyMap<string, Checker>;
  readonly patterns: readonly { readonly pattern: string; readonly checker: Checker }[];
  readonly additional: Checker;
  readonly names: Checker | undefined;
  readonly dependencies: readonly { readonly property: string; readonly checker: Checker }[];
}

/** Access of members that need not be present, by direction. */
const unwantedAccess = { response: "write-only", request: "read-only" } as const satisfies Record<Direction, string>;

/** Checker of objects. */
export class RecordChecker implements Checker {
  readonly type: RecordNode;
  readonly #parts: RecordParts;
  readonly #required: readonly string[];
  readonly #matchesPattern: PatternMatcher;

  constructor(type: RecordNode, parts: RecordParts, { direction, matchesPattern }: CheckOptions) {
    const unwanted = direction === undefined ? undefined : unwantedAccess[direction];
    this.#matchesPattern = matchesPattern;
    this.type = type;
    this.#parts = parts;
    this.#required = type.members
      .filter((member) => member.required && (member.access === undefined || member.access !== unwanted))
      .map((member) => member.name);
  }

  matches(value: unknown, check: Check): boolean {
    const { type } = this;
    if (!isRecord(value)) return type.isKindImplied === true && value !== undefined;
    if (!check.enterParts()) return true;
    const isMatch = this.#recordMatches(value, check);
    check.leaveParts();
    return isMatch;
  }

  #recordMatches(value: Readonly<Record<string, unknown>>, check: Check): boolean {
    const { minProperties, maxProperties } = this.type;
    for (const name of this.#required) if (!hasMember(value, name)) return false;
    const names = Object.keys(value);
    if (minProperties !== undefined && names.length < minProperties) return false;
    if (maxProperties !== undefined && names.length > maxProperties) return false;
    for (const name of names) if (!this.#memberMatches(name, value[name], check)) return false;
    for (const { property, checker } of this.#parts.dependencies) {
      if (hasMember(value, property) && !check.isOf(value, checker)) return false;
    }
    return true;
  }

  #memberMatches(name: string, member: unknown, check: Check): boolean {
    const { members, patterns, additional, names } = this.#parts;
    if (member === undefined) return true;
    if (names !== undefined && !names.matches(name, check)) return false;
    const known = members.get(name);
    if (known !== undefined && !known.matches(member, check)) return false;
    let isKnown = known !== undefined;
    for (const { pattern, checker } of patterns) {
      if (!this.#matchesPattern(pattern, name)) continue;
      if (!checker.matches(member, check)) return false;
      isKnown = true;
    }
    return isKnown || additional.matches(member, check);
  }

  explain(value: unknown, walk: Walk): void {
    const { type } = this;
    if (!isRecord(value)) {
      if (type.isKindImplied !== true || value === undefined) walk.report("type", "must be an object", type.place);
      return;
    }
    if (!walk.check.enterParts()) return;
    this.#explainNames(value, walk);
    for (const [name, member] of Object.entries(value)) this.#explainMember(name, member, walk);
    for (const { property, checker } of this.#parts.dependencies) {
      if (hasMember(value, property) && !walk.check.isOf(value, checker)) checker.explain(value, walk);
    }
    walk.check.leaveParts();
  }

  #explainNames(value: Readonly<Record<string, unknown>>, walk: Walk): void {
    const { minProperties, maxProperties, place, members } = this.type;
    for (const name of this.#required) {
      if (hasMember(value, name)) continue;
      const at = members.find((member) => member.name === name)?.place ?? place;
      walk.report("required", `must have the member ${JSON.stringify(name)}`, at);
    }
    const count = Object.keys(value).length;
    if (minProperties !== undefined && count < minProperties)
      walk.report("minProperties", `must have at least ${membersOf(minProperties)}`, place);
    if (maxProperties !== undefined && count > maxProperties)
      walk.report("maxProperties", `must have at most ${membersOf(maxProperties)}`, place);
  }

  #explainMember(name: string, member: unknown, walk: Walk): void {
    const { members, patterns, additional, names } = this.#parts;
    if (member === undefined) return;
    if (names !== undefined && !names.matches(name, walk.check))
      walk.report("propertyNames", "must have a name of the kind that is wanted", names.type.place, name);
    const known = members.get(name);
    if (known !== undefined) walk.inside(name, true, member, known);
    const matching = patterns.filter(({ pattern }) => this.#matchesPattern(pattern, name));
    for (const { checker } of matching) walk.inside(name, known !== undefined, member, checker);
    if (known !== undefined || matching.length > 0) return;
    if (additional.type.kind === "never")
      walk.report("additionalProperties", "must not be there: the object has no such member", this.type.place, name);
    else walk.inside(name, false, member, additional);
  }

  addEvaluated(value: unknown, check: Check, evaluated: Evaluated): void {
    if (!isRecord(value)) return;
    const { members, patterns, dependencies } = this.#parts;
    if (this.type.evaluatesAll === true) evaluated.everything = true;
    for (const name of members.keys()) evaluated.parts.add(name);
    if (patterns.length > 0) {
      for (const name of Object.keys(value)) {
        if (patterns.some(({ pattern }) => this.#matchesPattern(pattern, name))) evaluated.parts.add(name);
      }
    }
    for (const { property, checker } of dependencies) {
      if (hasMember(value, property)) checker.addEvaluated(value, check, evaluated);
    }
  }
}

function hasMember(value: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

function membersOf(count: number): string {
  return count === 1 ? "1 member" : `${count} members`;
}
