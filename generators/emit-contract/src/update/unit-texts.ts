import { declarationSeparator } from "@nodewright/output";
import type { SettledUnit } from "../contract/requests.ts";

/** Adjacent declarations and the distance between them. */
export interface UnitGroup {
  readonly units: readonly { readonly unit: SettledUnit }[];
  /** Whether only a line break separates them, as constants without comments. */
  readonly isClose: boolean;
}

/** Returns the texts of units in a file, by group; undefined when their lengths do not add up to the file's. */
export function unitTexts(
  text: string,
  groups: readonly UnitGroup[],
  lastLength: number,
): readonly (readonly string[])[] | undefined {
  const length = groups.reduce((sum, group) => sum + lengthOf(group), 0);
  const last = lastLength === 0 ? "" : declarationSeparator;
  const start = text.length - "\n".length - lastLength - last.length - (length - declarationSeparator.length);
  let at = start;
  const texts = groups.map(({ units, isClose }) => {
    const found = units.map(({ unit }) => {
      const own = text.slice(at, at + unit.length);
      if (unit.length > 0) at += unit.length + (isClose ? closeSeparator : declarationSeparator).length;
      return own;
    });
    if (isClose && units.some(({ unit }) => unit.length > 0)) at += declarationSeparator.length - closeSeparator.length;
    return found;
  });
  return length > 0 && start < 0 ? undefined : texts;
}

/** Returns the length of a group, including the separator after each unit. */
function lengthOf({ units, isClose }: UnitGroup): number {
  const printed = units.filter(({ unit }) => unit.length > 0);
  const between = isClose ? closeSeparator : declarationSeparator;
  const sum = printed.reduce((all, { unit }) => all + unit.length + between.length, 0);
  return printed.length === 0 ? 0 : sum + declarationSeparator.length - between.length;
}

const closeSeparator = "\n";
