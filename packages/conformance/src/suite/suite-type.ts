import type { TypeNode } from "@nodewright/api-model";

export type { Bound, Place, RecordMember, TypeNode as SuiteType } from "@nodewright/api-model";

/** Types by name. */
export type SuiteTypes = Readonly<Record<string, TypeNode>>;
