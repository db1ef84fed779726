import type { SourceRange } from "./diagnostic.ts";
import { appendPointer } from "./json-pointer.ts";
import { type PlainValue, plainValue } from "./plain-value.ts";
import type { SourceNode } from "./source-node.ts";
import type { SourceText } from "./source-text.ts";

/** A document as read: its text and its value with positions. */
export interface SourceDocument {
  /** As the user named it, with forward slashes. */
  readonly file: string;
  readonly text: SourceText;
  readonly root: Located;
}

/** A value of a document together with its place: what readers walk. */
export class Located {
  readonly document: SourceText;
  readonly node: SourceNode;
  readonly pointer: string;

  constructor(document: SourceText, node: SourceNode, pointer: string) {
    this.document = document;
    this.node = node;
    this.pointer = pointer;
  }

  /** The place of the value. */
  get source(): SourceRange {
    return this.document.range(this.node.start, this.node.end, this.pointer);
  }

  get value(): PlainValue {
    return plainValue(this.node);
  }

  get string(): string | undefined {
    return this.node.kind === "scalar" && typeof this.node.value === "string" ? this.node.value : undefined;
  }

  get number(): number | undefined {
    return this.node.kind === "scalar" && typeof this.node.value === "number" ? this.node.value : undefined;
  }

  get boolean(): boolean | undefined {
    return this.node.kind === "scalar" && typeof this.node.value === "boolean" ? this.node.value : undefined;
  }

  get isObject(): boolean {
    return this.node.kind === "object";
  }

  /** What kind of JSON value it is, for messages. */
  get typeName(): string {
    if (this.node.kind !== "scalar") return this.node.kind;
    return this.node.value === null ? "null" : typeof this.node.value;
  }

  has(name: string): boolean {
    return this.node.kind === "object" && this.node.members.has(name);
  }

  /** The member of that name; undefined when this is no object or has none. */
  member(name: string): Located | undefined {
    if (this.node.kind !== "object") return undefined;
    const member = this.node.members.get(name);
    return member && new Located(this.document, member.node, appendPointer(this.pointer, name));
  }

  /** The place of the member's key; of the object itself when there is no such member. */
  keySource(name: string): SourceRange {
    const member = this.node.kind === "object" ? this.node.members.get(name) : undefined;
    if (member === undefined) return this.source;
    return this.document.range(member.keyStart, member.keyEnd, appendPointer(this.pointer, name));
  }

  /** The place of the member's value; of the object itself when there is no such member. */
  memberSource(name: string): SourceRange {
    return (this.member(name) ?? this).source;
  }

  /** The members in document order; empty when this is no object. */
  get members(): readonly (readonly [name: string, member: Located])[] {
    if (this.node.kind !== "object") return [];
    return [...this.node.members.values()].map(
      ({ name, node }) => [name, new Located(this.document, node, appendPointer(this.pointer, name))] as const,
    );
  }

  /** The elements; empty when this is no array. */
  get items(): readonly Located[] {
    if (this.node.kind !== "array") return [];
    return this.node.items.map((node, index) => new Located(this.document, node, appendPointer(this.pointer, index)));
  }

  /** The value under a child token, in an object or an array. */
  child(token: string): Located | undefined {
    if (this.node.kind === "array") {
      const item = /^(0|[1-9][0-9]*)$/.test(token) ? this.node.items[Number(token)] : undefined;
      return item && new Located(this.document, item, appendPointer(this.pointer, token));
    }
    return this.member(token);
  }

  /** The deepest value on the way down `tokens`: where a position cannot be found, its parent's is given. */
  nearest(tokens: readonly string[]): Located {
    let place: Located = this;
    for (const token of tokens) {
      const next = place.child(token);
      if (next === undefined) break;
      place = next;
    }
    return place;
  }
}
