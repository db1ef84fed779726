import type { RecordMember, SuiteTypes } from "../suite/suite-type.ts";
import { nameWords } from "../basics/name-words.ts";
import { armsOf, isTimeType } from "./member-facts.ts";
import { plainName } from "./volatile-names.ts";

/** Words for units, or for times: `durationSeconds`, `publishedAt`. */
const measureWord =
  /^(?:at|on|date|time|datetime|timestamp|ms|millis|milliseconds|s|sec|secs|seconds|min|mins|minutes|h|hours|days|weeks|months|years|m|mm|cm|km|m2|m3|km2|sqm|ha|metres|meters|kilometres|kilometers|miles|feet|g|kg|grams|kilograms|kilos|tonnes|bytes|kb|mb|gb|cents|eur|usd|gbp|amount|value|celsius|percent|pct)$/;
/** Words that change the meaning of the following ones: `averagePrice` is not the price of one object. */
const otherWord =
  /^(?:avg|average|mean|median|min|minimum|max|maximum|lowest|highest|least|most|total|sum|count|previous|last|next|first|old|new|original|former|expected|estimated|target|reserve|discount|net|gross|parent|child)$/;

/** Names of the time of an event; a birthday, or an end, does not match. */
const happenedName =
  /^(?:at|on|date|time|timestamp|datetime|day|(?:creat|publish|post|record|releas|issu|observ|measur|logg?|start|plac|add|submitt|order|scann|collect|receiv)ed(?:at|on|date|time)?|sold(?:at|on)?|(?:occurr|happen)ed(?:at|on)?|sent(?:at|on)?)$/;

/** Whether a member is the time of an event, by its name. */
export function isMomentName(name: string): boolean {
  return happenedName.test(plainName(name));
}

/** Returns the only member whose name starts or ends with these words, and whose values have an order: numbers or times. */
export function partlyNamed(
  words: readonly string[],
  members: readonly RecordMember[],
  types: SuiteTypes,
): RecordMember | undefined {
  if (words.length === 0 || words.some((word) => word.length < 3)) return undefined;
  const near = members.filter(({ name }) => {
    const own = nameWords(name);
    return own.some((_word, start) => words.every((word, index) => own[start + index] === word));
  });
  const [only, ...others] = near;
  if (only === undefined || others.length > 0 || !hasOrder(only, types)) return undefined;
  const own = nameWords(only.name);
  const isBeginning = words.every((word, index) => own[index] === word);
  const rest = isBeginning ? own.slice(words.length) : own.slice(0, -words.length);
  const isFit = isBeginning
    ? rest.every((word) => measureWord.test(word))
    : rest.length === 1 && words.at(-1) === own.at(-1) && rest.every((word) => !otherWord.test(word));
  return isFit ? only : undefined;
}

function hasOrder({ name, type }: RecordMember, types: SuiteTypes): boolean {
  const arms = armsOf(type, types).filter(({ kind }) => kind !== "null");
  return (
    isTimeType(type, types) || isMomentName(name) || (arms.length > 0 && arms.every(({ kind }) => kind === "number"))
  );
}
