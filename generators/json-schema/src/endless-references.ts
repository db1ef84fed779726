import type { ReferenceNode, TypeDeclaration, TypeNode } from "@nodewright/model";

/**
 * References by which a declaration is defined as itself, however many others lie between: no value could ever be held against
 * it. A reference from a member or an item is none of them, for the value ends somewhere.
 */
export function endlessReferences(declarations: readonly TypeDeclaration[]): readonly ReferenceNode[] {
  const references = new Map(declarations.map(({ name, type }) => [name, referencesOf(type)]));
  return [...references].flatMap(([name, own]) => own.filter(({ target }) => leadsTo(target, name, references)));
}

function leadsTo(from: string, wanted: string, references: ReadonlyMap<string, readonly ReferenceNode[]>): boolean {
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === wanted) return true;
    for (const { target } of references.get(name) ?? []) seen.add(target);
  }
  return false;
}

/** The references that a value itself is held against, not a part of it. */
function referencesOf(type: TypeNode): readonly ReferenceNode[] {
  if (type.kind === "reference") return [type];
  return type.kind === "union" || type.kind === "intersection" ? type.members.flatMap(referencesOf) : [];
}
