import { hardenedIndex } from "@nodewright/bitcoin-primitives";
import { truncate } from "../parameters/parameter-problems.ts";
import { DescriptorError } from "./descriptor-error.ts";

/** A path of BIP 32 as it was written. */
export interface KeyPath {
  /** Elements of the path for each branch. */
  readonly branches: readonly (readonly number[])[];
  readonly mark: HardenedMark;
}

/** Character after hardened numbers. All numbers of a key expression are written with the one that its last hardened number has. */
export type HardenedMark = "'" | "h";

const digitsPattern = /^[0-9]+$/;
const highestUint32 = 2 ** 32 - 1;
/** Maximum path length. BIP 32: the depth of a key is one byte. */
const maximumPathLength = 255;
/** Maximum number of branches. Wallets have two: for others, and for change. */
const maximumBranches = 100;

interface PathOptions {
  readonly allowsBranches: boolean;
  /** Absent where no number is hardened. */
  readonly mark?: HardenedMark;
}

/** Parses a path. BIP 389 allows `<0;1>` in place of one number. Throws `DescriptorError`. */
export function parsePath(
  elements: readonly string[],
  { allowsBranches, mark: defaultMark = "h" }: PathOptions,
): KeyPath {
  if (elements.length > maximumPathLength)
    throw new DescriptorError(`Key path has more than ${maximumPathLength} values`);
  let mark = defaultMark;
  let branchPosition: number | undefined;
  const places = elements.map((element, position) => {
    const alternatives = alternativesOf(element, { allowsBranches, hasBranches: branchPosition !== undefined });
    if (alternatives.length > 1) branchPosition = position;
    const numbers = alternatives.map((text) => {
      if (!/['h]$/.test(text)) return pathNumber(text, false);
      mark = markOf(text);
      return pathNumber(text.slice(0, -1), true);
    });
    assertDifferent(numbers);
    return numbers;
  });
  const branches = (places[branchPosition ?? 0] ?? [0]).map((_number, branch) =>
    places.map((numbers) => numbers[branch] ?? numbers[0] ?? 0),
  );
  return { branches, mark };
}

/** Returns the mark of a hardened number. */
export function markOf(text: string): HardenedMark {
  return text.endsWith("'") ? "'" : "h";
}

function alternativesOf(
  element: string,
  { allowsBranches, hasBranches }: { readonly allowsBranches: boolean; readonly hasBranches: boolean },
): readonly string[] {
  if (!element.startsWith("<") || !element.endsWith(">")) return [element];
  if (!allowsBranches) {
    throw new DescriptorError(
      `Key path value '${truncate(element)}' specifies multipath in a section where multipath is not allowed`,
    );
  }
  if (hasBranches) throw new DescriptorError("Multiple multipath key path specifiers found");
  const alternatives = element.slice(1, -1).split(";");
  if (alternatives.length < 2) {
    throw new DescriptorError("Multipath key path specifiers must have at least two items");
  }
  if (alternatives.length > maximumBranches) {
    throw new DescriptorError(`Multipath key path specifiers have at most ${maximumBranches} items`);
  }
  return alternatives;
}

function assertDifferent(numbers: readonly number[]): void {
  const seen = new Set<number>();
  for (const number of numbers) {
    if (seen.has(number)) throw new DescriptorError(`Duplicated key path value ${number} in multipath specifier`);
    seen.add(number);
  }
}

function pathNumber(digits: string, isHardened: boolean): number {
  if (!digitsPattern.test(digits) || digits.length > 20 || Number(digits) > highestUint32) {
    throw new DescriptorError(`Key path value '${truncate(digits)}' is not a valid uint32`);
  }
  const number = Number(digits);
  if (number >= hardenedIndex) throw new DescriptorError(`Key path value ${number} is out of range`);
  return isHardened ? number + hardenedIndex : number;
}

/** Returns a path with all its branches as text, beginning with a slash. */
export function branchesText(branches: readonly (readonly number[])[], mark: HardenedMark): string {
  const [first = []] = branches;
  if (branches.length === 1) return pathText(first, mark);
  const position = first.findIndex((number, index) => branches.some((branch) => branch[index] !== number));
  const alternatives = branches.map((branch) => pathText(branch.slice(position, position + 1), mark).slice(1));
  return `${pathText(first.slice(0, position), mark)}/<${alternatives.join(";")}>${pathText(first.slice(position + 1), mark)}`;
}

/** Returns one path as text, beginning with a slash. */
export function pathText(path: readonly number[], mark: HardenedMark): string {
  return path.map((number) => (number < hardenedIndex ? `/${number}` : `/${number - hardenedIndex}${mark}`)).join("");
}
