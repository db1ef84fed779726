export { assertNever } from "./assert-never.ts";
export { canonicalText, isEqualJson } from "./canonical-text.ts";
export { kindOf, type ValueKind } from "./checker/checker.ts";
export { type KindName, kindsOf, kindsText } from "./checker/kinds.ts";
export { ValueChecker } from "./checker/value-checker.ts";
export type { CheckOptions, Direction, TypeViolation } from "./checker/violation.ts";
export { isMultipleOf, nextMultiple } from "./decimal.ts";
export { isNear, sumOf } from "./decimal-sum.ts";
export {
  type DescribedFacts,
  describedFactsOf,
  type DescribedOrder,
  describedOrderOf,
  mentionsByChance,
  statesExcerpt,
} from "./described-facts.ts";
export { includesBound, isOrderedType } from "./includes-bound.ts";
export { isRecord } from "./is-record.ts";
export { escapeSegment, segmentsOf } from "./json-pointer.ts";
export { type PatternMatcher, patternMatcher, type TextPattern } from "./pattern.ts";
export { type Declarations, declarationOf, resolveType } from "./model-declarations.ts";
export { httpMethods } from "./operation.ts";
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
  Marks,
  Operation,
  PageDeclaration,
  Parameter,
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
  ValueExample,
} from "./operation.ts";
export type {
  Access,
  AnyNode,
  BooleanNode,
  Bound,
  BytesNode,
  ConditionalNode,
  DeclarationRole,
  Dependency,
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
} from "./type-node.ts";
export {
  type DeclarationOrder,
  orderDeclarations,
  partsOfType,
  referencesOfType,
  typesOfOperation,
  walkType,
} from "./type-walk.ts";
