import { isRecord } from "@nodewright/api-model";
import { armsOf, memberOf } from "../../compare/member-facts.ts";
import { textOf } from "../../compare/list-of.ts";
import { listedValues } from "../../inference/list-filters.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../../suite/suite-type.ts";

/** What a filter compares: a member of elements, and the member of its objects where it holds objects. */
export interface ComparedMember {
  readonly member: RecordMember;
  /** Undefined where the document does not tell which member of the objects is meant. */
  readonly inner?: string;
}

/** Which member of an element's objects a filter is about: the only one that has the same listed values. */
export function comparedMember(member: RecordMember, filter: SuiteType, types: SuiteTypes): ComparedMember {
  const wanted = new Set(listedValues(filter, types).map(textOf));
  if (wanted.size === 0) return { member };
  const names = new Set<string>();
  for (const arm of objectArms(member.type, types)) {
    for (const { name, type } of arm.members) {
      const values = listedValues(type, types);
      if (values.length > 0 && values.every((value) => wanted.has(textOf(value)))) names.add(name);
    }
  }
  const [inner] = names;
  const isKnown = inner !== undefined && names.size === 1;
  return isKnown && objectArms(member.type, types).every((arm) => memberOf(arm, inner, types) !== undefined)
    ? { member, inner }
    : { member };
}

/** The plain values that an element has of a member; undefined where it holds objects of which nothing can be told. */
export function elementValues(item: unknown, { member, inner }: ComparedMember): readonly unknown[] | undefined {
  const found = isRecord(item) ? item[member.name] : undefined;
  const values: unknown[] = [];
  for (const one of Array.isArray(found) ? found : [found]) {
    const value = isRecord(one) && inner !== undefined ? one[inner] : one;
    if (typeof value === "object" && value !== null) return undefined;
    values.push(value);
  }
  return values;
}

function objectArms(type: SuiteType, types: SuiteTypes): readonly Extract<SuiteType, { kind: "record" }>[] {
  return armsOf(type, types)
    .flatMap((arm) => (arm.kind === "list" ? armsOf(arm.element, types) : [arm]))
    .filter((arm) => arm.kind === "record");
}
