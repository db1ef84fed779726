export {
  type Code,
  fill,
  group,
  hardline,
  indent,
  join,
  line,
  lines,
  lineWidth,
  pieceOf,
  renderCode,
  softline,
  textWidth,
  trailingComma,
  whenBroken,
} from "./code/code.ts";
export { declarationComment, type DocComment, docComment, lineComment, memberComment } from "./code/doc-comment.ts";
export {
  dataLiteral,
  jsonLiteral,
  listLiteral,
  numberLiteral,
  objectKey,
  objectLiteral,
  type OperationMember,
  operationTable,
  propertyKey,
  stringLiteral,
  templateText,
} from "./code/literals.ts";
export { assignment, block, call, chain, ifStatement, parenthesised, returnChain } from "./code/statement-code.ts";
export {
  genericType,
  intersectionType,
  listType,
  namedType,
  objectType,
  type PropertyCode,
  propertyCode,
  tupleType,
  type TypeCode,
  unionType,
} from "./code/type-code.ts";
export type {
  ConstantDeclaration,
  FinishedLines,
  FunctionDeclaration,
  FunctionParameter,
  InterfaceDeclaration,
  SourceDeclaration,
  TextDeclaration,
  TypeAliasDeclaration,
} from "./declarations.ts";
export { type ImportSymbol, importType, importValue } from "./import-symbol.ts";
export { findSyntaxProblem, locateMember } from "./locate-member.ts";
export type { MemberPlaces, SyntaxProblem, TextSpan } from "./locate-member.ts";
export {
  allOperations,
  failureCodec,
  failureContents,
  hasOutputBody,
  hasReplyEnvelope,
  inputItemNeedsCodec,
  inputItemTypes,
  inputNeedsCodec,
  inputTypes,
  isItemSequence,
  isMediaRange,
  namesContentType,
  needsCodec,
  negotiatedTypes,
  outputNeedsCodec,
  outputTypes,
  preferredContent,
} from "./names/contract-facts.ts";
export { contractNames, decoderName, encoderName, predicateName, violationsName } from "./names/contract-names.ts";
export type { ContractNames, DocumentTypeNames, OperationTypeNames } from "./names/contract-names.ts";
export { hidesGlobal, isIdentifier, lowerFirst, safeIdentifier, upperFirst } from "./names/identifiers.ts";
export { finishLines } from "./print-declarations.ts";
export { readTypeAliases } from "./read-type-aliases.ts";
export { createSourceFile, fileHeader, type SourceFile, type SourceFileOptions } from "./source-file.ts";
export { renderTemplate, type TemplateView } from "./template.ts";
export { type EmitSlice, updateByPieces } from "./update-by-pieces.ts";
