import { kebabCase } from "@nodewright/api-values";
import { integerBoundsOf } from "../compare/member-facts.ts";
import type { Input, Page } from "./operation.ts";
import { type Check, comparing, type Knowledge, type Problem, type Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that a limit of n returns the first n elements of a list, or all of a shorter one. */
export const limitProperty: Property = { name: "limit", rule: propertyRules.limit, checks };

function* checks(knowledge: Knowledge): Generator<Check> {
  const found = knowledge.roleOf("limit");
  if (found === undefined || knowledge.list === undefined) return;
  const { base, whole: longest, widest, valid, limitOf } = knowledge;
  const { parameter: limit, guess } = found;
  const whole = limit.required ? longest : base;
  const greatest = widest[limit.property];
  // Includes 0 where the description allows it.
  const { least } = integerBoundsOf(limit.type, knowledge.operation.types);
  const sizes = [2, 1, greatest, ...(least === 0 ? [0] : [])].filter(
    (size): size is number => typeof size === "number" && valid(limit, size),
  );
  const name = kebabCase(limit.name);
  const sizeCheck = (own: string, expected: string, size: number, inputs: readonly [Input, Input]): Check => ({
    name: own,
    expected,
    parameter: limit,
    guess,
    mayBeRefused: size === 0,
    ...comparing(inputs, ([all, some]) => comparePages(knowledge, limit.name, size, all.page, some.page)),
  });
  const ofSizes = [...new Set(sizes)].map((size): Check => {
    const expected = `at most ${size} elements, the first of the list`;
    return sizeCheck(`${name}-${size === greatest ? "most" : size}`, expected, size, [
      whole,
      { ...base, ...limitOf(size) },
    ]);
  });
  yield* ofSizes.slice(0, 1);
  yield {
    name: `${name}-all`,
    expected: "nothing that follows a page of as many elements as there are",
    parameter: limit,
    guess,
    inputs: [longest],
    furtherCalls: 1,
    verify: async (call) => {
      const [{ page: all }] = await call(longest);
      const length = all?.items.length ?? 0;
      if (all === undefined || length === 0 || !valid(limit, length)) return [];
      if (!knowledge.isEnded(all) && all.total !== length) return [];
      const [{ page: same }] = await call({ ...base, [limit.property]: length });
      if (same?.more !== true || !knowledge.isSameList(all.items, same.items)) return [];
      const message = `more elements follow where ${limit.name} is as many as there are`;
      // A token may lead to an empty page.
      return [{ message, detail: `${length} elements`, isUnsure: knowledge.roleOf("cursor") !== undefined }];
    },
  };
  yield* ofSizes.slice(1);
  const usual = knowledge.defaultOf(limit);
  if (limit.required || typeof usual !== "number" || typeof greatest !== "number" || usual >= greatest) return;
  const expected = "as many elements as the documented default, the first of a longer list";
  yield sizeCheck(`${name}-default`, expected, usual, [longest, base]);
}

function comparePages(
  { isSameList, roleOf }: Knowledge,
  name: string,
  size: number,
  all: Page | undefined,
  some: Page | undefined,
): readonly Problem[] {
  if (all === undefined || some === undefined) return [];
  const detail = `${some.items.length} elements for ${name} ${size}, of ${all.items.length}`;
  if (some.items.length > size) return [{ message: `there are more elements than ${name} allows`, detail }];
  const isShort = some.items.length < Math.min(all.items.length, size);
  // With a cursor, a page that is not the last may be shorter than the limit.
  if (isShort && !(some.more === true && roleOf("cursor") !== undefined))
    return [{ message: `there are fewer elements than ${name} allows and the list has`, detail }];
  const [short, long] = some.items.length < all.items.length ? [some.items, all.items] : [all.items, some.items];
  const isPart =
    isSameList(short, long.slice(0, short.length)) ||
    // Parameters such as `last`, and servers that count from the end.
    isSameList(short, long.slice(long.length - short.length));
  if (!isPart) return [{ message: `the elements for a ${name} are not the first of the list`, detail }];
  return some.more === false && some.items.length < all.items.length
    ? [{ message: `the response states that no more elements follow where ${name} has cut the list`, detail }]
    : [];
}
