import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { armsOf } from "./member-facts.ts";
import { plainName } from "./volatile-names.ts";

/** A parameter that lets through what has at least, or at most, its value of a member. */
export interface RangeRole {
  readonly kind: "minimum" | "maximum";
  readonly member: RecordMember;
}

const minimumWord = /^(?:min|minimum|gte|from|start|since|atleast|ge|lower|after|above|newerthan|notbefore|begin)$/;
const maximumWord = /^(?:max|maximum|lte|to|end|until|till|atmost|le|upper|before|below|olderthan|notafter)$/;
/** Endings that say what a member holds: `opened_after` is about `opened_on`. */
const timeEnding = /(?:on|at|date|time|datetime|day|timestamp)$/;
/** Names of the time that a thing is of; a birthday, or when it ends, is another matter. */
const happenedName =
  /^(?:at|on|date|time|timestamp|datetime|day|(?:creat|publish|post|record|releas|issu|observ|measur|log)ed(?:at|on|date|time)?|(?:occurr|happen)ed(?:at|on)?|sent(?:at|on)?)$/;

/** The range of elements that a name and a type tell of: `minPrice`, `fromHeight`, `createdAfter`; `since` of what has one time alone. */
export function rangeRoleOf(
  name: string,
  type: SuiteType,
  members: readonly RecordMember[],
  types: SuiteTypes,
): RangeRole | undefined {
  const plain = plainName(name);
  const isTime = isTimeType(type, types);
  const fitting = members.filter((member) => isTimeType(member.type, types) === isTime);
  for (const member of fitting) {
    for (const stem of stemsOf(member, isTime)) {
      const rest = plain.startsWith(stem)
        ? plain.slice(stem.length)
        : plain.endsWith(stem)
          ? plain.slice(0, -stem.length)
          : "";
      if (minimumWord.test(rest)) return { kind: "minimum", member };
      if (maximumWord.test(rest)) return { kind: "maximum", member };
    }
  }
  const [only, ...others] = isTime ? fitting : [];
  if (only === undefined || others.length > 0 || !happenedName.test(plainName(only.name))) return undefined;
  if (/^(?:since|after|from)(?:date|time|day)?$/.test(plain)) return { kind: "minimum", member: only };
  return /^(?:until|till|before|to)(?:date|time|day)?$/.test(plain) ? { kind: "maximum", member: only } : undefined;
}

function stemsOf({ name }: RecordMember, isTime: boolean): ReadonlySet<string> {
  const plain = plainName(name);
  const stems = isTime ? [plain, plain.replace(timeEnding, "")] : [plain];
  return new Set(stems.filter((stem) => stem !== ""));
}

/** A date, or a date with a time. */
export function isTimeType(type: SuiteType, types: SuiteTypes): boolean {
  return armsOf(type, types).some((arm) => arm.kind === "string" && /^date(?:-time)?$/.test(arm.format ?? ""));
}
