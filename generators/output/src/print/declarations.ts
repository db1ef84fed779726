import type { Code } from "../code/code.ts";
import type { DocComment } from "../code/doc-comment.ts";
import { namedType, type PropertyCode, type TypeCode } from "../code/type-code.ts";

/** An exported interface. `index` is the type of the members that are not named. */
export interface InterfaceDeclaration {
  readonly kind: "interface";
  readonly name: string;
  readonly comment: DocComment;
  readonly properties: readonly PropertyCode[];
  readonly index?: TypeCode;
}

/** An exported type alias. */
export interface TypeAliasDeclaration {
  readonly kind: "type";
  readonly name: string;
  readonly comment: DocComment;
  readonly type: TypeCode;
}

/** A parameter of an emitted function. */
export interface FunctionParameter {
  readonly name: string;
  /** Type annotation; absent where the initializer determines the type. */
  readonly type?: string;
  readonly initializer?: string;
}

/** Lines that are already laid out, for a width of two columns less than a line has. */
export interface FinishedLines {
  readonly kind: "finished";
  readonly text: string;
}

/** A function with its body. */
export interface FunctionDeclaration {
  readonly kind: "function";
  readonly name: string;
  readonly isExported: boolean;
  readonly comment?: DocComment;
  readonly parameters: readonly FunctionParameter[];
  readonly returns: string;
  readonly body: Code | FinishedLines;
}

/** A `const` with an initial value. */
export interface ConstantDeclaration {
  readonly kind: "constant";
  readonly name: string;
  readonly isExported: boolean;
  readonly comment?: DocComment;
  readonly type?: string;
  readonly value: Code;
}

/** Finished text: the output of a template, or declarations that were printed before. */
export interface TextDeclaration {
  readonly kind: "text";
  readonly text: string;
  /** Whether the text is a constant without a comment, which directly follows one before it. */
  readonly isPlainConstant?: boolean;
}

/** A declaration at the top level of an emitted file. */
export type SourceDeclaration =
  | InterfaceDeclaration
  | TypeAliasDeclaration
  | FunctionDeclaration
  | ConstantDeclaration
  | TextDeclaration;

/** Returns an interface; the type of an object without members if it would be empty. */
export function recordDeclaration(
  name: string,
  comment: DocComment,
  properties: readonly PropertyCode[],
): SourceDeclaration {
  if (properties.length > 0) return { kind: "interface", name, comment, properties };
  return { kind: "type", name, comment, type: namedType("Readonly<Record<never, never>>") };
}
