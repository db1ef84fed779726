import {
  type Code,
  group,
  indent,
  join,
  line,
  lineWidth,
  type PieceText,
  renderCode,
  softline,
  trailingComma,
} from "../code/code.ts";
import { type DocComment, docComment } from "../code/doc-comment.ts";
import { propertyKey } from "../code/literals.ts";
import { assignment } from "../code/statement-code.ts";
import type { PropertyCode } from "../code/type-code.ts";
import { fillLayout } from "./declaration-layout.ts";
import type {
  ConstantDeclaration,
  FinishedLines,
  FunctionDeclaration,
  FunctionParameter,
  InterfaceDeclaration,
  SourceDeclaration,
  TypeAliasDeclaration,
} from "./declarations.ts";

// ts-morph lays out declarations; our own printer lays out their contents, because ts-morph does not support a line width.

/** Prints one declaration, without a line break at its end. `pieces` receives the parts that belong to single operations, in order. */
export function printDeclaration(declaration: SourceDeclaration, pieces: PieceText[] = []): string {
  switch (declaration.kind) {
    case "interface":
      return interfaceText(declaration, pieces);
    case "type":
      return typeAliasText(declaration);
    case "function":
      return functionText(declaration, pieces);
    case "constant":
      return constantText(declaration, pieces);
    case "text":
      return declaration.text;
    default:
      return declaration satisfies never;
  }
}

/** Returns whether a declaration directly follows the one before it: constants without comments do. */
export function standsClose(declaration: SourceDeclaration, previous: SourceDeclaration | undefined): boolean {
  const isConstant = previous?.kind === "constant" || (previous?.kind === "text" && previous.isPlainConstant === true);
  if (declaration.kind === "text") return declaration.isPlainConstant === true && isConstant;
  return declaration.kind === "constant" && declaration.comment === undefined && isConstant;
}

function interfaceText({ name, comment, properties, index }: InterfaceDeclaration, pieces: PieceText[]): string {
  const docs = commentText(comment);
  const frame = fillLayout({ kind: "interface", hasComment: docs !== "" }, { name, comment: docs });
  const indexMember =
    index === undefined
      ? []
      : [fillLayout({ kind: "index" }, { type: memberType("readonly [name: string]: ", index.code) })];
  const members = [...indexMember, ...properties.map((property) => memberText(property, pieces))];
  return `${frame.slice(0, -1)}${members.map((member) => `${member}\n`).join("")}}`;
}

function memberText(property: PropertyCode, pieces: PieceText[]): string {
  const text = propertyText(property);
  if (property.operation !== undefined) pieces.push({ operation: property.operation, text });
  return text;
}

function propertyText({ name, type, optional = false, comment }: PropertyCode): string {
  const docs = comment === undefined ? "" : commentText(comment, "  ");
  const key = propertyKey(name);
  const start = `readonly ${key}${optional ? "?" : ""}: `;
  return fillLayout(
    { kind: "property", hasComment: docs !== "", optional },
    {
      name: key,
      comment: docs,
      type: memberType(start, type.code),
    },
  );
}

/** Returns the type of an interface's member, laid out after `start`. */
function memberType(start: string, type: Code): string {
  return indented(rest(renderCode([start, type, ";"], { width: lineWidth - 2 }), start));
}

function typeAliasText({ name, comment, type }: TypeAliasDeclaration): string {
  const docs = commentText(comment);
  const start = `export type ${name}`;
  const text = renderCode([assignment(start, type.code), ";"]);
  return fillLayout(
    { kind: "type", hasComment: docs !== "" },
    {
      name,
      comment: docs,
      type: rest(text, `${start} =`),
    },
  );
}

function constantText({ name, isExported, comment, type, value }: ConstantDeclaration, pieces: PieceText[]): string {
  const docs = comment === undefined ? "" : commentText(comment);
  const start = `${isExported ? "export " : ""}const ${name}${type === undefined ? "" : `: ${type}`}`;
  const shape = { kind: "constant", hasComment: docs !== "", isExported, hasType: type !== undefined } as const;
  return fillLayout(shape, {
    name,
    comment: docs,
    value: rest(renderCode([assignment(start, value), ";"], { pieces }), `${start} =`),
    ...(type === undefined ? {} : { type }),
  });
}

/** Prints a function. A signature that does not fit on one line is laid out here, because ts-morph never breaks one. */
function functionText(declaration: FunctionDeclaration, pieces: PieceText[]): string {
  const { name, isExported, comment, parameters, returns, body } = declaration;
  const signature = signatureCode(declaration);
  const inBody: PieceText[] = [];
  const statements = finishLines(body, inBody).text;
  for (const piece of inBody) pieces.push({ ...piece, text: indented(piece.text) });
  const docs = comment === undefined ? "" : commentText(comment);
  const isEmpty = statements === "";
  const signatureText = renderCode(signature);
  if (isEmpty || signatureText.includes("\n")) {
    const braced = isEmpty ? "}" : `\n  ${indented(statements)}\n}`;
    return `${docs === "" ? "" : `${docs}\n`}${signatureText}${braced}`;
  }
  return fillLayout(
    { kind: "function", hasComment: docs !== "", isExported },
    {
      name,
      comment: docs,
      parameters: parameters.map(parameterText).join(", "),
      type: returns,
      body: indented(statements),
    },
  );
}

/** Lays out the body of a function; finished lines stay as they are. */
export function finishLines(body: FunctionDeclaration["body"], pieces: PieceText[] = []): FinishedLines {
  return isFinished(body) ? body : { kind: "finished", text: renderCode(body, { width: lineWidth - 2, pieces }) };
}

function isFinished(body: FunctionDeclaration["body"]): body is FinishedLines {
  return typeof body === "object" && "kind" in body && body.kind === "finished";
}

function signatureCode({ name, isExported, parameters, returns }: FunctionDeclaration): Code {
  const printed = join([",", line], parameters.map(parameterText));
  const list = group("(", indent(softline, ...printed, trailingComma), softline, ")");
  return [`${isExported ? "export " : ""}function ${name}`, list, `: ${returns} {`];
}

function parameterText({ name, type, initializer }: FunctionParameter): string {
  const annotation = type === undefined ? "" : `: ${type}`;
  return `${name}${annotation}${initializer === undefined ? "" : ` = ${initializer}`}`;
}

/** Returns a comment with its delimiters; empty when it has no content. */
function commentText(comment: DocComment, indentation = ""): string {
  return docComment(comment).join(`\n${indentation}`);
}

/** Indents all lines of a text after the first, except for empty ones. */
function indented(text: string): string {
  return text.includes("\n") ? text.replaceAll(/\n(?=[^\n])/g, "\n  ") : text;
}

/** Returns the text after `start`, without the final semicolon. */
function rest(text: string, start: string): string {
  return text.slice(start.trimEnd().length, -1).replace(/^ /, "");
}
