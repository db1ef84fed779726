import type { ReferenceNode, TypeDeclaration, TypeNode } from "@nodewright/model";

/** Maximum number of declarations in a chain of references to the same value. Code that reads values recurses from one to the next. */
export const maximumReferenceChain = 1000;

export interface ReferenceProblems {
  /**
   * References that define a declaration as itself, directly or through others: no value can be valid against it. References from a
   * property or an item are not included, because the value ends somewhere.
   */
  readonly endless: readonly ReferenceNode[];
  /** Declarations with a chain of more than `maximumReferenceChain` references. */
  readonly tooDeep: readonly TypeDeclaration[];
}

interface Visit {
  readonly name: string;
  readonly references: readonly ReferenceNode[];
  next: number;
}

/** Finds cycles and long chains among the references that apply to the same value. Takes linear time in the number of declarations. */
export function findReferenceProblems(declarations: readonly TypeDeclaration[]): ReferenceProblems {
  const references = new Map(declarations.map(({ name, type }) => [name, referencesOf(type)]));
  const { circleOf, depthOf } = visitAll(references);
  const endless = [...references].flatMap(([name, own]) =>
    own.filter(({ target }) => circleOf.get(name) === circleOf.get(target)),
  );
  // Depth has no meaning in a cycle.
  if (endless.length > 0) return { endless, tooDeep: [] };
  return {
    endless,
    tooDeep: declarations.filter(({ name }) => depthOf.get(name) === maximumReferenceChain + 1),
  };
}

/**
 * Numbers the strongly connected components of a graph (Tarjan's algorithm, with an explicit stack because chains may be long), and
 * computes the length of the longest chain from each name.
 */
function visitAll(references: ReadonlyMap<string, readonly ReferenceNode[]>): {
  readonly circleOf: ReadonlyMap<string, number>;
  readonly depthOf: ReadonlyMap<string, number>;
} {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const circleOf = new Map<string, number>();
  const depthOf = new Map<string, number>();
  const open: string[] = [];
  const reach = (name: string, other: number): void => {
    lowest.set(name, Math.min(lowest.get(name) ?? other, other));
  };
  const visits: Visit[] = [];
  const enter = (name: string): void => {
    order.set(name, order.size);
    lowest.set(name, order.size - 1);
    depthOf.set(name, 1);
    open.push(name);
    visits.push({ name, references: references.get(name) ?? [], next: 0 });
  };
  const leave = ({ name }: Visit): void => {
    const outer = visits.at(-1);
    if (outer !== undefined) {
      reach(outer.name, lowest.get(name) ?? 0);
      deepen(outer.name, name);
    }
    if (lowest.get(name) !== order.get(name)) return;
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      circleOf.set(member, order.get(name) ?? 0);
      if (member === name) break;
    }
  };
  const deepen = (name: string, target: string): void => {
    depthOf.set(name, Math.max(depthOf.get(name) ?? 1, (depthOf.get(target) ?? 1) + 1));
  };
  for (const start of references.keys()) {
    if (order.has(start)) continue;
    enter(start);
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const target = visit.references[visit.next]?.target;
      visit.next += 1;
      if (target === undefined) {
        visits.pop();
        leave(visit);
      } else if (!order.has(target)) enter(target);
      else if (circleOf.has(target)) deepen(visit.name, target);
      else reach(visit.name, order.get(target) ?? 0);
    }
  }
  return { circleOf, depthOf };
}

/** Returns the references that apply to the value itself, not to a part of it. */
function referencesOf(type: TypeNode): readonly ReferenceNode[] {
  switch (type.kind) {
    case "reference":
      return [type];
    case "union":
    case "intersection":
      return type.members.flatMap(referencesOf);
    case "not":
      return referencesOf(type.type);
    case "conditional":
      return [type.condition, type.consequence, type.alternative].flatMap(referencesOf);
    case "unevaluated":
      return referencesOf(type.base);
    case "record":
      return (type.dependencies ?? []).flatMap((dependency) => referencesOf(dependency.type));
    default:
      return [];
  }
}
