import { createRequire } from "node:module";
import type { Alias, Document, Node, YAMLMap, YAMLParseError, YAMLSeq } from "yaml";
import type { Report, SourceRange } from "./diagnostic.ts";
import { appendPointer } from "./json-pointer.ts";
import { shortened } from "./shortened.ts";
import type { sourceDiagnostics } from "./source-diagnostics.ts";
import { maximumDepth, type SourceMember, type SourceNode } from "./source-node.ts";
import type { SourceText } from "./source-text.ts";

type Yaml = typeof import("yaml");

/**
 * Maximum number of values of a document with all aliases expanded. Code that reads the document may traverse all of them: a few lines of
 * nested aliases would take practically forever.
 */
const maximumValues = 2_000_000;

/**
 * Reads YAML 1.2 with positions, and the merge key `<<` of YAML 1.1, which is still in use. Reports every syntax error and returns
 * undefined if there is one.
 *
 * An alias is the same node as its anchor: nothing is copied.
 */
export function readYaml(source: SourceText, report: Report<typeof sourceDiagnostics>): SourceNode | undefined {
  const document = loadYaml().parseDocument(source.text, {
    keepSourceTokens: false,
    prettyErrors: false,
    uniqueKeys: false,
    version: "1.2",
  });
  reportErrors(document, source, report);
  if (document.errors.length > 0) return undefined;
  for (const { code, pos } of document.warnings) {
    if (code === "TAG_RESOLVE_FAILED") report("unknown-tag", source.range(pos[0], pos[1], ""), {});
  }
  return new YamlConversion(source, report).convert(document.contents);
}

/** Reports syntax errors. After a stack overflow the parser reports an error at each level on the way back: one is enough. */
function reportErrors(
  { errors, contents }: Pick<Document, "errors" | "contents">,
  source: SourceText,
  report: Report<typeof sourceDiagnostics>,
): void {
  const deepest = errors.find(({ message }) => message.startsWith("Maximum call stack"));
  if (deepest !== undefined) {
    report("too-deep", source.range(deepest.pos[0], deepest.pos[1], ""), { depth: maximumDepth });
    return;
  }
  const open = errors.some(isUnclosed) ? openBrackets(contents, errors.filter(isUnclosed), source.text) : [];
  for (const { place } of open) {
    const problem = `This ${source.text.charAt(place)} is never closed.`;
    report("yaml-syntax", source.range(place, place + 1, ""), { problem });
  }
  for (const { code, message, pos } of errors) {
    // Errors inside an unclosed bracket are its consequences.
    if (open.some(({ start, end }) => pos[0] >= start && pos[0] <= end)) continue;
    const problem = code === "MULTIPLE_DOCS" ? "A second document starts here; a file holds one." : sentence(message);
    report("yaml-syntax", source.range(pos[0], pos[1], ""), { problem });
  }
}

/** Returns whether the error is a flow collection without its closing character. */
function isUnclosed({ code, message }: YAMLParseError): boolean {
  return (
    (code === "BAD_INDENT" || code === "MISSING_CHAR") && /^Flow (?:map|sequence)\b.* end with a [\]}]$/.test(message)
  );
}

interface OpenBracket {
  /** Offset of the bracket. */
  readonly place: number;
  /** Start of the range that cannot be read because of it. */
  readonly start: number;
  readonly end: number;
}

/** Returns the unclosed brackets. Of nested ones it returns the innermost, which consumes the closing brackets of the others. */
function openBrackets(contents: Node | null, errors: readonly YAMLParseError[], text: string): readonly OpenBracket[] {
  const ends = new Set(errors.map(({ message, pos }) => `${message.at(-1)}${pos[0]}`));
  const found: OpenBracket[] = [];
  loadYaml().visit(contents, {
    Collection(_key, { range }) {
      const [start, end] = range ?? [0, 0];
      const closing = closingBrackets.get(text.charAt(start));
      if (closing === undefined || !ends.has(`${closing}${end}`)) return;
      const last = found.at(-1);
      // Outer collections are visited first.
      const outer = last !== undefined && start < last.end ? found.pop() : undefined;
      found.push({ place: start, start: outer?.start ?? start, end: outer?.end ?? end });
    },
  });
  return found;
}

const closingBrackets: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["[", "]"],
]);

let loaded: Yaml | undefined;

/** Loads the YAML library on first use: it has 70 modules, and most documents are JSON or SDL. */
function loadYaml(): Yaml {
  loaded ??= createRequire(import.meta.url)("yaml") as Yaml;
  return loaded;
}

/** The value of an anchor; absent until it has been read. */
interface AnchoredValue {
  value?: SourceNode;
}

class YamlConversion {
  readonly #yaml = loadYaml();
  readonly #source: SourceText;
  readonly #report: Report<typeof sourceDiagnostics>;
  /** Latest value of each anchor. */
  readonly #anchors = new Map<string, AnchoredValue>();
  /** Number of values, with aliases expanded, in the objects and arrays that aliases refer to or into. */
  readonly #sizes = new Map<SourceNode, number>();
  /** Names and indexes on the path to the value that is being converted. */
  readonly #path: (string | number)[] = [];
  #expandedValues = 0;
  #isTooLarge = false;

  constructor(source: SourceText, report: Report<typeof sourceDiagnostics>) {
    this.#source = source;
    this.#report = report;
  }

