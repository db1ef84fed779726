export { assertNever } from "./basics/assert-never.ts";
export { canonicalText, isEqualJson } from "./basics/canonical-text.ts";
export { kindOf, type ValueKind } from "./checker/checker.ts";
export { type KindName, kindsOf, kindsText } from "./checker/kinds.ts";
export { ValueChecker } from "./checker/value-checker.ts";
export type { CheckOptions, Direction, TypeViolation } from "./checker/violation.ts";
export { isMultipleOf, nextMultiple } from "./basics/decimal.ts";
export { isNear, sumOf } from "./basics/decimal-sum.ts";
export {
  describedFactsOf,
  type DescribedOrder,
  describedOrderOf,
  mentionsByChance,
  statesExcerpt,
} from "./description/described-facts.ts";
export { includesBound, isOrderedType } from "./description/includes-bound.ts";
export { isRecord } from "./basics/is-record.ts";
export { escapeSegment, segmentsOf } from "./basics/json-pointer.ts";
export { type PatternMatcher, patternMatcher, type TextPattern } from "./basics/pattern.ts";
export { type Declarations, declarationOf, resolveType } from "./model/model-declarations.ts";
export { httpMethods } from "./model/operation.ts";
export type {
  ApiModel,
  Content,
  ContentForm,
  Example,
  ExampleInput,
  Failure,
  GraphqlBinding,
  GraphqlDocument,
  HttpBinding,
  IncomingOperation,
  Link,
  Extensions,
  Operation,
  PageDeclaration,
  PropertyEncoding,
  Protocol,
  Relation,
  RequestBody,
  ResponseHeader,
  RpcBinding,
  RpcEnvelope,
  SecurityRequirement,
  SecurityScheme,
  Server,
  StatusPattern,
  Success,
} from "./model/operation.ts";
export type {
  Access,
  AnyNode,
  BooleanNode,
  Bound,
  BytesNode,
  ConditionalNode,
  DeclarationRole,
  Dependency,
  DescribedFacts,
  EnumerationNode,
  IntersectionNode,
  JsonPrimitive,
  JsonValue,
  ListNode,
  NeverNode,
  NotNode,
  NullNode,
  NumberNode,
  NumberRepresentation,
  Parameter,
  Place,
  Placed,
  RecordMember,
  RecordNode,
  ReferenceNode,
  StringNode,
  TypeDeclaration,
  TypeLookup,
  TypeNode,
  UnevaluatedNode,
  UnionNode,
  ValueExample,
} from "./model/type-node.ts";
export {
  type DeclarationOrder,
  orderDeclarations,
  partsOfType,
  referencesOfType,
  typesOfOperation,
  walkType,
} from "./model/type-walk.ts";
