import { layoutTexts } from "./declaration-layouts.ts";

// Layout of declarations by ts-morph: the positions of comments, modifiers, members and braces. ts-morph parses everything that it prints
// several times, about 2 MB per CPU second, and loading it takes longer than the rest of a small run. So it lays out each shape of
// declaration once, with placeholders for names, comments, types and bodies; `declaration-layouts.ts` contains the output, a test compares
// that with ts-morph, and a run fills in the placeholders.

/** Everything that decides the layout of a declaration or a member, apart from the texts in its placeholders. */
export type Shape =
  | { readonly kind: "interface" | "type"; readonly hasComment: boolean }
  | { readonly kind: "property"; readonly hasComment: boolean; readonly optional: boolean }
  | { readonly kind: "index" }
  | { readonly kind: "constant"; readonly hasComment: boolean; readonly isExported: boolean; readonly hasType: boolean }
  | { readonly kind: "function"; readonly hasComment: boolean; readonly isExported: boolean };

/** Content of a placeholder. A comment includes its delimiters. */
export type LayoutPart = "comment" | "name" | "parameters" | "type" | "value" | "body";

/** Alternating texts and placeholders, beginning and ending with a text. */
type Layout = readonly string[];

const layouts = new Map<string, Layout>();

/** Fills in the placeholders of a shape's layout; no space is left before a text that begins with a line break. */
export function fillLayout(shape: Shape, texts: Readonly<Partial<Record<LayoutPart, string>>>): string {
  const layout = layoutOf(shape);
  let filled = layout[0] ?? "";
  for (let index = 1; index < layout.length; index += 2) {
    const text = texts[layout[index] as LayoutPart];
    if (text === undefined) throw new Error(`No value for the placeholder "${layout[index]}"`);
    const start = text.startsWith("\n") && filled.endsWith(" ") ? filled.slice(0, -1) : filled;
    filled = start + text + (layout[index + 1] ?? "");
  }
  return filled;
}

/** Returns all shapes, in the order of `declaration-layouts.ts`. */
export function allShapes(): readonly Shape[] {
  const both = [false, true];
  return [
    ...(["interface", "type"] as const).flatMap((kind) => both.map((hasComment) => ({ kind, hasComment }))),
    { kind: "index" },
    ...both.flatMap((hasComment) => both.map((optional) => ({ kind: "property" as const, hasComment, optional }))),
    ...both.flatMap((hasComment) =>
      both.flatMap((isExported) =>
        both.map((hasType) => ({ kind: "constant" as const, hasComment, isExported, hasType })),
      ),
    ),
    ...both.flatMap((hasComment) => both.map((isExported) => ({ kind: "function" as const, hasComment, isExported }))),
  ];
}

/** Returns the words of a shape: `constant hasComment isExported`. */
export function shapeName(shape: Shape): string {
  const facts = Object.entries(shape).filter(([, value]) => value === true);
  return [shape.kind, ...facts.map(([name]) => name)].join(" ");
}

function layoutOf(shape: Shape): Layout {
  const name = shapeName(shape);
  const known = layouts.get(name);
  if (known !== undefined) return known;
  const text = layoutTexts[name];
  if (text === undefined) throw new Error(`There is no layout for "${name}"`);
  const layout = text.split(/⟨([a-z]+)⟩/);
  layouts.set(name, layout);
  return layout;
}
