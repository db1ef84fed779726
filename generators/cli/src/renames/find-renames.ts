import { nameSimilarity } from "./name-similarity.ts";
import { partsOfShape } from "./operation-shape.ts";

/** An operation with a new name. */
export interface Rename {
  /** `Operation.name` before and after. */
  readonly from: string;
  readonly to: string;
}

/** A removed operation that could be any of several new ones. */
export interface AmbiguousRename {
  readonly from: string;
  /** Names of the candidates, most similar first. */
  readonly candidates: readonly string[];
}

export interface FoundRenames {
  readonly sure: readonly Rename[];
  readonly ambiguous: readonly AmbiguousRename[];
}

/** Names of operations with their shapes from `operationShape`. */
export type Shapes = ReadonlyMap<string, string>;

/** Minimum similarity of the names of two operations. */
const likeness = 0.45;

/** Minimum lead in similarity of the best pair over the next. */
const lead = 0.1;

/**
 * Finds the removed operations among the new ones.
 *
 * Operations with the same binding are the same, whatever their inputs are now. Otherwise inputs and responses must be equal and names
 * similar; where two pairs are about as similar, the user must decide.
 */
export function findRenames(gone: Shapes, appeared: Shapes): FoundRenames {
  const settled = sameBindings(gone, appeared);
  const taken = new Set(settled.values());
  const { byFrom, byTo } = grouped(probablePairs(without(gone, settled), without(appeared, taken)));
  const sure: Rename[] = [];
  const ambiguous: AmbiguousRename[] = [];
  for (const from of gone.keys()) {
    const ranked = byFrom.get(from) ?? [];
    const to = settled.get(from) ?? mutualChoice(from, ranked, byTo);
    if (to !== undefined) sure.push({ from, to });
    else if (ranked.length > 0) ambiguous.push({ from, candidates: ranked.map((pair) => pair.to) });
  }
  return { sure, ambiguous };
}

interface Pair extends Rename {
  readonly score: number;
}

/** Returns new names by old names for operations with the same binding; a binding that several operations have is ignored. */
function sameBindings(gone: Shapes, appeared: Shapes): ReadonlyMap<string, string> {
  const appearedAt = namesByBinding(appeared);
  const renames = new Map<string, string>();
  for (const [binding, [from, ...others]] of namesByBinding(gone)) {
    const [to, ...otherMatches] = appearedAt.get(binding) ?? [];
    if (from !== undefined && to !== undefined && others.length === 0 && otherMatches.length === 0)
      renames.set(from, to);
  }
  return renames;
}

function namesByBinding(shapes: Shapes): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(shapes.keys(), (name) => partsOfShape(shapes.get(name) ?? "").binding);
}

/** Returns the best match of an operation, if the operation is also the best match of that one, both well ahead of the next. */
function mutualChoice(from: string, ranked: readonly Pair[], byTo: GroupedPairs["byTo"]): string | undefined {
  const [best] = ranked;
  if (best === undefined) return undefined;
  const rivals = byTo.get(best.to) ?? [];
  return isAhead(ranked) && isAhead(rivals) && rivals[0]?.from === from ? best.to : undefined;
}

/** Returns every pair with the same structure and similar names or paths. */
function probablePairs(gone: Shapes, appeared: Shapes): readonly Pair[] {
  const byStructure = Map.groupBy(appeared, ([, shape]) => partsOfShape(shape).structure);
  const pairs: Pair[] = [];
  for (const [from, shape] of gone) {
    const { binding, structure } = partsOfShape(shape);
    for (const [to, otherShape] of byStructure.get(structure) ?? []) {
      const score = likenessOf({ name: from, binding }, { name: to, binding: partsOfShape(otherShape).binding });
      if (score >= likeness) pairs.push({ from, to, score });
    }
  }
  return pairs;
}

interface Named {
  readonly name: string;
  readonly binding: string;
}

/** Returns the similarity of two operations: by name and path where there is a path, otherwise by name. */
function likenessOf(left: Named, right: Named): number {
  const byName = nameSimilarity(left.name, right.name);
  const [leftPath, rightPath] = [pathOf(left.binding), pathOf(right.binding)];
  return leftPath === undefined || rightPath === undefined
    ? byName
    : (byName + nameSimilarity(leftPath, rightPath)) / 2;
}

function pathOf(binding: string): string | undefined {
  return /^[A-Z]+ (.*)$/.exec(binding)?.[1];
}

interface GroupedPairs {
  readonly byFrom: ReadonlyMap<string, readonly Pair[]>;
  readonly byTo: ReadonlyMap<string, readonly Pair[]>;
}

function grouped(pairs: readonly Pair[]): GroupedPairs {
  const ranked = pairs.toSorted((left, right) => right.score - left.score);
  return {
    byFrom: Map.groupBy(ranked, ({ from }) => from),
    byTo: Map.groupBy(ranked, ({ to }) => to),
  };
}

function isAhead([best, next]: readonly Pair[]): boolean {
  return best !== undefined && (next === undefined || best.score - next.score >= lead);
}

function without(shapes: Shapes, names: { has(name: string): boolean }): Shapes {
  return new Map([...shapes].filter(([name]) => !names.has(name)));
}
