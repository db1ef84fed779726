import type { AnyNode, BooleanNode, BytesNode, NeverNode, NullNode, TypeNode } from "@nodewright/api-model";

export type {
  Bound,
  ConditionalNode as ConditionalType,
  EnumerationNode as EnumerationType,
  IntersectionNode as IntersectionType,
  ListNode as ListType,
  NotNode as NotType,
  NumberNode as NumberType,
  Place,
  RecordMember,
  RecordNode as RecordType,
  ReferenceNode as ReferenceType,
  StringNode as StringType,
  TypeNode as SuiteType,
  UnevaluatedNode as UnevaluatedType,
  UnionNode as UnionType,
} from "@nodewright/api-model";

export type PlainType = AnyNode | NeverNode | NullNode | BooleanNode | BytesNode;

/** Types by name. */
export type SuiteTypes = Readonly<Record<string, TypeNode>>;
