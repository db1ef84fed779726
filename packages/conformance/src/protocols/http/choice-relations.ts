import { isRecord } from "@nodewright/api-model";
import { propertyRules } from "../../properties/property-rules.ts";
import { singularOf } from "../../inference/singular.ts";
import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { armsOf, membersOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import { kebabCase } from "../../types/kebab-case.ts";
import { ask, caseOf, type HttpContext, type Observation } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { answerTypeOf, elementTypeOf } from "./operation-shape.ts";
import { fieldsName } from "./projection.ts";
import { baseInputsOf, firstValid, itemsOf, observeNow } from "./relation-base.ts";

/** Objects that a choice is tried with. */
const mostObjects = 3;
const mostChoices = 3;

const expandName = /^(?:include|includes|expand|expands|embed|embeds|with|populate|extend)$/;

/** Parameters that take names of members: to have these alone (`fields`), or beside the others (`expand`, `include`). */
export function planChoices(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const inputs = baseInputsOf(context, operation).slice(0, mostObjects);
  if (inputs.length === 0 || operation.method !== "GET") return [];
  return operation.parameters.flatMap((parameter): readonly PlannedCase[] => {
    if (parameter.required || parameter.location !== "query") return [];
    const plain = plainName(parameter.name);
    const choices = choicesOf(context, operation, parameter);
    if (choices.length === 0) return [];
    if (fieldsName.test(plain)) return planFields({ context, operation, parameter, inputs, choices });
    return expandName.test(plain) ? planExpand({ context, operation, parameter, inputs, choices }) : [];
  });
}

interface Choice {
  readonly name: string;
  /** The member that it is about. */
  readonly member: string;
}

interface Choosing {
  readonly context: HttpContext;
  readonly operation: SuiteHttpOperation;
  readonly parameter: SuiteParameter;
  readonly inputs: readonly Input[];
  readonly choices: readonly Choice[];
}

/** Names that the description lists or shows for the parameter, each with the member that it names. */
function choicesOf(
  { types }: HttpContext,
  operation: SuiteHttpOperation,
  parameter: SuiteParameter,
): readonly Choice[] {
  const arms = armsOf(parameter.type, types).flatMap((arm) =>
    arm.kind === "list" ? armsOf(arm.element, types) : [arm],
  );
  const listed = arms.flatMap((arm) => (arm.kind === "enumeration" ? arm.values : []));
  const shown = [...(parameter.examples ?? []), ...(parameter.type.examples ?? [])].flat();
  const names = (listed.length > 0 ? listed : shown).flatMap((value) =>
    typeof value === "string" ? value.split(/[,|\s]+/) : [],
  );
  const members = membersOf(elementTypeOf(operation, types) ?? answerTypeOf(operation), types);
  return [...new Set(names)].flatMap((name) => {
    const member = members.find((one) => singularOf(plainName(one.name)) === singularOf(plainName(name)));
    return member === undefined ? [] : [{ name, member: member.name }];
  });
}

/** The value that chooses several names: a list where the parameter takes one, else a text with commas. */
function chosenValue({ context, parameter }: Choosing, names: readonly string[]): unknown {
  const takesList = armsOf(parameter.type, context.types).some(({ kind }) => kind === "list");
  return firstValid(parameter, [takesList ? names : names.join(",")], context.types);
}

function planFields(choosing: Choosing): readonly PlannedCase[] {
  const { context, operation, parameter, inputs, choices } = choosing;
  const [input] = inputs;
  if (input === undefined) return [];
  const chosen = [choices.slice(0, 1), choices.slice(0, 2), choices.slice(-1)].filter(
    (some, index) => some.length === (index === 1 ? 2 : 1) && !(index === 2 && choices.length < 2),
  );
  return [
    caseOf(context, operation, {
      group: "relation",
      name: `chosen-by-${kebabCase(parameter.name)}`,
      rule: httpRules.effect,
      expected: `the members that ${parameter.name} names, and not all`,
      requests: chosen.length + 1,
      isLive: true,
      play: async (play) => {
        const whole = await observeNow(context, play, operation, input);
        const all = namesIn(whole);
        let hasLess = false;
        let isNarrowable = false;
        for (const some of chosen) {
          const value = chosenValue(
            choosing,
            some.map(({ name }) => name),
          );
          if (value === undefined) continue;
          const narrowed = await ask(context, play, operation, { ...input, [parameter.property]: value });
          const found = successFindings(context, play, narrowed, propertyRules.validInput);
          if (narrowed.judged.kind !== "success") return found;
          const names = namesIn(narrowed);
          if (objectsOf(narrowed).length === 0) return found;
          const lacking = some.filter(({ member }) => all.has(member) && !names.has(member));
          const [first] = lacking;
          if (first !== undefined) {
            const message = `A member that ${parameter.name} names is not there`;
            return [...found, choiceFinding(httpRules.effect, message, first.member, parameter)];
          }
          if (found.length > 0) return found;
          isNarrowable ||= [...all].filter((name) => !some.some(({ member }) => member === name)).length > 1;
          hasLess ||= [...all].some((name) => !names.has(name));
        }
        // Where all that is named is there without being asked for, to name it can but leave out the rest.
        const areUsual = choices.every(({ member }) => all.has(member));
        if (hasLess || !isNarrowable || !areUsual) return [];
        const message = `The members are the same whatever ${parameter.name} names`;
        return [choiceFinding(httpRules.effect, message, [...all].join(", "), parameter)];
      },
    }),
  ];
}

function planExpand(choosing: Choosing): readonly PlannedCase[] {
  const { context, operation, parameter, inputs } = choosing;
  const choices = choosing.choices.slice(0, mostChoices);
  return [
    caseOf(context, operation, {
      group: "relation",
      name: `chosen-by-${kebabCase(parameter.name)}`,
      rule: httpRules.effect,
      expected: `the members that ${parameter.name} names beside the others, together as alone`,
      requests: inputs.length * (choices.length + 2),
      isLive: true,
      play: async (play) => {
        const shown = new Set<string>();
        const owed = new Set<string>();
        let hasRefused = false;
        for (const input of inputs) {
          const bare = await observeNow(context, play, operation, input);
          const alone = new Map<Choice, Observation>();
          for (const choice of choices) {
            const one = await tryChoice(play, choosing, input, [choice]);
            if (one === undefined) continue;
            const found = successFindings(context, play, one, propertyRules.validInput);
            if (one.judged.kind !== "success" || found.length > 0) return found;
            alone.set(choice, one);
            const isThere = namesIn(one).has(choice.member);
            if (isThere) shown.add(choice.member);
            if (namesIn(bare).has(choice.member) && !isThere) {
              const message = `/${choice.member} is there without ${parameter.name}, and not where it names it`;
              return [choiceFinding(httpRules.effect, message, choice.name, parameter)];
            }
            if (!isThere && holdsReference(bare, choice.member)) owed.add(choice.member);
          }
          if (choices.length < 2) continue;
          const together = await tryChoice(play, choosing, input, choices);
          if (together === undefined) continue;
          hasRefused ||= together.judged.kind !== "success";
          if (together.judged.kind !== "success") continue;
          const lost = choices.find((choice) => {
            const one = alone.get(choice);
            return one !== undefined && namesIn(one).has(choice.member) && !namesIn(together).has(choice.member);
          });
          const lonely = choices.find((choice) => {
            const one = alone.get(choice);
            return one !== undefined && !namesIn(one).has(choice.member) && namesIn(together).has(choice.member);
          });
          if (lost === undefined && lonely === undefined) continue;
          const how = lost === undefined ? "beside others, and not alone" : "alone, and not beside others";
          const message = `A member that ${parameter.name} names is there ${how}`;
          const { member = "" } = lost ?? lonely ?? {};
          return [...together.judged.findings, choiceFinding(httpRules.effect, message, member, parameter)];
        }
        if (hasRefused) return [];
        const never = choices.filter(({ member }) => !shown.has(member));
        const [first] = never;
        if (first === undefined) return [];
        const isOwed = never.some(({ member }) => owed.has(member));
        const message = `/${first.member} is not there where ${parameter.name} names it`;
        const rule = isOwed ? httpRules.effect : httpRules.effectLikely;
        return [choiceFinding(rule, message, `in none of ${inputs.length} answers`, parameter)];
      },
    }),
  ];
}

async function tryChoice(
  play: CasePlay,
  choosing: Choosing,
  input: Input,
  choices: readonly Choice[],
): Promise<Observation | undefined> {
  const { context, operation, parameter } = choosing;
  const value = chosenValue(
    choosing,
    choices.map(({ name }) => name),
  );
  return value === undefined ? undefined : ask(context, play, operation, { ...input, [parameter.property]: value });
}

/** Whether an object names what a member would embed: `hut_ids` or `hutId` of `huts`. */
function holdsReference(observation: Observation, member: string): boolean {
  const thing = singularOf(plainName(member));
  const isReference = new RegExp(`^${thing}s?(?:id|ids|code|codes|uuid|slug|key)$`);
  return objectsOf(observation).some((object) =>
    Object.entries(object).some(([name, value]) => {
      if (!isReference.test(plainName(name))) return false;
      return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== "";
    }),
  );
}

/** The objects of a list, or the one that an answer is. */
function objectsOf(observation: Observation): readonly Readonly<Record<string, unknown>>[] {
  const items = itemsOf(observation).filter(isRecord);
  if (items.length > 0) return items;
  const { value } = observation.judged;
  return isRecord(value) ? [value] : [];
}

/** Members that some object has and that say something. */
function namesIn(observation: Observation): ReadonlySet<string> {
  const { value } = observation.judged;
  const isOne = isRecord(value) && !isListAnswer(observation);
  const objects = isOne ? [value] : objectsOf(observation);
  return new Set(
    objects.flatMap((object) =>
      Object.keys(object).filter((name) => object[name] !== null && object[name] !== undefined),
    ),
  );
}

/** An object with a list in it may be the thing itself: what is listed has to be what the answer is about. */
function isListAnswer({ operation }: Observation): boolean {
  const last = operation.path.split("/").findLast((segment) => segment !== "") ?? "";
  return !last.startsWith("{");
}

function choiceFinding(rule: Rule, message: string, detail: string, parameter: SuiteParameter): Finding {
  return { rule, message, detail, ...withPlace(parameter.place ?? parameter.type.place) };
}
