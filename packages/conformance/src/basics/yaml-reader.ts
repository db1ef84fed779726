import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument, type YAMLMap } from "yaml";
import { suggestion } from "./suggestion.ts";
import { UsageError } from "./usage-error.ts";

/** Reads a file of ours that people write by hand: every mistake is told with its line, and the first one ends it. */
export class YamlReader {
  readonly #file: string;
  readonly #lines: LineCounter = new LineCounter();
  readonly root: YAMLMap<ParsedNode>;

  /** @throws {UsageError} for what is no YAML, or no mapping. */
  constructor(file: string, text: string) {
    this.#file = file;
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) throw this.#mistake(error.message.split("\n")[0] ?? "it is no YAML", error.pos[0]);
    if (!isMap(document.contents)) throw this.#mistake("it has to be a mapping of names to values", 0);
    this.root = document.contents as YAMLMap<ParsedNode>;
  }

  /** Refuses members that nobody reads. */
  known(map: YAMLMap<ParsedNode>, names: readonly string[]): void {
    for (const { key } of map.items) {
      const name = isScalar(key) ? String(key.value) : "";
      if (!names.includes(name))
        throw this.mistake(
          `there is no member "${name}"${suggestion(name, names)}: there are ${names.join(", ")}`,
          key,
        );
    }
  }

  /** Entries of a list of mappings; none where it is absent or empty. */
  entries(map: YAMLMap<ParsedNode>, name: string): readonly YAMLMap<ParsedNode>[] {
    const list = map.get(name, true) as Node | undefined;
    if (list === undefined || (isScalar(list) && list.value === null)) return [];
    if (!isSeq(list)) throw this.mistake(`"${name}" has to be a list`, list);
    return list.items.map((item) => {
      if (!isMap(item)) throw this.mistake(`each entry of "${name}" has to be a mapping`, item as Node);
      return item as YAMLMap<ParsedNode>;
    });
  }

  text(map: YAMLMap<ParsedNode>, name: string): string {
    const value = this.optionalText(map, name);
    if (value === undefined) throw this.mistake(`"${name}" is missing`, map);
    return value;
  }

  optionalText(map: YAMLMap<ParsedNode>, name: string): string | undefined {
    const node = map.get(name, true) as Node | undefined;
    if (node === undefined) return undefined;
    // What looks like a number or a date is a text here too: it stands as it was written.
    const value = isScalar(node) ? (typeof node.value === "string" ? node.value : node.source) : undefined;
    if (value === undefined || value.trim() === "") throw this.mistake(`"${name}" has to be a text`, node);
    return value.trim();
  }

  /** A text or a list of texts. */
  texts(map: YAMLMap<ParsedNode>, name: string): readonly string[] | undefined {
    const node = map.get(name, true) as Node | undefined;
    if (node === undefined) return undefined;
    if (isScalar(node)) return [this.text(map, name)];
    if (!isSeq(node)) throw this.mistake(`"${name}" has to be a text or a list of texts`, node);
    return node.items.map((item) => {
      if (!isScalar(item) || typeof item.value !== "string")
        throw this.mistake(`"${name}" has to be a text or a list of texts`, item as Node);
      return item.value;
    });
  }

  flag(map: YAMLMap<ParsedNode>, name: string): boolean | undefined {
    const node = map.get(name, true) as Node | undefined;
    if (node === undefined) return undefined;
    if (isScalar(node) && typeof node.value === "boolean") return node.value;
    throw this.mistake(`"${name}" has to be true or false`, node);
  }

  /** The mistake of a file, at what it is about. */
  mistake(message: string, node: Node | null | undefined): UsageError {
    return this.#mistake(message, node?.range?.[0] ?? 0);
  }

  #mistake(message: string, offset: number): UsageError {
    const { line, col } = this.#lines.linePos(offset);
    return new UsageError(`${this.#file}:${Math.max(1, line)}:${Math.max(1, col)}: ${message}.`);
  }
}
