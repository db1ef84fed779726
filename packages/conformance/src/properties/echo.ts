import { canonicalText, escapeSegment, isRecord } from "@nodewright/api-model";
import { isIdentifier, listOf } from "../compare/list-of.ts";
import { armsOf, elementOf, membersOf } from "../compare/member-facts.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import { identifierMemberOf, isIdentifying, maySameIdentify } from "../inference/identifier-member.ts";
import { defaultOf, inferListRoles, type ListRole, type Parameter } from "../inference/list-roles.ts";
import { isGraded, isLoose } from "../inference/name-meaning.ts";
import { singularOf } from "../basics/singular.ts";
import { otherThanCalledFor } from "./identity.ts";
import type { Input, OperationDescription } from "./operation.ts";
import type { CalledResult, Problem, ResponseProperty } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that a result that repeats a value of the call has the same value, and so do the elements of a list that was called for by it. */
export const echoProperty: ResponseProperty = { rule: propertyRules.echo, inspect };

/** Names of parameters whose value may differ in a result from the one sent: the value that was found, or an adjusted one. */
const adjustedName =
  /limit|size|count|page|offset|skip|start|cursor|token|after|before|sort|order|fields?|include|expand|lang|locale|format|time|date|since|until|version|status|state|type|kind|target|blocks|amount|value|price|total|cost|sum|fee|balance|level/;
type Element = Readonly<Record<string, unknown>>;

/** Maximum difference of numbers that a server may round to a grid or to a number of digits. */
const nearNumbers = 0.5;

function inspect(operation: OperationDescription, { input, result }: CalledResult): readonly Problem[] {
  const { value } = result;
  const items = (result.page?.items ?? listOf(value)?.items ?? []).filter(isRecord);
  return [
    ...(isRecord(value) ? [...repeated(operation, input, value), ...repeatedLists(operation, input, value)] : []),
    ...operation.parameters.flatMap((parameter) =>
      elementProblems(operation, parameter, input, items, isOfWhole(operation, parameter, value)),
    ),
  ];
}

/** Whether a result has the identifier of the call itself. */
function isOfWhole(operation: OperationDescription, parameter: Parameter, value: unknown): boolean {
  return isRecord(value) && identifierMemberOf(operation, parameter, Object.keys(value)) !== undefined;
}

function repeated(operation: OperationDescription, input: Input, value: Element): readonly Problem[] {
  const roles = inferListRoles(operation.parameters, operation.types);
  const { length } = listOf(value)?.items ?? [];
  return operation.parameters.flatMap((parameter): readonly Problem[] => {
    const { name, property, type } = parameter;
    const plain = plainName(name);
    const member = Object.keys(value).find((one) => plainName(one) === plain);
    if (member === undefined) return [];
    const wanted = input[property] ?? defaultOf(parameter, operation.types);
    const isFixed = !isIdentifying(parameter) && !adjustedName.test(plain) && isOfFewForms(operation, type);
    const role = roles.find((one) => one.parameter === parameter)?.role;
    const isOther =
      (isFixed && !isNear(wanted, value[member])) || isOtherPage(role, input[property], value[member], length);
    return isOther ? otherThanCalledFor(operation, parameter, wanted, member, value[member]) : [];
  });
}

/**
 * Whether a result repeats another part of a list than was requested. A limit is checked only where the list has that many elements: it may
 * otherwise be their number.
 */
function isOtherPage(role: ListRole | undefined, wanted: unknown, actual: unknown, length: number): boolean {
  const isPlace = role === "page" || role === "offset" || (role === "limit" && length === wanted);
  return isPlace && length > 0 && typeof wanted === "number" && typeof actual === "number" && wanted !== actual;
}

/** Checks that the elements of a list that a result repeats from the call, such as `lines` of an `order`, refer to the same objects. */
function repeatedLists({ parameters, types }: OperationDescription, input: Input, value: Element): readonly Problem[] {
  return parameters.flatMap(({ name, property, type }): readonly Problem[] => {
    const sent = input[property];
    if (!isRecord(sent)) return [];
    return membersOf(type, types).flatMap((list): readonly Problem[] => {
      const [called, returned] = [sent[list.name], value[list.name]];
      if (!Array.isArray(called) || !Array.isArray(returned) || called.length !== returned.length) return [];
      const keys = membersOf(elementOf(list.type, 0, types), types).filter((one) => one.required && isIdentifying(one));
      return keys.flatMap((key): readonly Problem[] => {
        const wanted = called.filter(isRecord).map((one) => one[key.name]);
        const wrong = returned
          .filter(isRecord)
          .find((one) => one[key.name] !== undefined && !wanted.some((each) => maySameIdentify(each, one[key.name])));
        if (wrong === undefined) return [];
        const pointer = `/${escapeSegment(list.name)}/*/${escapeSegment(key.name)}`;
        const message = `${pointer} is not among those in the ${name} of the call`;
        return [{ message, detail: showValue(wrong[key.name]), pointer }];
      });
    });
  });
}

/** Whether a type has only numbers, listed strings or strings with a pattern. For free text a result may repeat the interpreted value. */
function isOfFewForms({ types }: OperationDescription, type: Parameter["type"]): boolean {
  return armsOf(type, types).every(
    (arm) => ["number", "enumeration"].includes(arm.kind) || (arm.kind === "string" && arm.pattern !== undefined),
  );
}

