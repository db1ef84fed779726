import type {
  FunctionDeclarationStructure,
  InterfaceDeclarationStructure,
  StatementStructures,
  TypeAliasDeclarationStructure,
  VariableStatementStructure,
} from "ts-morph";
import {
  type Code,
  group,
  hardline,
  indent,
  join,
  line,
  lineWidth,
  renderCode,
  softline,
  trailingComma,
} from "./code/code.ts";
import { commentLines, type DocComment, docComment, isShort } from "./code/doc-comment.ts";
import { propertyKey } from "./code/literals.ts";
import { assignment } from "./code/statement-code.ts";
import type {
  ConstantDeclaration,
  FunctionDeclaration,
  InterfaceDeclaration,
  SourceDeclaration,
  TypeAliasDeclaration,
} from "./declarations.ts";
import { OpaqueTexts } from "./opaque-texts.ts";
import { loadTsMorph, openProject, type TsMorph } from "./ts-morph-project.ts";

// ts-morph lays a file out: comments, exports, signatures, blank lines. What stands inside is laid out by our own
// printer, because ts-morph knows no line width, and does not pass through it.

interface Layout {
  readonly tsMorph: TsMorph;
  readonly opaque: OpaqueTexts;
}

/** Prints declarations in order, an empty line between them, without a new line at the end. */
export function printDeclarations(declarations: readonly SourceDeclaration[]): string {
  const layout: Layout = { tsMorph: loadTsMorph(), opaque: new OpaqueTexts() };
  const file = openProject().createSourceFile("generated.ts", "", { overwrite: true });
  const statements = declarations.map((declaration) => statementOf(declaration, layout));
  file.addStatements(
    statements.map((statement, index) =>
      standsClose(declarations[index], declarations[index - 1]) ? statement : withEmptyLine(statement),
    ),
  );
  const text = file.getFullText();
  file.forget();
  return layout.opaque.restore(text.trim().replaceAll(/\n{3,}/g, "\n\n"));
}

/** Whether a declaration stands right behind the one before it: constants without a word about them do. */
function standsClose(declaration: SourceDeclaration | undefined, previous: SourceDeclaration | undefined): boolean {
  return declaration?.kind === "constant" && declaration.comment === undefined && previous?.kind === "constant";
}

/** ts-morph puts an empty line itself in front of some declarations; a second one is taken out again. */
function withEmptyLine(statement: string | StatementStructures): string | StatementStructures {
  return typeof statement === "string" ? statement : { ...statement, leadingTrivia: "\n\n" };
}

function statementOf(declaration: SourceDeclaration, layout: Layout): string | StatementStructures {
  switch (declaration.kind) {
    case "interface":
      return interfaceStructure(declaration, layout);
    case "type":
      return typeAliasStructure(declaration, layout);
    case "function":
      return functionStatement(declaration, layout);
    case "constant":
      return constantStructure(declaration, layout);
    case "text":
      return layout.opaque.put(declaration.text);
    default:
      return declaration satisfies never;
  }
}

function interfaceStructure(
  { name, comment, properties, index }: InterfaceDeclaration,
  { tsMorph: { StructureKind }, opaque }: Layout,
): InterfaceDeclarationStructure {
  const indexType = index === undefined ? undefined : renderMember("readonly [name: string]: ", index.code, opaque);
  return {
    kind: StructureKind.Interface,
    name,
    isExported: true,
    docs: docs(comment),
    indexSignatures:
      indexType === undefined ? [] : [{ isReadonly: true, keyName: "name", keyType: "string", returnType: indexType }],
    properties: properties.map(({ name: propertyName, type, optional = false, comment: propertyComment }) => ({
      name: propertyKey(propertyName),
      isReadonly: true,
      hasQuestionToken: optional,
      type: renderMember(`readonly ${propertyKey(propertyName)}${optional ? "?" : ""}: `, type.code, opaque),
      docs: propertyComment === undefined ? [] : docs(propertyComment),
    })),
  };
}

/** The type of an interface's member, laid out behind `start`. */
function renderMember(start: string, type: Code, opaque: OpaqueTexts): string {
  return opaque.put(rest(renderCode([start, type, ";"], { width: lineWidth - 2 }), start), "  ");
}

function typeAliasStructure(
  { name, comment, type }: TypeAliasDeclaration,
  { tsMorph: { StructureKind }, opaque }: Layout,
): TypeAliasDeclarationStructure {
  const start = `export type ${name}`;
  const text = renderCode([assignment(start, type.code), ";"]);
  return {
    kind: StructureKind.TypeAlias,
    name,
    isExported: true,
    docs: docs(comment),
    type: opaque.put(rest(text, `${start} =`)),
  };
}

function constantStructure(
  { name, isExported, comment, type, value }: ConstantDeclaration,
  { tsMorph: { StructureKind, VariableDeclarationKind }, opaque }: Layout,
): VariableStatementStructure {
  const annotation = type === undefined ? "" : `: ${type}`;
  const start = `${isExported ? "export " : ""}const ${name}${annotation}`;
  const initializer = opaque.put(rest(renderCode([assignment(start, value), ";"]), `${start} =`));
  return {
    kind: StructureKind.VariableStatement,
    declarationKind: VariableDeclarationKind.Const,
    isExported,
    docs: comment === undefined ? [] : docs(comment),
    declarations: [{ name, initializer, ...(type === undefined ? {} : { type }) }],
  };
}

/** A structure where the signature stands on one line; otherwise text, because ts-morph never breaks a signature. */
function functionStatement(
  declaration: FunctionDeclaration,
  { tsMorph: { StructureKind }, opaque }: Layout,
): FunctionDeclarationStructure | string {
  const { name, isExported, comment, parameters, returns, body } = declaration;
  const signature = signatureCode(declaration);
  const statements = renderCode(body, { width: lineWidth - 2 });
  const isEmpty = statements === "";
  if (isEmpty || renderCode(signature).includes("\n")) {
    const lines = comment === undefined ? [] : docComment(comment);
    const braced: Code = isEmpty ? "}" : [indent(hardline, body), hardline, "}"];
    return opaque.put([...lines, renderCode([signature, braced])].join("\n"));
  }
  return {
    kind: StructureKind.Function,
    name,
    isExported,
    docs: comment === undefined ? [] : docs(comment),
    parameters: parameters.map(({ name: parameter, type, initializer }) => ({
      name: parameter,
      ...(type === undefined ? {} : { type }),
      ...(initializer === undefined ? {} : { initializer }),
    })),
    returnType: returns,
    statements: opaque.put(statements, "  "),
  };
}

function signatureCode({ name, isExported, parameters, returns }: FunctionDeclaration): Code {
  const printed = parameters.map(({ name: parameter, type, initializer }) => {
    const annotation = type === undefined ? "" : `: ${type}`;
    return `${parameter}${annotation}${initializer === undefined ? "" : ` = ${initializer}`}`;
  });
  const list = group("(", indent(softline, ...join([",", line], printed), trailingComma), softline, ")");
  return [`${isExported ? "export " : ""}function ${name}`, list, `: ${returns} {`];
}

/** What ts-morph puts between the marks of a doc comment; a text that starts with a new line takes several lines. */
function docs(comment: DocComment): string[] {
  const lines = commentLines(comment);
  if (lines.length === 0) return [];
  return [isShort(lines) ? lines.join("") : `\n${lines.join("\n")}`];
}

/** What follows `start`, without the closing semicolon. */
function rest(text: string, start: string): string {
  return text.slice(start.trimEnd().length, -1).replace(/^ /, "");
}
