import type { InterfaceDeclarationStructure, StatementStructures } from "ts-morph";
import type { LayoutPart, Shape } from "../print/declaration-layout.ts";
import { loadTsMorph, openProject, type TsMorph } from "../typescript/ts-morph-project.ts";

/** Returns ts-morph's layout of a shape, with `⟨name⟩` as placeholders. An interface has no members. */
export function layOut(shape: Shape): string {
  const file = openProject().createSourceFile("layout.ts", "", { overwrite: true });
  file.addStatements([structureOf(shape, loadTsMorph())]);
  const text = file.getFullText().trim();
  file.forget();
  const isMember = shape.kind === "property" || shape.kind === "index";
  const part = isMember ? text.split("\n").slice(1, -1).join("\n") : text;
  // A comment's placeholder includes its delimiters, whether or not they are on lines of their own.
  return part.replaceAll(/(?:\/\*\* )?hole_([a-z]+)_(?: \*\/)?/g, "⟨$1⟩");
}

function hole(name: LayoutPart): string {
  return `hole_${name}_`;
}

function structureOf(shape: Shape, { StructureKind, VariableDeclarationKind }: TsMorph): StatementStructures {
  const docs = "hasComment" in shape && shape.hasComment ? [hole("comment")] : [];
  const members: InterfaceDeclarationStructure = { kind: StructureKind.Interface, name: "Members", isExported: true };
  switch (shape.kind) {
    case "interface":
      return { ...members, name: hole("name"), docs };
    case "property":
      return {
        ...members,
        properties: [
          { name: hole("name"), isReadonly: true, hasQuestionToken: shape.optional, type: hole("type"), docs },
        ],
      };
    case "index":
      return {
        ...members,
        indexSignatures: [{ isReadonly: true, keyName: "name", keyType: "string", returnType: hole("type") }],
      };
    case "type":
      return { kind: StructureKind.TypeAlias, name: hole("name"), isExported: true, docs, type: hole("type") };
    case "constant":
      return {
        kind: StructureKind.VariableStatement,
        declarationKind: VariableDeclarationKind.Const,
        isExported: shape.isExported,
        docs,
        declarations: [
          { name: hole("name"), initializer: hole("value"), ...(shape.hasType ? { type: hole("type") } : {}) },
        ],
      };
    case "function":
      return {
        kind: StructureKind.Function,
        name: hole("name"),
        isExported: shape.isExported,
        docs,
        parameters: [{ name: hole("parameters") }],
        returnType: hole("type"),
        statements: hole("body"),
      };
    default:
      return shape satisfies never;
  }
}
