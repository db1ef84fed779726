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
  operationCode,
  renderCode,
  softline,
  textWidth,
  trailingComma,
  ifBroken,
} from "./code/code.ts";
export { declarationComment, type DocComment, docComment, lineComment, memberComment } from "./code/doc-comment.ts";
export {
  dataLiteral,
  jsonLiteral,
  listLiteral,
  memberAccess,
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
} from "./print/declarations.ts";
export { recordDeclaration } from "./print/declarations.ts";
export { type ImportSymbol, importType, importValue } from "./print/import-symbol.ts";
export { findSyntaxProblem, locateMember } from "./typescript/locate-member.ts";
export type { MemberPlaces, SyntaxProblem, TextSpan } from "./typescript/locate-member.ts";
export { shadowsGlobal, isIdentifier, lowerFirst, safeIdentifier, upperFirst } from "./code/identifiers.ts";
export { finishLines } from "./print/print-declarations.ts";
export { readTypeAliases } from "./typescript/read-type-aliases.ts";
export {
  createSourceFile,
  declarationSeparator,
  fileHeader,
  type SourceFile,
  type SourceFileOptions,
} from "./print/source-file.ts";
export { renderTemplate, type TemplateView } from "./templates/template.ts";
export { type EmitSlice, updateByPieces } from "./update/update-by-pieces.ts";
