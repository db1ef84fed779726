export { assertNever } from "./assert-never.ts";
export type * from "./artefact-emitter.ts";
export { emitterApiVersion } from "./emitter.ts";
export type { EmittedFile, EmitRequest, EmitResult, Emitter, EmitterDiagnostic } from "./emitter.ts";
export { defaultMarks, marksFrom, markValues, schemaMarkValues } from "./marks.ts";
export type { MarkValue } from "./marks.ts";
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
export * from "./operation.ts";
export type * from "./reading-choices.ts";
export type * from "./type-node.ts";
export { checkMarks, markDiagnostics } from "./mark-check.ts";
export { readRelations, relationDiagnostics } from "./relation-reader.ts";
export { checkValues, exampleDiagnostics, valueDiagnostics } from "./value-check.ts";
export { findMismatch } from "./mismatch.ts";
export type { Mismatch } from "./mismatch.ts";
export { patternHazard } from "./patterns/pattern-hazard.ts";
export type { PatternHazard } from "./patterns/pattern-hazard.ts";
export { declarationOf, resolveType } from "./model-declarations.ts";
export { canonicalText } from "./json-equality.ts";
export { isOfType, spellsType } from "./value-matcher.ts";
export type { Declarations } from "./value-matcher.ts";
export {
  type DeclarationOrder,
  orderDeclarations,
  partsOfType,
  referencesOfType,
  typesOfOperation,
  walkType,
} from "./type-walk.ts";
