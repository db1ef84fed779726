import { isRecord } from "@nodewright/api-model";
import { kebabCase } from "@nodewright/api-values";
import { identifierOf, isIdentifier } from "../compare/list-of.ts";
import { isTimeType, kindsIn } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Parameter } from "../inference/list-roles.ts";
import { itemsOf } from "./choice.ts";
import type { Check, Knowledge, Problem } from "./property.ts";

/** Names of such cursors, with those of elements that they exclude. */
const cursorName =
  /^(?:before|after|until|since|max|min|(?:ending|end)before|(?:starting|start)after)(?:[a-z]*(?:id|hash|txid|signature|key))?$/;
const excludingName = /^(?:before|after|since|max|ending|end|starting|start)/;

/** Number of elements before the one that a cursor names. */
const position = 2;

/**
 * Yields the checks that a cursor that is the identifier of an element, such as `before` or `max_id`, selects the elements on one side of
 * it, without a gap next to it: lists may run from the newest element or from the oldest one.
 */
export function* elementCursorChecks(knowledge: Knowledge): Generator<Check> {
  const { list, operation, base, limitOf, whole } = knowledge;
  if (list === undefined) return;
  const start = { ...base, ...(limitOf(2 * position + 2) ?? whole) };
  for (const cursor of operation.parameters.filter((one) => isElementCursor(knowledge, one))) {
    const { name, property } = cursor;
    yield {
      name: `${kebabCase(name)}-of-an-element`,
      expected: "the elements on one side of the one that the cursor names",
      parameter: cursor,
      guess: `\`${name}\` is taken for the identifier of an element by its name`,
      inputs: [start],
      furtherCalls: 1,
      mayBeRefused: true,
      verify: async (call) => {
        const all = itemsOf((await call(start))[0]);
        const value = identifierFor(knowledge, all, cursor);
        if (value === undefined || all.length <= position + 1) return [];
        const [side] = await call({ ...start, [property]: value });
        return sideProblems(knowledge, cursor, all, itemsOf(side));
      },
    };
  }
}

/** Whether a parameter takes the identifier of an element, and is neither a filter nor another kind of cursor. */
function isElementCursor({ filters, operation, roles }: Knowledge, parameter: Parameter): boolean {
  const kinds = kindsIn(parameter.type, operation.types);
  const isOther =
    filters.some((filter) => filter.parameter === parameter) ||
    roles.some(({ role, parameter: own }) => own === parameter && (role !== "cursor" || !/^since/i.test(own.name)));
  return (
    !parameter.required &&
    !isOther &&
    kinds.has("string") &&
    !isTimeType(parameter.type, operation.types) &&
    cursorName.test(plainName(parameter.name))
  );
}

/**
 * Returns the identifier of the element at the position: the member that the cursor is called after, the identifier, or the only member that
 * the cursor could take, with another value in each element.
 */
function identifierFor({ valid }: Knowledge, items: readonly unknown[], cursor: Parameter): unknown {
  const elements = items.filter(isRecord);
  const element = elements[position];
  if (element === undefined || elements.length < items.length) return undefined;
  const named = Object.keys(element).filter((name) => plainName(cursor.name).endsWith(plainName(name)));
  const isUnique = (name: string): boolean =>
    elements.every((one) => isIdentifier(one[name])) && new Set(elements.map((one) => one[name])).size === items.length;
  const takes = (name: string): boolean =>
    isUnique(name) && typeof element[name] === "string" && valid(cursor, element[name]);
  const unique = Object.keys(element).filter(takes);
  const [only, ...others] = unique;
  const found = named.find(takes) ?? identifierOf(items) ?? (others.length === 0 ? only : undefined);
  return found === undefined || !takes(found) ? undefined : element[found];
}

function sideProblems(
  { isSameList, isAmong }: Knowledge,
  { name, includesBound }: Parameter,
  all: readonly unknown[],
  side: readonly unknown[],
): readonly Problem[] {
  const named = all[position];
  const others = side.filter((item) => !isAmong(item, [named]));
  const before = all.slice(0, position);
  const after = all.slice(position + 1);
  const shared = Math.min(others.length, after.length);
  const isAfter = others.length >= after.length && isSameList(others.slice(0, shared), after.slice(0, shared));
  const isBefore = isSameList(others, before) || isSameList(others, before.toReversed());
  if (!isAfter && !isBefore) {
    const detail = `${side.length} elements for the third of ${all.length}`;
    return [
      { message: `the elements for ${name} are not those on one side of the element that it identifies`, detail },
    ];
  }
  const isExcluded = includesBound === false || (includesBound === undefined && excludingName.test(plainName(name)));
  if (!isExcluded || others.length === side.length) return [];
  return [{ message: `the elements for ${name} contain the element that it identifies` }];
}
