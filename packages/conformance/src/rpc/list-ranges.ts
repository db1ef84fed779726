import { distanceOf } from "../compare/value-order.ts";
import { plainName } from "../compare/volatile-names.ts";
import { listOf } from "../compare/list-of.ts";
import { isRecord } from "../types/is-record.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { isOf, isSameList, isWhole, type Lists, listDraft, longestOf } from "./list-draft.ts";
import type { Range } from "./list-roles.ts";
import type { CaseDraft } from "./rpc-context.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Names of what a list begins or ends with, in whichever order it goes. */
const startingName = /^(?:start|from|begin|end|to|after|before|since|until)|(?:start|from|begin|end|to)$/;

/** A bound lets through what lies within it, all of it and nothing else; what lies just at it may be within or not. */
export function rangeDrafts(lists: Lists): readonly CaseDraft[] {
  const { context, method, roles, base } = lists;
  const whole = { ...base, ...longestOf(lists) };
  return roles.ranges.flatMap((range): readonly CaseDraft[] => {
    const { parameter, member } = range;
    const bound = boundOf(lists, range);
    if (bound === undefined) return [];
    const part = { ...whole, [parameter.property]: bound };
    return [
      listDraft(context, method, {
        rule: rpcRules.filter,
        parameter,
        name: `range-${kebabCase(parameter.name)}`,
        expected: `all elements whose ${member.name} is within ${parameter.name}, and no others`,
        whole,
        part,
        judge: (all, found, totals) => {
          // What is as long as the whole may have been cut where that was.
          const isComplete = found.length < all.length && isWhole(lists, part, found, totals.part);
          return rangeProblem(range, { bound, isComplete, all, found });
        },
      }),
    ];
  });
}

interface Bounded {
  readonly bound: unknown;
  /** True where nothing was cut from what was found. */
  readonly isComplete: boolean;
  readonly all: readonly unknown[];
  readonly found: readonly unknown[];
}

function rangeProblem(
  { kind, member, parameter }: Range,
  { bound, isComplete, all, found }: Bounded,
): string | undefined {
  /** Above zero for what is within, below for what is not. */
  const depthOf = (item: unknown): number => {
    const distance = isRecord(item) ? (distanceOf(item[member.name], bound) ?? 0) : 0;
    return kind === "minimum" ? distance : -distance;
  };
  // A list may go down from the height at which it starts.
  const isTurned =
    !isTime(bound) && startingName.test(plainName(parameter.name)) && found.every((item) => depthOf(item) <= 0);
  if (isTurned) return undefined;
  if (found.some((item) => depthOf(item) < 0))
    return `there are elements whose ${member.name} is outside ${parameter.name}`;
  if (!isComplete) return undefined;
  const isGiven = (item: unknown): boolean => found.some((other) => isSameList([item], [other]));
  return all.some((item) => depthOf(item) > 0 && !isGiven(item))
    ? `there are elements missing whose ${member.name} is within ${parameter.name}`
    : undefined;
}

/** The value in the middle of those that elements have, so that something lies on both sides of it. */
export function boundOf({ context, method }: Lists, { parameter, member }: Range): unknown {
  const items = context.session.live.answersOf(method.name).flatMap(({ value }) => listOf(value)?.items ?? []);
  const values = items
    .map((item) => (isRecord(item) ? item[member.name] : undefined))
    .filter((value) => distanceOf(value, value) !== undefined && isOf(context, parameter, value))
    .toSorted((left, right) => distanceOf(left, right) ?? 0);
  const distinct = [...new Set(values)];
  return distinct.length < 2 ? undefined : distinct[Math.floor(distinct.length / 2)];
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value);
}
