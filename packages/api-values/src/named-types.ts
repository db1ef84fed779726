import type { TypeNode } from "@nodewright/api-model";

/** Types by name: the targets of references in other types. */
export type NamedTypes = Readonly<Record<string, TypeNode>>;
