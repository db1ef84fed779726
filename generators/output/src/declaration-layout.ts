import type { InterfaceDeclarationStructure, StatementStructures } from "ts-morph";
import { loadTsMorph, openProject, type TsMorph } from "./ts-morph-project.ts";

// ts-morph lays declarations out: where comments, modifiers, members and braces stand. It reads all that it prints several
// times over, about 2 MB in a CPU second, so it does not get to see the texts: it lays each shape of declaration out once,
// with holes for names, comments, types and bodies, and the holes are filled for every declaration of that shape.

/** What decides how a declaration or a member is laid out, apart from the texts in its holes. */
export type Shape =
  | { readonly kind: "interface" | "type"; readonly hasComment: boolean }
  | { readonly kind: "property"; readonly hasComment: boolean; readonly optional: boolean }
  | { readonly kind: "index" }
  | { readonly kind: "constant"; readonly hasComment: boolean; readonly isExported: boolean; readonly hasType: boolean }
  | {
      readonly kind: "function";
      readonly hasComment: boolean;
      readonly isExported: boolean;
      readonly parameters: readonly ParameterShape[];
    };

/** What a parameter says besides its name. */
export type ParameterShape = "name" | "type" | "initializer" | "type and initializer";

/** What stands in a hole; numbered where it is a part of a parameter. */
export type Hole = "comment" | "name" | "type" | "value" | "body" | `${"name" | "type" | "initializer"}${number}`;

/** Texts and holes by turns, from a text to a text. */
export type Layout = readonly string[];

const layouts = new Map<string, Layout>();

/** The layout of a shape, as ts-morph gives it. A property or index stands as in its interface, an interface has no members. */
export function layoutOf(shape: Shape): Layout {
  const key = JSON.stringify(shape);
  const known = layouts.get(key);
  if (known !== undefined) return known;
  const layout = layOut(shape).split(holePattern);
  layouts.set(key, layout);
  return layout;
}

/** Fills the holes; no space is left in front of a text that begins with a new line. */
export function fillLayout(layout: Layout, texts: Readonly<Partial<Record<Hole, string>>>): string {
  let filled = layout[0] ?? "";
  for (let index = 1; index < layout.length; index += 2) {
    const text = texts[layout[index] as Hole];
    if (text === undefined) throw new Error(`Nothing was given for the hole "${layout[index]}"`);
    const start = text.startsWith("\n") && filled.endsWith(" ") ? filled.slice(0, -1) : filled;
    filled = start + text + (layout[index + 1] ?? "");
  }
  return filled;
}

function hole(name: Hole): string {
  return `hole_${name}_`;
}

/** A comment's hole takes its marks with it: they stand on lines of their own or not. */
const holePattern = /(?:\/\*\* )?hole_([a-z]+[0-9]*)_(?: \*\/)?/;

function layOut(shape: Shape): string {
  const file = openProject().createSourceFile("layout.ts", "", { overwrite: true });
  file.addStatements([structureOf(shape, loadTsMorph())]);
  const text = file.getFullText().trim();
  file.forget();
  const isMember = shape.kind === "property" || shape.kind === "index";
  return isMember ? text.split("\n").slice(1, -1).join("\n") : text;
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
        parameters: shape.parameters.map((parameter, index) => ({
          name: hole(`name${index}`),
          ...(parameter.startsWith("type") ? { type: hole(`type${index}`) } : {}),
          ...(parameter.endsWith("initializer") ? { initializer: hole(`initializer${index}`) } : {}),
        })),
        returnType: hole("type"),
        statements: hole("body"),
      };
    default:
      return shape satisfies never;
  }
}
