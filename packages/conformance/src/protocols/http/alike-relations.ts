import { isRecord } from "@nodewright/api-model";
import { withPlace } from "../../suite/with-place.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { type Difference, differences } from "../../compare/differences.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { isTime } from "../../examples/example-trust.ts";
import { isHexadecimalText } from "../../live/hexadecimal-text.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { isOwnIdentifier } from "../../inference/own-identifier.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { caseOf, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { identifierOf, identityOf, isIdentifier, textOf } from "../../compare/list-of.ts";
import { isImmutableObservation } from "./immutable.ts";
import {
  answersList,
  elementTypeOf,
  isByChance,
  subjectNameOf,
  subjectParameterOf,
  thingsOf,
} from "./operation-shape.ts";
import { itemsOf, observeNow } from "./relation-base.ts";

/** Members that a parameter of such a name changes are no drift. */
const shapingName =
  /^(?:fields?|select|include|expand|embed|with|view|projection|format|lang|language|locale|currency|units?|verbose|verbosity|detailed|full)/;

/** How answers to the same request are compared: what the description does not name may be of the request, as a trace of it is. */
const repeatedly = { namesExtra: true, skipsUnnamed: true };

/** One thing that is found under several of its names, or several times, is the same thing. */
export function planObjects(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const subject = subjectParameterOf(operation);
  const hasOthers = operation.parameters.some(({ location }) => location !== "path" && location !== "header");
  if (subject === undefined || hasOthers || operation.method !== "GET" || isByChance(operation)) return [];
  return [
    caseOf(context, operation, {
      group: "relation",
      name: "objects-alike",
      rule: propertyRules.steadyGuessed,
      expected: "the same object in every answer that is about it",
      requests: 0,
      isLive: true,
      play: async () => {
        const known = new Map<string, Observation>();
        for (const one of wellObserved(context, operation.name)) {
          const { value } = one.judged;
          const name = isRecord(value) ? ownNameOf(operation, value) : undefined;
          if (name === undefined) continue;
          const first = known.get(name);
          if (first === undefined) {
            known.set(name, one);
            continue;
          }
          const found = differences(first.judged.type, first.judged.value, value, context.types, repeatedly);
          const isFixed = isImmutableObservation(context, one) && isImmutableObservation(context, first);
          const difference = found.find((each) => isFixed || !mayMove(each));
          if (difference === undefined) continue;
          const message = `${difference.steady} is another in different answers about the same object`;
          const detail = `${difference.pointer} ${difference.detail}`;
          return [
            {
              rule: propertyRules.steadyGuessed,
              message,
              detail,
              pointer: difference.steady,
              ...withPlace(difference.place),
            },
          ];
        }
        return [];
      },
    }),
  ];
}

/** The member by which an object calls itself. */
function ownNameOf(operation: SuiteHttpOperation, value: Readonly<Record<string, unknown>>): string | undefined {
  const subject = subjectNameOf(operation) ?? "";
  const names = Object.keys(value);
  const wanted = ["id", "uuid", "hash", "txid", `${subject}id`, `${subject}hash`];
  const name = wanted.flatMap((one) => names.filter((each) => plainName(each) === one))[0];
  const found = name === undefined ? undefined : value[name];
  return isIdentifier(found) ? textOf(found) : undefined;
}

/** The same element is the same in every answer of an operation, whatever page of it. */
export function planElements(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const isShaped = operation.parameters.some(({ name }) => shapingName.test(plainName(name)));
  // Parts of one thing are told apart within it, not by themselves.
  const isOfParts = subjectParameterOf(operation) !== undefined;
  if (
    operation.method !== "GET" ||
    isOfParts ||
    isShaped ||
    isByChance(operation) ||
    !answersList(operation, context.types)
  )
    return [];
  return [
    caseOf(context, operation, {
      group: "relation",
      name: "elements-alike",
      rule: propertyRules.steadyGuessed,
      expected: "the same element in every answer that lists it",
      requests: 0,
      isLive: true,
      play: async (play) => {
        const difference = await elementDifference(context, play, operation);
        if (difference === undefined) return [];
        const pointer = `/*${difference.steady}`;
        const message = `${pointer} is another in different answers`;
        const detail = `${difference.pointer} ${difference.detail}`;
        return [{ rule: propertyRules.steadyGuessed, message, detail, pointer, ...withPlace(difference.place) }];
      },
    }),
  ];
}

/** An element as one answer has it. */
interface SeenElement {
  readonly item: unknown;
  readonly answer: Observation;
}

/** What one element has otherwise in two answers. Elements change as time goes by; what comes back, or is still so in both, did not. */
async function elementDifference(
  context: HttpContext,
  play: CasePlay,
  operation: SuiteHttpOperation,
): Promise<Difference | undefined> {
  const element = elementTypeOf(operation, context.types);
  const answers = wellObserved(context, operation.name);
  const identifier = identifierOf(answers.flatMap(itemsOf));
  if (identifier === undefined || !isOwnIdentifier(thingsOf(operation) ?? "", identifier)) return undefined;
  const differenceOf = (left: unknown, right: unknown): Difference | undefined =>
    differences(element, left, right, context.types, repeatedly).find((one) => !mayMove(one));
  const named = (one: Observation, identity: string): unknown =>
    itemsOf(one).find((other) => identityOf(other, identifier) === identity);
  let unsure: Difference | undefined;
  for (const [identity, seen] of elementsByIdentity(answers, identifier)) {
    const [first, ...others] = seen;
    const other = others.find(({ item }) => differenceOf(first?.item, item) !== undefined);
    const difference = first === undefined || other === undefined ? undefined : differenceOf(first.item, other.item);
    if (first === undefined || other === undefined || difference === undefined) continue;
    const later = others.slice(others.indexOf(other) + 1);
    if (later.some(({ item }) => differenceOf(first.item, item) === undefined)) return difference;
    if (unsure !== undefined || (context.session.callsLeft?.(operation.name) ?? 0) < 2) {
      unsure ??= difference;
      continue;
    }
    const before = named(await observeNow(context, play, operation, first.answer.input), identity);
    const after = named(await observeNow(context, play, operation, other.answer.input), identity);
    const still = before === undefined || after === undefined ? undefined : differenceOf(before, after);
    if (still !== undefined) return still;
    unsure = difference;
  }
  return unsure;
}

function elementsByIdentity(
  answers: readonly Observation[],
  identifier: string,
): ReadonlyMap<string, readonly SeenElement[]> {
  const found = new Map<string, SeenElement[]>();
  for (const answer of answers) {
    for (const item of itemsOf(answer)) {
      const identity = identityOf(item, identifier);
      if (identity !== undefined) found.set(identity, [...(found.get(identity) ?? []), { item, answer }]);
    }
  }
  return found;
}

/** Numbers and times move where nothing is named that never changes; so do the hashes of a state. */
function mayMove({ kind, name, element, expected, actual }: Difference): boolean {
  if (kind === "length") return true;
  if (kind !== "value") return false;
  const areNumbers = isNumber(expected) && isNumber(actual);
  return (
    areNumbers ||
    name === "" ||
    (isTime(expected) && isTime(actual)) ||
    (element === undefined && isHexadecimalText(expected) && isHexadecimalText(actual))
  );
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}
