import { assertNever } from "../basics/assert-never.ts";
import type { Declarations } from "./model-declarations.ts";
import type { Operation } from "./operation.ts";
import type { TypeDeclaration, TypeNode } from "./type-node.ts";

/** Returns the direct subschemas of a type, in document order. A reference has none: it refers to a declaration. */
export function partsOfType<At>(type: TypeNode<At>): readonly TypeNode<At>[] {
  switch (type.kind) {
    case "list":
      return [...(type.prefix ?? []), type.element, ...present(type.contains?.type)];
    case "record": {
      // A single list: documents have records of hundreds of members, and every traversal calls this function.
      const parts = type.members.map((member) => member.type);
      for (const pattern of type.patterns ?? []) parts.push(pattern.type);
      if (type.additional !== undefined) parts.push(type.additional);
      if (type.names !== undefined) parts.push(type.names);
      for (const dependency of type.dependencies ?? []) parts.push(dependency.type);
      return parts;
    }
    case "union":
    case "intersection":
      return type.members;
    case "not":
      return [type.type];
    case "conditional":
      return [type.condition, type.consequence, type.alternative];
    case "unevaluated":
      return [type.base, ...present(type.members), ...present(type.elements)];
    case "any":
    case "never":
    case "null":
    case "boolean":
    case "string":
    case "bytes":
    case "number":
    case "enumeration":
    case "reference":
      return [];
    default:
      return assertNever(type);
  }
}

/** Yields a type and all its nested subschemas, each before its parts. References are not followed. */
export function* walkType<At>(type: TypeNode<At>): Generator<TypeNode<At>, void, undefined> {
  const open: TypeNode<At>[] = [type];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    open.push(...partsOfType(next).toReversed());
  }
}

/** Returns the names of the declarations that a type refers to, without following the references. */
export function referencesOfType<At>(type: TypeNode<At>): ReadonlySet<string> {
  const targets = new Set<string>();
  for (const part of walkType(type)) if (part.kind === "reference") targets.add(part.target);
  return targets;
}

/** Returns the types of an operation's parameters, bodies, responses and failures. */
export function typesOfOperation<At>({
  parameters,
  body,
  successes,
  failures,
}: Operation<At>): readonly TypeNode<At>[] {
  return [
    ...parameters.map(({ type }) => type),
    ...(body?.contents ?? []).map(({ type }) => type),
    ...successes.flatMap(({ content, headers }) => [...present(content?.type), ...headers.map(({ type }) => type)]),
    ...failures.flatMap(({ contents, headers }) => [...contents, ...headers].map(({ type }) => type)),
  ];
}

/** The declarations of a model in an order in which code can be written. */
export interface DeclarationOrder<At> {
  /** Declarations, each after those that it refers to, except within cycles. */
  readonly declarations: readonly TypeDeclaration<At>[];
  /** Names of the declarations that refer to themselves, directly or through others. */
  readonly recursive: ReadonlySet<string>;
}

/** Orders the declarations of a model by their references; in time linear in the size of the model. */
export function orderDeclarations<At>({ declarations }: Declarations<At>): DeclarationOrder<At> {
  const targets = new Map(
    declarations.map(({ name, type, implements: interfaces }) => [name, [...referencesOfType(type), ...interfaces]]),
  );
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const ordered: TypeDeclaration<At>[] = [];
  const recursive = new Set<string>();
  for (const component of components(targets)) {
    const [first = ""] = component;
    if (component.length > 1 || targets.get(first)?.includes(first) === true)
      for (const name of component) recursive.add(name);
    for (const name of component) ordered.push(...present(byName.get(name)));
  }
  return { declarations: ordered, recursive };
}

interface Visit {
  readonly name: string;
  readonly targets: readonly string[];
  next: number;
}

/** Returns the strongly connected components of a graph, each after those that it refers to (Tarjan 1972), without recursion. */
function components(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const enter = (name: string): Visit => {
    order.set(name, order.size);
    lowest.set(name, order.size - 1);
    stack.push(name);
    onStack.add(name);
    return { name, targets: graph.get(name) ?? [], next: 0 };
  };
  const lower = (name: string, to: number): void => {
    lowest.set(name, Math.min(lowest.get(name) ?? to, to));
  };
  for (const root of graph.keys()) {
    if (order.has(root)) continue;
    const path = [enter(root)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = visit.targets[visit.next];
      visit.next += 1;
      if (target === undefined) {
        path.pop();
        const low = lowest.get(visit.name) ?? 0;
        const parent = path.at(-1);
        if (parent !== undefined) lower(parent.name, low);
        if (low !== order.get(visit.name)) continue;
        const component = stack.splice(stack.lastIndexOf(visit.name));
        for (const name of component) onStack.delete(name);
        found.push(component);
      } else if (!order.has(target)) {
        if (graph.has(target)) path.push(enter(target));
      } else if (onStack.has(target)) lower(visit.name, order.get(target) ?? 0);
    }
  }
  return found;
}

function present<Value>(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}
