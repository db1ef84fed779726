import { isRecord } from "@nodewright/api-model";
import { identifierOf, identityOf } from "../compare/list-of.ts";
import { plainName } from "../compare/volatile-names.ts";
import { inferChooser, inferSwitch, type Switch } from "../inference/effect-roles.ts";
import type { Parameter } from "../inference/list-roles.ts";
import { singularOf } from "../basics/singular.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import { kebabCase } from "@nodewright/api-values";
import { itemsOf } from "./choice.ts";
import type { Input, Result } from "./operation.ts";
import { type Check, comparing, type Knowledge, type Problem, type Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that a parameter that decides what a result contains has this effect: members that it names, elements that it adds. */
export const effectProperty: Property = { name: "effect", rule: propertyRules.effect, checks };

/** Maximum number of values of one parameter to call with. */
const mostValues = 4;

function* checks(knowledge: Knowledge): Generator<Check> {
  const list = knowledge.operation.isOfOne === true ? undefined : knowledge.list;
  const object = list === undefined ? knowledge.operation.result : list.element;
  for (const parameter of knowledge.free) {
    if (list !== undefined && knowledge.filters.some((one) => one.parameter === parameter)) continue;
    const part =
      selectionCheck(knowledge, parameter, object) ?? switchCheck(knowledge, parameter, object, list !== undefined);
    const name = `effect-${kebabCase(parameter.name)}`;
    if (part !== undefined) yield { name, parameter, mayBeRefused: true, isWhole: true, ...part };
  }
}

type Part = Pick<Check, "expected" | "guess" | "inputs" | "furtherCalls" | "verify"> | undefined;

/** Returns the objects of a result: the elements of a list, or the result itself. */
function objectsOf({ operation }: Knowledge, result: Result): readonly Readonly<Record<string, unknown>>[] {
  const items = operation.isOfOne === true ? [] : itemsOf(result).filter(isRecord);
  return items.length > 0 ? items : [result.value].filter(isRecord);
}

/** Returns the names of members that are neither null nor absent in some object. */
function namesIn(knowledge: Knowledge, result: Result): ReadonlySet<string> {
  const entries = objectsOf(knowledge, result).flatMap((object) => Object.entries(object));
  return new Set(entries.flatMap(([name, value]) => (value === null || value === undefined ? [] : [name])));
}

/**
 * Returns the check of a parameter that names members: `fields` omits the members that it does not name, `expand` adds those that it names;
 * several names have the effect of each one.
 */
function selectionCheck(knowledge: Knowledge, parameter: Parameter, object: SuiteType | undefined): Part {
  const { base, operation } = knowledge;
  const chooser = inferChooser(parameter, object, operation.types);
  if (chooser === undefined) return undefined;
  const { name, property } = parameter;
  const choices = chooser.choices.slice(0, mostValues - 1);
  const groups = [...choices.map((one) => [one]), ...(choices.length > 1 ? [choices] : [])];
  const inputs = groups.map((some): Input => ({ ...base, [property]: chooser.given(some.map((one) => one.name)) }));
  return {
    expected: `the members that ${name} names, several as each alone`,
    guess: `the values of \`${name}\` are taken for names of members, as they are called`,
    inputs: [base, ...inputs],
    verify: async (call) => {
      const [bare] = await call(base);
      const named = await call(...inputs);
      if (named.some((one) => objectsOf(knowledge, one).length === 0)) return [];
      const usual = namesIn(knowledge, bare);
      const found = named.map((one) => namesIn(knowledge, one));
      for (const choice of choices) {
        const { name: value, member } = choice;
        const seen = groups.flatMap((some, index) => (some.includes(choice) ? [found[index]?.has(member)] : []));
        const isOwed = usual.has(member) || seen.includes(true) || isReferred(knowledge, bare, member);
        if (seen.includes(false) && isOwed)
          return [{ message: `/${member} is not there where ${name} names it`, detail: `${name} names ${value}` }];
      }
      // A single member may be returned whichever names are given.
      const isKept = usual.size > 2 && found.every((names) => [...usual].every((one) => names.has(one)));
      const areUsual = choices.every(({ member }) => usual.has(member));
      if (!chooser.isOnly || !isKept || !areUsual) return [];
      return [{ message: `The members are the same whatever ${name} names`, detail: [...usual].join(", ") }];
    },
  };
}

/** Whether an object refers to what a member would embed: `hut_ids` or `hutId` for `huts`. */
function isReferred(knowledge: Knowledge, result: Result, member: string): boolean {
  const isReference = new RegExp(`^${singularOf(plainName(member))}s?(?:id|ids|code|codes|uuid|slug|key)$`);
  return objectsOf(knowledge, result).some((object) =>
    Object.entries(object).some(
      ([name, value]) =>
        isReference.test(plainName(name)) && value !== null && value !== undefined && String(value) !== "",
    ),
  );
}

/** Returns the check that the result with one value of a switch is a part of the result with the other value. */
function switchCheck(
  knowledge: Knowledge,
  parameter: Parameter,
  object: SuiteType | undefined,
  isOfList: boolean,
): Part {
  const { operation, base, widest } = knowledge;
  const found = inferSwitch(parameter, object, operation.types, isOfList);
  if (found === undefined) return undefined;
  const { full, isOfElements, member } = found;
  const { name, property } = parameter;
  const inputOf = (value: boolean): Input => ({ ...base, ...(isOfElements ? widest : {}), [property]: value });
  const [part, whole] = [inputOf(!full), inputOf(full)];
  const isShown = (operation.examples ?? []).some(
    ({ input, value }) =>
      input[property] === full && member !== undefined && namesIn(knowledge, { value }).has(member.name),
  );
  return {
    expected: `where ${name} is ${!full} a part of what is returned where it is ${full}`,
    guess: `\`${name}\` is taken to decide how much is returned, by its name`,
    ...comparing([part, whole], ([less, more]) => {
      if (isOfElements) return elementProblems(knowledge, name, found, less, more);
      const [few, many] = [namesIn(knowledge, less), namesIn(knowledge, more)];
      if (many.size < few.size && [...many].every((one) => few.has(one)))
        return [{ message: `The result has less where ${name} is ${full} than where it is ${!full}` }];
      const isSeen = isShown || (member !== undefined && few.has(member.name));
      const isSame = isSeen && knowledge.differencesOf(less.value, more.value).length === 0;
      return isSame && operation.isSelective !== true
        ? [{ message: `The result is the same whatever ${name} is` }]
        : [];
    }),
  };
}

function elementProblems(
  { isEnded }: Knowledge,
  name: string,
  { full, member }: Switch,
  less: Result,
  more: Result,
): readonly Problem[] {
  const [part, whole] = [itemsOf(less), itemsOf(more)];
  const others = part.filter((item) => member !== undefined && isRecord(item) && item[member.name] === full).length;
  if (others > 0) {
    const message = `There are elements whose ${member?.name} is ${full} where ${name} is ${!full}`;
    return [{ message, detail: `${others} of ${part.length}` }];
  }
  const identifier = identifierOf([...part, ...whole]);
  const known = new Set(whole.map((item) => identityOf(item, identifier)));
  const beyond = part.map((item) => identityOf(item, identifier)).filter((one) => one !== undefined && !known.has(one));
  if (more.page === undefined || !isEnded(more.page) || beyond.length === 0) return [];
  const message = `There are elements where ${name} is ${!full} that are not there where it is ${full}`;
  return [{ message, detail: `${beyond.length} of ${part.length}` }];
}
