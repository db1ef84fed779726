export { additionalOf } from "./additional-type.ts";
export type {
  ArtefactChange,
  ArtefactEmitter,
  ArtefactRequest,
  ArtefactResult,
  ArtefactUpdate,
  FilePiece,
  HandlerStub,
  HandlerTarget,
  PiecedFile,
} from "./artefact-emitter.ts";
export { emitterApiVersion } from "./emitter.ts";
export type { EmittedFile, EmitRequest, EmitResult, Emitter, EmitterDiagnostic } from "./emitter.ts";
export { defaultExtensions, extensionsFrom, extensionValues, schemaExtensionValues } from "./extensions.ts";
export type { ExtensionValue } from "./extensions.ts";
export {
  camelCase,
  createNameAllocator,
  declarationName,
  distinctNames,
  handlerFileName,
  kebabCase,
  nameWords,
  pascalCase,
} from "./names.ts";
export type { NameAllocator, NameWish } from "./names.ts";
export type {
  AnyNode,
  ApiModel,
  BooleanNode,
  BytesNode,
  ConditionalNode,
  Content,
  ContentForm,
  DeclarationOrder,
  DeclarationRole,
  Declarations,
  Documentation,
  EnumerationNode,
  Example,
  ExampleInput,
  Failure,
  GraphqlBinding,
  GraphqlDocument,
  HttpBinding,
  IncomingOperation,
  IntersectionNode,
  JsonPrimitive,
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
  PageDeclaration,
  Parameter,
  PropertyEncoding,
  Protocol,
  RecordMember,
  RecordNode,
  ReferenceNode,
  Relation,
  RequestBody,
  ResponseHeader,
  RpcBinding,
  RpcEnvelope,
  SecurityRequirement,
  SecurityScheme,
  Server,
  Sourced,
  StatusPattern,
  StringNode,
  Success,
  TypeDeclaration,
  TypeNode,
  UnevaluatedNode,
  UnionNode,
  ValueExample,
} from "./read-model.ts";
export type { CommonReadOptions, OperationSelection } from "./common-read-options.ts";
export { checkExtensions, extensionDiagnostics } from "./extension-check.ts";
export { readRelations, relationDiagnostics } from "./relation-reader.ts";
export { checkValues, exampleDiagnostics, valueDiagnostics } from "./value-check.ts";
export { patternHazard } from "./patterns/pattern-hazard.ts";
export type { PatternHazard } from "./patterns/pattern-hazard.ts";
export { isOfType, spellsType } from "./value-matcher.ts";
