import type { SettledUnit } from "./requests.ts";

/** Declarations that stand together, and how far from each other. */
export interface UnitGroup {
  readonly units: readonly { readonly unit: SettledUnit }[];
  /** Whether a line break alone is between two of them, as between constants without a word about them. */
  readonly isClose: boolean;
}

/** The texts of units as they stand in a file, by group; undefined where the file is not as long as they say. */
export function unitTexts(
  text: string,
  groups: readonly UnitGroup[],
  lastLength: number,
): readonly (readonly string[])[] | undefined {
  const length = groups.reduce((sum, group) => sum + lengthOf(group), 0);
  const last = lastLength === 0 ? "" : separator;
  const start = text.length - "\n".length - lastLength - last.length - (length - separator.length);
  let at = start;
  const texts = groups.map(({ units, isClose }) => {
    const found = units.map(({ unit }) => {
      const own = text.slice(at, at + unit.length);
      if (unit.length > 0) at += unit.length + (isClose ? closeSeparator : separator).length;
      return own;
    });
    if (isClose && units.some(({ unit }) => unit.length > 0)) at += separator.length - closeSeparator.length;
    return found;
  });
  return length > 0 && start < 0 ? undefined : texts;
}

/** With what stands behind each. */
function lengthOf({ units, isClose }: UnitGroup): number {
  const printed = units.filter(({ unit }) => unit.length > 0);
  const between = isClose ? closeSeparator : separator;
  const sum = printed.reduce((all, { unit }) => all + unit.length + between.length, 0);
  return printed.length === 0 ? 0 : sum + separator.length - between.length;
}

/** What stands between two declarations. */
export const separator = "\n\n";
const closeSeparator = "\n";
