import { assertNever, declarationOf } from "@nodewright/api-model";
import type { ApiModel, RecordMember, TypeDeclaration, TypeNode } from "@nodewright/model";
import {
  importType,
  listType,
  namedType,
  type SourceFile,
  stringLiteral,
  type TypeCode,
  unionType,
} from "@nodewright/output";

/** Returns whether the fields of a type are resolved one by one, so that the user's own values represent it. */
export function isResolved(declaration: TypeDeclaration): boolean {
  return declaration.role === "object" || declaration.role === "interface";
}

/** Returns the type of a resolver's result: the user's own values for objects, wire values for everything else. */
export function resolvedType(type: TypeNode, model: ApiModel, file: SourceFile): TypeCode {
  switch (type.kind) {
    case "reference":
      return referenceType(type.target, model, file);
    case "list":
      return listType(resolvedType(type.element, model, file));
    case "union":
      return unionType(type.members.map((member) => resolvedType(member, model, file)));
    case "null":
      return namedType("null");
    case "boolean":
    case "string":
      return namedType(type.kind);
    case "number":
      return namedType("number");
    case "enumeration":
      return unionType(type.values.map((value) => namedType(stringLiteral(String(value)))));
    case "any":
    case "never":
    case "bytes":
    case "record":
    case "intersection":
    case "not":
    case "conditional":
    case "unevaluated":
      throw new Error(`GraphQL has no type of kind "${type.kind}" in place`);
    default:
      return assertNever(type);
  }
}

/** Returns the fields of an object's record. */
export function fieldsOf(declaration: TypeDeclaration): readonly RecordMember[] {
  return declaration.type.kind === "record" ? declaration.type.members : [];
}

function referenceType(target: string, model: ApiModel, file: SourceFile): TypeCode {
  const declaration = declarationOf(model, target);
  if (isResolved(declaration)) {
    return { code: `Parents[${stringLiteral(declaration.originalName)}]`, form: "reference" };
  }
  if (declaration.type.kind === "union" && declaration.role === "value") {
    return resolvedType(declaration.type, model, file);
  }
  return namedType(file.use(importType("./types.ts", target)));
}
