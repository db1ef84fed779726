import { fragmentTokens } from "@nodewright/source";
import type { ChangedMember, PathChange, TextRange } from "./document-change.ts";
import type { DocumentOutline, NamedRange } from "./document-outline.ts";

/** A small document with some operations of a path and everything that they refer to. */
export interface DocumentSlice {
  readonly text: string;
  /** Origins of the text, in order. */
  readonly segments: readonly SliceSegment[];
}

/** A run of a slice that was copied from the document. */
export interface SliceSegment {
  /** Offset in the slice. */
  readonly at: number;
  readonly length: number;
  /** Offset in the document. */
  readonly from: number;
}

/** The same part of a document before and after a change. */
export interface DocumentSlices {
  readonly before: DocumentSlice;
  readonly after: DocumentSlice;
}

/** Size in UTF-16 units up to which a slice is always read, however small the document is: reading it takes no noticeable time. */
const smallSlice = 1_000_000;
/** Maximum size of a larger slice, as a fraction of the document. Above it, reading the complete document is better. */
const maximumFraction = 0.3;

/**
 * Cuts the changed operations out of both versions of a document, each with every component that either version refers to, so that the
 * slices differ in the operations only. Returns a doubt if that is most of the document.
 */
export function sliceDocument(
  before: string,
  after: string,
  outline: DocumentOutline,
  change: PathChange,
): DocumentSlices | { readonly doubt: string } {
  const members = [...change.shared, ...change.operations];
  const texts = members.flatMap((member) => [
    before.slice(member.before.start, member.before.end),
    after.slice(member.after.start, member.after.end),
  ]);
  const needed = new NeededComponents(before, outline, texts);
  const components = outline.components.map(
    ([kind, ranges]) =>
      [kind, kind === "securitySchemes" ? ranges : ranges.filter((range) => needed.has(kind, range))] as const,
  );
  const build = (sideOf: (member: ChangedMember) => TextRange, text: string, shift: number): DocumentSlice => {
    const slice = new SliceText();
    /** Copies a value outside the path item: it is the same in both texts, and shifted in the new text if it is after the path item. */
    const copy = ([name, start, end]: NamedRange): void => {
      slice.add(`${JSON.stringify(name)}:`);
      slice.copy(before, { start, end }, start >= change.end ? shift : 0);
    };
    slice.list(outline.head, copy);
    slice.add(`,"paths":{${JSON.stringify(change.path)}:{`);
    slice.list(members, (member) => {
      slice.add(`${JSON.stringify(member.name)}:`);
      slice.copy(text, sideOf(member), 0);
    });
    slice.add(`}},"components":{`);
    slice.list(
      components.filter(([, ranges]) => ranges.length > 0),
      ([kind, ranges]) => {
        slice.add(`${JSON.stringify(kind)}:{`);
        slice.list(ranges, copy);
        slice.add("}");
      },
    );
    slice.add("}}");
    return slice.finish();
  };
  const slices = {
    before: build((member) => member.before, before, 0),
    after: build((member) => member.after, after, change.delta),
  };
  const { length } = slices.after.text;
  if (length > smallSlice && length > before.length * maximumFraction)
    return { doubt: "the operation refers to most of the document" };
  return slices;
}

/** Builder for the text of a slice. */
class SliceText {
  readonly #parts: string[] = ["{"];
  readonly #segments: SliceSegment[] = [];
  #length = 1;

  add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  /** Copies a range. `shift`: how far its offset is moved in the text that the slice is made from. */
  copy(text: string, { start, end }: TextRange, shift: number): void {
    this.#segments.push({ at: this.#length, length: end - start, from: start + shift });
    this.add(text.slice(start, end));
  }

  list<Item>(items: readonly Item[], write: (item: Item) => void): void {
    for (const [index, item] of items.entries()) {
      if (index > 0) this.add(",");
      write(item);
    }
  }

  finish(): DocumentSlice {
    return { text: this.#parts.join(""), segments: this.#segments };
  }
}

/** Components that texts refer to, directly or indirectly. */
class NeededComponents {
  readonly #document: string;
  readonly #ranges = new Map<string, NamedRange>();
  readonly #found = new Map<string, NamedRange>();

  constructor(document: string, { components }: DocumentOutline, texts: readonly string[]) {
    this.#document = document;
    for (const [kind, ranges] of components)
      for (const range of ranges) this.#ranges.set(componentKey(kind, range[0]), range);
    this.#follow(texts);
    if (![...texts, ...this.#texts()].some(hasDiscriminator)) return;
    // The discriminator values of a schema depend on all schemas of its hierarchy, whoever refers to them.
    const family = [...this.#ranges].filter(
      ([key, range]) => key.startsWith("schemas ") && isOfFamily(this.#text(range)),
    );
    for (const [key, range] of family) this.#found.set(key, range);
    this.#follow(family.map(([, range]) => this.#text(range)));
  }

  has(kind: string, [name]: NamedRange): boolean {
    return this.#found.has(componentKey(kind, name));
  }

  #texts(): readonly string[] {
    return [...this.#found.values()].map((range) => this.#text(range));
  }

  #text([, start, end]: NamedRange): string {
    return this.#document.slice(start, end);
  }

  #follow(texts: readonly string[]): void {
    const pending = [...texts];
    for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
      for (const key of referredComponents(JSON.parse(text))) {
        const range = this.#ranges.get(key);
        if (range === undefined || this.#found.has(key)) continue;
        this.#found.set(key, range);
        pending.push(this.#text(range));
      }
    }
  }
}

function componentKey(kind: string, name: string): string {
  return `${kind} ${name}`;
}

function hasDiscriminator(text: string): boolean {
  return text.includes('"discriminator"');
}

function isOfFamily(text: string): boolean {
  return hasDiscriminator(text) || text.includes('"allOf"');
}

/** Returns all strings that may name a component. One too many does no harm. */
function referredComponents(start: unknown): readonly string[] {
  const found: string[] = [];
  const pending: unknown[] = [start];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === "string") {
      if (!value.startsWith("#/components/")) continue;
      const [, kind, component] = fragmentTokens(value) ?? [];
      if (kind !== undefined && component !== undefined) found.push(componentKey(kind, component));
      continue;
    }
    for (const [name, member] of Object.entries(value ?? {})) {
      pending.push(member);
      if (name !== "mapping") continue;
      for (const target of Object.values(member ?? {})) found.push(componentKey("schemas", String(target)));
    }
  }
  return found;
}
