import { canonicalText, isRecord } from "@nodewright/api-model";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Finding } from "../contract/finding.ts";
import type { CaseDraft, CasePlay } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import type { Parameter } from "../inference/list-roles.ts";
import { type UnknownIdentifier, unknownIdentifier } from "../inference/unknown-identifier.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { withPlace } from "../suite/with-place.ts";
import { isValueOf, kebabCase, type RandomSource } from "@nodewright/api-values";
import type { FailedCall } from "./failed-call.ts";
import type { Input } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";

/** The failure that a description declares for an object that does not exist. */
export interface DeclaredAbsence {
  /** Name in messages: "status 404". */
  readonly text: string;
  /** Correct statuses or codes. */
  readonly codes: readonly number[];
  /** Whether it applies only to the object that the parameter identifies. */
  readonly isOwn: boolean;
  readonly place?: Place;
}

/** An operation that looks up an object, for any protocol. */
export interface LookupOperation {
  readonly types: SuiteTypes;
  readonly result?: SuiteType | undefined;
  readonly place?: Place;
  /** Parameters that identify the object. */
  readonly identifiers: readonly Parameter[];
  /** Input that had a value, or might have one. */
  readonly base: Input;
  readonly random: RandomSource;
  /** Returns known values of a parameter that identify an object. */
  known(parameter: Parameter): readonly unknown[];
  /** Returns the declared failure; undefined where the description has none for an object that does not exist. */
  declared(parameter: Parameter): DeclaredAbsence | undefined;
  call(play: CasePlay, input: Input): Promise<FailedCall>;
  /** Whether the operation that returns the object itself reports that it does not exist. */
  isAbsent?(play: CasePlay, parameter: Parameter, value: unknown): Promise<boolean>;
}

const searchText = /^(?:q|query|search|term|terms|text|keywords?|phrase)$/;

/** Number of further random identifiers to try where one has a result. */
const furtherLooks = 2;

/**
 * Plans calls with a well-formed identifier of no object, which have to return the documented failure or an empty result, and never an
 * object.
 */
export function planNotFound(operation: LookupOperation): readonly CaseDraft[] {
  const { base, types, random, identifiers } = operation;
  // A search for a text finds nothing; it has no absent object.
  const identifying = identifiers.filter(({ name }) => !searchText.test(plainName(name)));
  return identifying.flatMap((parameter): readonly CaseDraft[] => {
    const { property } = parameter;
    const source = random.fork(`unknown-${property}`);
    const unknown = unknownIdentifier(parameter, base[property], operation.known(parameter), types, source);
    if (unknown === undefined) return [];
    const declared = operation.declared(parameter);
    const input = { ...base, [property]: unknown.value };
    return [
      {
        group: "negative",
        name: `${kebabCase(property)}-unknown`,
        rule: ruleOf(declared, unknown),
        expected: declared === undefined ? "a failure, or nothing" : `${declared.text}, as documented`,
        input,
        play: async (play) => {
          const outcome = await operation.call(play, input);
          const isCertain = await isCertainly(operation, play, parameter, unknown, outcome);
          const mayExist = unknown.mayExist === true && !(await isOfAny(operation, play, parameter, outcome, source));
          const sure = { ...unknown, isCertain, mayExist };
          return [...outcome.findings, ...notFoundFindings(operation, parameter, sure, outcome)];
        },
      },
    ];
  });
}

function ruleOf(declared: DeclaredAbsence | undefined, { isCertain }: UnknownIdentifier): Rule {
  return declared?.isOwn === true && isCertain ? propertyRules.notFound : propertyRules.notFoundGuessed;
}

/** Whether no object has an identifier: by its form, or according to responses. */
async function isCertainly(
  operation: LookupOperation,
  play: CasePlay,
  parameter: Parameter,
  { value, isCertain, mayExist }: UnknownIdentifier,
  { result }: FailedCall,
): Promise<boolean> {
  if (isCertain || result === undefined || operation.declared(parameter)?.isOwn !== true) return isCertain;
  if (mayExist === true && isOfAnother(operation, parameter, value, result.value)) return true;
  return (await operation.isAbsent?.(play, parameter, value)) ?? false;
}