function isNear(wanted: unknown, actual: unknown): boolean {
  const isPlain = (value: unknown): boolean => ["string", "number", "bigint"].includes(typeof value);
  if (!isPlain(wanted) || !isPlain(actual)) return true;
  const [left, right] = [Number(wanted), Number(actual)];
  if (Number.isNaN(left) || Number.isNaN(right)) return maySameIdentify(wanted, actual);
  return Math.abs(left - right) <= (Number.isInteger(left) && Number.isInteger(right) ? 0 : nearNumbers);
}

/** Names of lists whose elements may belong to other objects than the one that the call names. */
const ofOthers =
  /follow|friend|message|mention|share|invite|notif|transfer|member|participant|related|similar|spen|ancest|descend|parent|child|sibling|neighbo|uncle|ommer|successor|predecessor|next|prev/i;
/** Names of identifiers that each object has. */
const ownName = /^(?:id|uuid|guid|key|name|slug|code)$/;
/** Minimum length of a string, in UTF-16 code units: an element may contain shorter ones by chance. */
const distinctiveLength = 12;
/** Minimum number of elements in examples from which a rule about all elements is derived. */
const enoughElements = 2;

function elementProblems(
  operation: OperationDescription,
  parameter: Parameter,
  input: Input,
  elements: readonly Element[],
  isWhole: boolean,
): readonly Problem[] {
  const wanted = input[parameter.property];
  if (elements.length === 0 || !isIdentifier(wanted)) return [];
  const { owner = "", typeNames = "" } = operation;
  const plain = plainName(parameter.name);
  // An element has an `id` of its own.
  const names = [...(ownName.test(plain) ? [] : [plain]), `${owner}${plain}`];
  const memberOf = (element: Element): string | undefined =>
    Object.keys(element).find((one) => names.includes(plainName(one)));
  const isRight = (element: Element, sent: unknown): boolean | undefined => {
    const member = memberOf(element);
    return member === undefined || typeof element[member] !== typeof sent
      ? undefined
      : maySameIdentify(sent, element[member]);
  };
  const shown = shownElements(operation, parameter);
  const echoes = shown.map(({ element, sent }) => isRight(element, sent)).filter((one) => one !== undefined);
  if (echoes.includes(false)) return [];
  const member = elements.map(memberOf).find((one) => one !== undefined);
  if (member === undefined) return mentionProblems(parameter, wanted, elements, shown);
  const hasOwn = hasOwnName(elements[0] ?? {}, typeNames, member);
  // Elements within the object that was called for have identifiers of their own, under the same name.
  if (isWhole && !hasOwn) return [];
  const wrong = elements.find((element) => isRight(element, wanted) === false);
  const isPlain = !isLoose(member) && !isGraded(member);
  const isKey = parameter.required && isIdentifying(parameter) && isPlain;
  const isSure = echoes.length > 0 || (isKey && hasOwn);
  const mayBeOfOthers = echoes.length === 0 && (!parameter.required || ofOthers.test(typeNames));
  if (wrong === undefined || mayBeOfOthers) return [];
  const others = elements.filter((element) => isRight(element, wanted) === true).length;
  const name = memberOf(wrong) ?? member;
  return [
    {
      message: `${name} of an element is not the ${parameter.name} of the call`,
      detail: `${showValue(wrong[name])}, ${parameter.name} was ${showValue(wanted)}`,
      pointer: `/*/${escapeSegment(name)}`,
      isUnsure: !isSure && !(isPlain && others > 0),
    },
  ];
}

/** Whether an element has an identifier of its own next to that of its owner. */
function hasOwnName(element: Element, typeNames: string, owner: string): boolean {
  const own = ["id", `${singularOf(plainName(typeNames))}id`, "code", "hash", "txid"];
  return Object.keys(element).some((name) => name !== owner && own.includes(plainName(name)));
}

/** Returns the elements of the examples, each with the value of the parameter in the call. */
function shownElements({ examples = [] }: OperationDescription, { property }: Parameter) {
  const given = examples.filter(({ input }) => input[property] !== undefined);
  return given.flatMap(({ input, value }) =>
    (listOf(value)?.items ?? []).filter(isRecord).map((element) => ({ element, sent: input[property] })),
  );
}

/** Checks that elements contain the value of the call in any member, if all elements of the examples do. */
function mentionProblems(
  { name, required }: Parameter,
  wanted: unknown,
  elements: readonly Element[],
  shown: ReturnType<typeof shownElements>,
): readonly Problem[] {
  const isShown = shown.length >= enoughElements && shown.every(({ element, sent }) => mentions(element, String(sent)));
  if (!required || !isShown || typeof wanted !== "string" || wanted.length < distinctiveLength) return [];
  const wrong = elements.filter((element) => !mentions(element, wanted));
  if (wrong.length === 0) return [];
  const message = `an element does not have the ${name} of the call in any member, as elements in the examples do`;
  // A few elements may be related to the value in another way.
  return [{ message, detail: showValue(wrong[0]), pointer: "/*", isUnsure: wrong.length * 2 <= elements.length }];
}

/** Whether an element contains a string, case-insensitively. */
function mentions(element: Element, text: string): boolean {
  return canonicalText(element).toLowerCase().includes(canonicalText(text).toLowerCase());
}
