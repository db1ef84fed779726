import type { TypeNode } from "@nodewright/api-model";

/** Types by name: what references of other types lead to. */
export type NamedTypes = Readonly<Record<string, TypeNode>>;