  convert(node: Node | null, fallback = 0): SourceNode {
    const [start, end] = node?.range ?? [fallback, fallback];
    if (node === null) return { kind: "scalar", value: null, text: "", start, end };
    if (this.#path.length > maximumDepth) {
      this.#report("too-deep", this.#range(start, end), { depth: maximumDepth });
      return { kind: "scalar", value: null, text: "", start, end };
    }
    if (this.#yaml.isAlias(node)) return this.#alias(node);
    if (typeof node.anchor !== "string") return this.#convertNew(node, start, end);
    const anchored: AnchoredValue = {};
    this.#anchors.set(node.anchor, anchored);
    anchored.value = this.#convertNew(node, start, end);
    return anchored.value;
  }

  /** Returns a range in the value that is being converted, with the pointer to that value. */
  #range(start: number, end: number): SourceRange {
    return this.#source.range(start, end, this.#path.reduce<string>(appendPointer, ""));
  }

  #sizeOf(node: SourceNode): number {
    if (node.kind === "scalar") return 1;
    const known = this.#sizes.get(node);
    if (known !== undefined) return known;
    let size = 1;
    const parts = node.kind === "array" ? node.items : [...node.members.values()].map((member) => member.node);
    for (const part of parts) size += this.#sizeOf(part);
    this.#sizes.set(node, size);
    return size;
  }

  #convertNew(node: Node, start: number, end: number): SourceNode {
    const { isMap, isSeq, isScalar } = this.#yaml;
    if (isMap(node)) return { kind: "object", members: this.#members(node), start, end };
    if (isSeq(node)) return { kind: "array", items: this.#items(node), start, end };
    const value: unknown = isScalar(node) ? node.value : null;
    const text = isScalar(node) && typeof node.source === "string" ? node.source : String(value);
    if (isBeyondDoubles(value, text)) {
      this.#report("number-too-large", this.#range(start, end), { number: shortened(text) });
      return { kind: "scalar", value, text, start, end };
    }
    return { kind: "scalar", value: jsonScalar(value), text, start, end };
  }

  #alias(alias: Alias): SourceNode {
    const [start, end] = alias.range ?? [0, 0];
    const nothing: SourceNode = { kind: "scalar", value: null, text: "", start, end };
    const target = this.#anchors.get(alias.source);
    if (target === undefined) {
      this.#report("unknown-alias", this.#range(start, end), { name: alias.source });
      return nothing;
    }
    const { value } = target;
    if (value === undefined) {
      this.#report("recursive-alias", this.#range(start, end), { name: alias.source });
      return nothing;
    }
    const size = this.#sizeOf(value);
    if (this.#expandedValues + size > maximumValues) {
      // Reported once: further errors are consequences.
      if (!this.#isTooLarge)
        this.#report("too-many-aliases", this.#range(start, end), { name: alias.source, limit: maximumValues });
      this.#isTooLarge = true;
      return nothing;
    }
    this.#expandedValues += size;
    return value;
  }

  #members(map: YAMLMap): Map<string, SourceMember> {
    const { isScalar } = this.#yaml;
    const members = new Map<string, SourceMember>();
    const merged: ReadonlyMap<string, SourceMember>[] = [];
    for (const pair of map.items) {
      const key = pair.key as Node;
      const name = isScalar(key) ? String(isNumberKey(key.value) ? key.source : key.value) : "";
      const [keyStart, keyEnd] = key.range ?? [0, 0];
      if (!isScalar(key)) this.#report("key-is-no-text", this.#range(keyStart, keyEnd), {});
      this.#path.push(name);
      const node = this.convert(pair.value as Node | null, keyEnd);
      const first = members.get(name);
      if (isMergeKey(key)) merged.push(...mergedObjects(node));
      else if (first === undefined) members.set(name, { name, keyStart, keyEnd, node });
      else {
        const line = this.#source.position(first.keyStart).line;
        this.#report("duplicate-key", this.#range(keyStart, keyEnd), { name, line });
      }
      this.#path.pop();
    }
    for (const [name, member] of merged.flatMap((object) => [...object])) {
      if (!members.has(name)) members.set(name, member);
    }
    return members;
  }

  #items(sequence: YAMLSeq): SourceNode[] {
    return sequence.items.map((item, index) => {
      this.#path.push(index);
      const node = this.convert(item as Node | null);
      this.#path.pop();
      return node;
    });
  }
}

/** Returns whether a key is the merge key of YAML 1.1: the object takes over members of the value, unless it has them itself. */
function isMergeKey(key: Node): boolean {
  return loadYaml().isScalar(key) && key.value === "<<" && key.type === "PLAIN";
}

function mergedObjects(node: SourceNode): readonly ReadonlyMap<string, SourceMember>[] {
  if (node.kind === "array") return node.items.flatMap(mergedObjects);
  return node.kind === "object" ? [node.members] : [];
}

/** Returns whether a key is a number: keys such as `404` are names, spelled as in the document. */
function isNumberKey(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

/** Returns whether digits were read as infinite. `.inf`, which has no digits, is not included. */
function isBeyondDoubles(value: unknown, text: string): value is number {
  return (value === Infinity || value === -Infinity) && /\d/.test(text);
}

/** Returns a scalar as JSON. Values that YAML's core schema adds to JSON become strings. */
function jsonScalar(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return String(value);
}

function sentence(text: string): string {
  const trimmed = text.trim().replace(/^Missing closing (["'])quote$/, "This text has no closing $1 quote");
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
