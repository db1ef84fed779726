import type { SourceRange } from "./diagnostic.ts";
import { appendPointer } from "./json-pointer.ts";
import { type PlainValue, plainValue } from "./plain-value.ts";
import type { SourceNode } from "./source-node.ts";
import type { SourceText } from "./source-text.ts";

/** A document as read: its source text, and its value with positions. */
export interface SourceDocument {
  /** File name as the user gave it, with forward slashes. */
  readonly file: string;
  readonly text: SourceText;
  readonly root: SourceValue;
}

/** A value of a document, with its position. Readers traverse documents with it. */
export class SourceValue {
  readonly document: SourceText;
  readonly node: SourceNode;
  readonly pointer: string;

  constructor(document: SourceText, node: SourceNode, pointer: string) {
    this.document = document;
    this.node = node;
    this.pointer = pointer;
  }

  /** Range of the value. */
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

  /** Name of the JSON type, for messages. */
  get typeName(): string {
    if (this.node.kind !== "scalar") return this.node.kind;
    return this.node.value === null ? "null" : typeof this.node.value;
  }

  has(name: string): boolean {
    return this.node.kind === "object" && this.node.members.has(name);
  }

  /** Returns the member of that name; undefined if this is not an object or has no such member. */
  member(name: string): SourceValue | undefined {
    if (this.node.kind !== "object") return undefined;
    const member = this.node.members.get(name);
    return member && new SourceValue(this.document, member.node, appendPointer(this.pointer, name));
  }

  /** Returns the range of the member's key; of the object itself if there is no such member. */
  keySource(name: string): SourceRange {
    const member = this.node.kind === "object" ? this.node.members.get(name) : undefined;
    if (member === undefined) return this.source;
    return this.document.range(member.keyStart, member.keyEnd, appendPointer(this.pointer, name));
  }

  /** Returns the range of the member's value; of the object itself if there is no such member. */
  memberSource(name: string): SourceRange {
    return (this.member(name) ?? this).source;
  }

  /** Members in document order; empty if this is not an object. */
  get members(): readonly (readonly [name: string, member: SourceValue])[] {
    if (this.node.kind !== "object") return [];
    return [...this.node.members.values()].map(
      ({ name, node }) => [name, new SourceValue(this.document, node, appendPointer(this.pointer, name))] as const,
    );
  }

  /** Elements; empty if this is not an array. */
  get items(): readonly SourceValue[] {
    if (this.node.kind !== "array") return [];
    return this.node.items.map(
      (node, index) => new SourceValue(this.document, node, appendPointer(this.pointer, index)),
    );
  }

  /** Returns the value at a reference token, in an object or an array. */
  child(token: string): SourceValue | undefined {
    if (this.node.kind === "array") {
      const item = /^(0|[1-9][0-9]*)$/.test(token) ? this.node.items[Number(token)] : undefined;
      return item && new SourceValue(this.document, item, appendPointer(this.pointer, token));
    }
    return this.member(token);
  }

  /** Returns the deepest existing value on the path `tokens`: the value itself, or its nearest ancestor if it does not exist. */
  nearest(tokens: readonly string[]): SourceValue {
    let place: SourceValue = this;
    for (const token of tokens) {
      const next = place.child(token);
      if (next === undefined) break;
      place = next;
    }
    return place;
  }
}