/** Whether other random identifiers have the same result: then none of them is found by chance. */
async function isOfAny(
  operation: LookupOperation,
  play: CasePlay,
  parameter: Parameter,
  { result }: FailedCall,
  source: RandomSource,
): Promise<boolean> {
  const { base, types } = operation;
  if (result === undefined || isNothing(result.value) || operation.declared(parameter)?.isOwn !== true) return false;
  const text = canonicalText(result.value);
  for (let look = 0; look < furtherLooks; look += 1) {
    const other = unknownIdentifier(parameter, base[parameter.property], operation.known(parameter), types, source);
    if (other === undefined) return false;
    const { result: same } = await operation.call(play, { ...base, [parameter.property]: other.value });
    if (same === undefined || canonicalText(same.value) !== text) return false;
  }
  return true;
}

function notFoundFindings(
  operation: LookupOperation,
  parameter: Parameter,
  unknown: UnknownIdentifier,
  { result, failure }: FailedCall,
): readonly Finding[] {
  const declared = operation.declared(parameter);
  const rule = ruleOf(declared, unknown);
  const place = withPlace(declared?.place ?? operation.place ?? parameter.place);
  const instead = declared === undefined ? "" : ` instead of ${declared.text}`;
  const what = `for a ${parameter.name} that does not exist`;
  if (result !== undefined) {
    const { value } = result;
    const detail = showValue(value);
    if (isNothing(value)) {
      const mayBeNull =
        declared?.codes.length === 0 ||
        operation.result === undefined ||
        isValueOf(operation.result, null, operation.types, "response");
      const isExpected = declared?.isOwn !== true || (value === null && mayBeNull);
      return isExpected ? [] : [{ rule, message: `there is an empty result ${what}${instead}`, detail, ...place }];
    }
    // A random value out of few may exist by chance: the returned object then contains it.
    const isFound = unknown.mayExist === true && !isOfAnother(operation, parameter, unknown.value, value);
    if (isFound || (declared === undefined && typeof value !== "object")) return [];
    return [{ rule, message: `there is a result ${what}${instead}`, detail, ...place }];
  }
  if (failure?.isInternal === true) {
    const internal = declared === undefined ? rule : propertyRules.notFound;
    const message = `there is an internal error ${what}${instead}`;
    return [{ rule: internal, message, detail: failure.text, ...place }];
  }
  if (declared === undefined || failure === undefined || failure.kind === "unclear") return [];
  if (declared.codes.includes(failure.code)) return [];
  // The value may break a checksum, or another rule that the type does not express.
  if (failure.kind === "refused" && !unknown.isCertain) return [];
  // A failure that the description does not declare is wrong even if the value is in doubt.
  const broken = failure.kind === "other" ? propertyRules.notFound : rule;
  return [
    { rule: broken, message: `there is another failure ${what} than ${declared.text}`, detail: failure.text, ...place },
  ];
}

/** Names of members of a page next to its elements. */
const pagingName = /limit|total|count|offset|skip|page|size|cursor|next|prev|more|last|first/;

/** Whether a value represents an absent object: zeros are unset values. */
function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === "string") return /^(?:0x)?0*$/i.test(value);
  if (!isRecord(value)) return value === null || value === undefined || value === 0 || value === false;
  const members = Object.entries(value);
  const isPage = members.length === 0 || members.some(([, member]) => Array.isArray(member));
  return (
    isPage &&
    members.every(
      ([name, member]) => (typeof member !== "object" && pagingName.test(plainName(name))) || isNothing(member),
    )
  );
}

/** Whether an object has another value of the parameter's type instead of the one in the call. */
function isOfAnother({ types }: LookupOperation, { type }: Parameter, wanted: unknown, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const members = Object.values(value);
  return !members.includes(wanted) && members.some((member) => isValueOf(type, member, types, "response"));
}
