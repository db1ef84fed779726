/**
 * Public interface for authors of emitters: `nodewright/emitter`. The guide is docs/emitters.md.
 *
 * Everything here belongs to version 2 of the interface: it may be extended, and nothing in it is changed or removed while emitters of that
 * version are supported.
 */
import type { Emitter } from "@nodewright/model";

export { emitterApiVersion } from "@nodewright/model";
export type { EmittedFile, EmitRequest, EmitResult, Emitter, EmitterDiagnostic } from "@nodewright/model";

// The model: an API, whatever language it was described in.
export type {
  AnyNode,
  ApiModel,
  BooleanNode,
  BytesNode,
  ConditionalNode,
  Content,
  ContentForm,
  DeclarationRole,
  Documentation,
  EnumerationNode,
  Example,
  Failure,
  GraphqlBinding,
  GraphqlDocument,
  HttpBinding,
  IncomingOperation,
  IntersectionNode,
  JsonValue,
  Link,
  ListNode,
  Extensions,
  NeverNode,
  NotNode,
  NullNode,
  NumberNode,
  NumberRepresentation,
  Operation,
  Parameter,
  PropertyEncoding,
  Protocol,
  RecordMember,
  RecordNode,
  ReferenceNode,
  RequestBody,
  ResponseHeader,
  RpcBinding,
  SecurityRequirement,
  SecurityScheme,
  Server,
  StringNode,
  Success,
  TypeDeclaration,
  TypeNode,
  UnevaluatedNode,
  UnionNode,
} from "@nodewright/model";
export type { SourceRange } from "@nodewright/source";

// Traversal of the model.
export { additionalOf, type DeclarationOrder } from "@nodewright/model";
export {
  assertNever,
  orderDeclarations,
  partsOfType,
  referencesOfType,
  resolveType,
  typesOfOperation,
  walkType,
} from "@nodewright/api-model";

// Names, as the toolkit derives them.
export {
  camelCase,
  createNameAllocator,
  kebabCase,
  type NameAllocator,
  nameWords,
  pascalCase,
} from "@nodewright/model";
export { isIdentifier, safeIdentifier } from "@nodewright/output";
export {
  hasOutputBody,
  hasReplyEnvelope,
  preferredContent,
  type ContractNames,
  contractNames,
  type DocumentTypeNames,
  type OperationTypeNames,
} from "@nodewright/emit-contract/names";

// Printing of TypeScript.
export {
  type Code,
  type ConstantDeclaration,
  call,
  createSourceFile,
  type DocComment,
  declarationComment,
  docComment,
  type FunctionDeclaration,
  type FunctionParameter,
  group,
  hardline,
  type ImportSymbol,
  type InterfaceDeclaration,
  importType,
  importValue,
  indent,
  join,
  jsonLiteral,
  line,
  lines,
  listLiteral,
  memberComment,
  numberLiteral,
  objectKey,
  objectLiteral,
  type PropertyCode,
  propertyKey,
  renderCode,
  type SourceDeclaration,
  type SourceFile,
  type SourceFileOptions,
  softline,
  stringLiteral,
  type TextDeclaration,
  type TypeAliasDeclaration,
  type TypeCode,
  trailingComma,
} from "@nodewright/output";

/** Returns the emitter unchanged and gives it its type, and the type of its options to the requests that it receives. */
export function defineEmitter<Options>(emitter: Emitter<Options>): Emitter<Options> {
  return emitter;
}
