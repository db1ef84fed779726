export type { Bound, Place, RecordMember, TypeNode as SuiteType } from "@nodewright/api-model";
export type { NamedTypes as SuiteTypes } from "@nodewright/api-values";
