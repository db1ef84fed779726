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
import { loadTsMorph, openProject, type TsMorph } from "./ts-morph-project.ts";

// ts-morph lays a file out: comments, exports, signatures, blank lines. What stands inside is laid out by our own
// printer, because ts-morph knows no line width. Its lines reach ts-morph joined by form feeds, which TypeScript reads
// as white space, so that it neither indents nor splits them; printing turns them back into new lines.

const opaqueNewLine = "\f";

/** Prints declarations in order, an empty line between them, without a new line at the end. */
export function printDeclarations(declarations: readonly SourceDeclaration[]): string {
  const tsMorph = loadTsMorph();
  const file = openProject().createSourceFile("generated.ts", "", { overwrite: true });
  file.addStatements(
    declarations.map((declaration, index) => {
      const statement = statementOf(declaration, tsMorph);
      return standsClose(declaration, declarations[index - 1]) ? withEmptyLine(statement) : statement;
    }),
  );
  const text = file.getFullText();
  file.forget();
  return text.replaceAll(/ *\f/g, "\n").trimEnd();
}

/** Whether ts-morph would put a documented declaration right behind the one before it. */
function standsClose(declaration: SourceDeclaration, previous: SourceDeclaration | undefined): boolean {
  if (declaration.kind !== previous?.kind) return false;
  return declaration.kind === "type" || (declaration.kind === "constant" && declaration.comment !== undefined);
}

function withEmptyLine(statement: string | StatementStructures): string | StatementStructures {
  return typeof statement === "string" ? statement : { ...statement, leadingTrivia: "\n" };
}

function statementOf(declaration: SourceDeclaration, tsMorph: TsMorph): string | StatementStructures {
  switch (declaration.kind) {
    case "interface":
      return interfaceStructure(declaration, tsMorph);
    case "type":
      return typeAliasStructure(declaration, tsMorph);
    case "function":
      return functionStatement(declaration, tsMorph);
    case "constant":
      return constantStructure(declaration, tsMorph);
    case "text":
      return opaque(declaration.text);
    default:
      return declaration satisfies never;
  }
}

function interfaceStructure(
  { name, comment, properties, index }: InterfaceDeclaration,
  { StructureKind }: TsMorph,
): InterfaceDeclarationStructure {
  const indexType = index === undefined ? undefined : renderMember("readonly [name: string]: ", index.code);
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
      type: renderMember(`readonly ${propertyKey(propertyName)}${optional ? "?" : ""}: `, type.code),
      docs: propertyComment === undefined ? [] : docs(propertyComment),
    })),
  };
}

/** The type of an interface's member, laid out behind `start`. */
function renderMember(start: string, type: Code): string {
  return rest(renderCode([start, type, ";"], { width: lineWidth - 2 }), start, "  ");
}

function typeAliasStructure(
  { name, comment, type }: TypeAliasDeclaration,
  { StructureKind }: TsMorph,
): TypeAliasDeclarationStructure {
  const start = `export type ${name}`;
  const text = renderCode([assignment(start, type.code), ";"]);
  return { kind: StructureKind.TypeAlias, name, isExported: true, docs: docs(comment), type: rest(text, `${start} =`) };
}

function constantStructure(
  { name, isExported, comment, type, value }: ConstantDeclaration,
  { StructureKind, VariableDeclarationKind }: TsMorph,
): VariableStatementStructure {
  const annotation = type === undefined ? "" : `: ${type}`;
  const start = `${isExported ? "export " : ""}const ${name}${annotation}`;
  const initializer = rest(renderCode([assignment(start, value), ";"]), `${start} =`);
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
  { StructureKind }: TsMorph,
): FunctionDeclarationStructure | string {
  const { name, isExported, comment, parameters, returns, body } = declaration;
  const signature = signatureCode(declaration);
  const isEmpty = renderCode(body) === "";
  if (isEmpty || renderCode(signature).includes("\n")) {
    const lines = comment === undefined ? [] : docComment(comment);
    const braced: Code = isEmpty ? "}" : [indent(hardline, body), hardline, "}"];
    return opaque([...lines, renderCode([signature, braced])].join("\n"));
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
    statements: opaque(renderCode(body, { width: lineWidth - 2 }), "  "),
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
function rest(text: string, start: string, indentation = ""): string {
  return opaque(text.slice(start.trimEnd().length, -1).replace(/^ /, ""), indentation);
}

function opaque(text: string, indentation = ""): string {
  return text.replaceAll(/\n(.?)/g, (_, next: string) =>
    next === "" ? opaqueNewLine : `${opaqueNewLine}${indentation}${next}`,
  );
}
