import { nameSimilarity } from "./name-similarity.ts";
import { partsOfShape } from "./operation-shape.ts";

/** An operation that has another name now. */
export interface Rename {
  /** `Operation.name` as it was and as it is. */
  readonly from: string;
  readonly to: string;
}

/** An operation that could be any of several. */
export interface AmbiguousRename {
  readonly from: string;
  /** The likeliest first. */
  readonly candidates: readonly string[];
}

export interface FoundRenames {
  readonly sure: readonly Rename[];
  readonly ambiguous: readonly AmbiguousRename[];
}

/** Names with the shapes that `operationShape` gave. */
export type Shapes = ReadonlyMap<string, string>;

/** From here on two operations are called alike. */
const likeness = 0.45;

/** By so much has the likeliest pair to be ahead of the next. */
const lead = 0.1;

/**
 * Finds which of the operations that are gone are among the new ones.
 *
 * What is reached in the same way is the same operation, whatever it takes now. Else its inputs and answers have to be the same and
 * its names alike; where two pairs are about as likely, nobody but a person can tell.
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

/** New name by old, of the operations that are reached as before; a binding that several have says nothing. */
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

/** The best match of an operation, where it is also that match's best, both well ahead of the next. */
function mutualChoice(from: string, ranked: readonly Pair[], byTo: GroupedPairs["byTo"]): string | undefined {
  const [best] = ranked;
  if (best === undefined) return undefined;
  const rivals = byTo.get(best.to) ?? [];
  return isAhead(ranked) && isAhead(rivals) && rivals[0]?.from === from ? best.to : undefined;
}

/** Every pair of the same structure whose names or paths are alike. */
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

/** How alike two operations are called: by name and path where there is a path, else by name. */
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
