import { fragmentTokens, type SourceValue, type SourceNode } from "@nodewright/source";

/** Parts of a document that are left out with skipped operations, because nothing else refers to them. */
export interface LeftOut {
  /** Returns whether a place is in a skipped operation, or in a component that only skipped operations refer to. */
  has(pointer: string): boolean;
}

/** Returns the operations at `skipped` and the components that only they refer to, directly or indirectly. */
export function findLeftOut(root: SourceValue, skipped: readonly SourceValue[]): LeftOut {
  if (skipped.length === 0) return pointersWithin(root, []);
  const skippedNodes = new Set(skipped.map(({ node }) => node));
  const components = componentsOf(root);
  const walk = new ReferenceWalk(root, skippedNodes);
  for (const [name, member] of root.members) if (name !== "components") walk.visit(member.node);
  // Another file may refer back to any part of this document.
  if (walk.leavesDocument) return pointersWithin(root, skipped);
  const ofSkipped = new ReferenceWalk(root, new Set());
  for (const node of skippedNodes) ofSkipped.visit(node);
  for (const { node } of components) if (!ofSkipped.seen.has(node)) walk.visit(node);
  return pointersWithin(root, [
    ...skipped,
    ...components.filter(({ node }) => ofSkipped.seen.has(node) && !walk.seen.has(node)),
  ]);
}

function componentsOf(root: SourceValue): readonly SourceValue[] {
  const kinds = root.member("components")?.members ?? [];
  return kinds.flatMap(([, kind]) => kind.members.map(([, component]) => component));
}

/**
 * Returns the left-out parts at the given places. Places in other documents are ignored, because pointers are into the document of `root`.
 */
function pointersWithin(root: SourceValue, places: readonly SourceValue[]): LeftOut {
  const own = places.filter(({ document }) => document === root.document);
  const pointers = new Set(own.map(({ pointer }) => pointer));
  return {
    has(pointer) {
      for (let one = pointer; one !== ""; one = one.slice(0, one.lastIndexOf("/"))) if (pointers.has(one)) return true;
      return false;
    },
  };
}

/** Traversal of everything reachable from its start nodes through references inside the document. */
class ReferenceWalk {
  readonly seen = new Set<SourceNode>();
  leavesDocument = false;
  readonly #root: SourceValue;
  readonly #closed: ReadonlySet<SourceNode>;

  constructor(root: SourceValue, closed: ReadonlySet<SourceNode>) {
    this.#root = root;
    this.#closed = closed;
  }

  visit(start: SourceNode): void {
    const pending = [start];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (this.seen.has(node) || this.#closed.has(node)) continue;
      this.seen.add(node);
      // Pushed one by one: a list may be longer than the maximum number of arguments of a call.
      if (node.kind === "array") for (const item of node.items) pending.push(item);
      if (node.kind !== "object") continue;
      for (const { name, node: member } of node.members.values()) {
        pending.push(member);
        if (member.kind === "scalar" && typeof member.value === "string")
          pending.push(...this.#targets(name, member.value));
        if (name === "mapping" && member.kind === "object") pending.push(...this.#mapped(member));
      }
    }
  }

  /** Returns the schemas that a discriminator maps to, by reference or by name. */
  #mapped(mapping: Extract<SourceNode, { kind: "object" }>): readonly SourceNode[] {
    return [...mapping.members.values()].flatMap(({ node }) => {
      if (node.kind !== "scalar" || typeof node.value !== "string") return [];
      const named = this.#root.member("components")?.member("schemas")?.member(node.value);
      return named === undefined ? this.#targets("$ref", node.value) : [named.node];
    });
  }

  #targets(name: string, reference: string): readonly SourceNode[] {
    if (!["$ref", "$dynamicRef", "operationRef"].includes(name)) return [];
    if (!reference.startsWith("#")) {
      this.leavesDocument = true;
      return [];
    }
    const target = this.#root.nearest(fragmentTokens(reference) ?? []);
    return target.pointer === "" ? [] : [target.node];
  }
}
