import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument, type YAMLMap } from "yaml";
import { suggestion, UsageError } from "@nodewright/terminal-text";

/** Forms of members; those with a question mark are optional. `texts?` accepts a string or a list of strings. */
interface Forms {
  readonly text: string;
  readonly "text?": string | undefined;
  readonly "texts?": readonly string[] | undefined;
  readonly "flag?": boolean | undefined;
}

const wordsOfForms: Readonly<Record<keyof Forms, string>> = {
  text: "a text",
  "text?": "a text",
  "texts?": "a text or a list of texts",
  "flag?": "true or false",
};

/** Members of a mapping, each with its form. */
type Shape = Readonly<Record<string, keyof Forms>>;

type Entry<Own extends Shape> = { readonly [Name in keyof Own]: Forms[Own[Name]] };

/** Function that creates the error for a mistake in an entry, at one of its members or at its beginning. */
export type Mistake = (message: string, member?: string) => UsageError;

/** Throws when an entry has a mistake. */
type Check<Own extends Shape> = (entry: Entry<Own>, mistake: Mistake) => void;

/** Reads one of our hand-written files: the first mistake is thrown, with its line. */
export class YamlReader {
  readonly #file: string;
  readonly #lines: LineCounter = new LineCounter();
  readonly #root: YAMLMap<ParsedNode>;

  /** @throws {UsageError} for anything but YAML with a mapping. */
  constructor(file: string, text: string) {
    this.#file = file;
    // By this schema numbers and dates are texts too, as they are written.
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, schema: "failsafe" });
    const [error] = document.errors;
    if (error !== undefined) throw this.#mistakeAt(error.pos[0], error.message.split("\n")[0] ?? "it is not YAML");
    if (!isMap(document.contents)) throw this.#mistakeAt(0, "it has to be a mapping of names to values");
    this.#root = document.contents as YAMLMap<ParsedNode>;
  }

  /** Reads the members of the file next to its lists; `format` must be 1. */
  head<Own extends Shape>(shape: Own, lists: readonly string[], check: Check<Own> = () => undefined): Entry<Own> {
    return this.#read(this.#root, { format: "text", ...shape } as Own, lists, (entry, mistake) => {
      if ((entry as Entry<Shape>)["format"] !== "1") throw mistake('"format" has to be 1', "format");
      check(entry, mistake);
    });
  }

  /** Reads a list of mappings; none when it is absent or empty. */
  list<Own extends Shape>(name: string, shape: Own, check: Check<Own> = () => undefined): readonly Entry<Own>[] {
    const list = this.#root.get(name, true) as Node | undefined;
    if (list === undefined || (isScalar(list) && (list.value ?? "") === "")) return [];
    if (!isSeq(list)) throw this.#mistake(`"${name}" has to be a list`, list);
    return list.items.map((item) => {
      if (!isMap(item)) throw this.#mistake(`each entry of "${name}" has to be a mapping`, item as Node);
      return this.#read(item as YAMLMap<ParsedNode>, shape, [], check);
    });
  }

  /** Reads a mapping, and rejects unknown members. */
  #read<Own extends Shape>(
    map: YAMLMap<ParsedNode>,
    shape: Own,
    others: readonly string[],
    check: Check<Own>,
  ): Entry<Own> {
    const names = [...Object.keys(shape), ...others];
    const unknown = map.items.find(({ key }) => !isScalar(key) || !names.includes(String(key.value)));
    if (unknown !== undefined) {
      const name = isScalar(unknown.key) ? String(unknown.key.value) : "";
      const known = `there are ${names.join(", ")}`;
      throw this.#mistake(`there is no member "${name}"${suggestion(name, names)}: ${known}`, unknown.key);
    }
    const members = Object.entries(shape).map(([name, form]) => [name, this.#member(map, name, form)]);
    const entry = Object.fromEntries(members) as Entry<Own>;
    check(entry, (message, name) => this.#mistake(message, name === undefined ? map : map.get(name, true)));
    return entry;
  }

  #member(map: YAMLMap<ParsedNode>, name: string, form: keyof Forms): unknown {
    const node = map.get(name, true) as Node | undefined;
    if (node === undefined && form === "text") throw this.#mistake(`"${name}" is missing`, map);
    if (node === undefined) return undefined;
    const items = form === "texts?" && isSeq(node) ? node.items : [node];
    const texts = items.map((item) => (isScalar<string>(item) ? (item.value ?? "").trim() : ""));
    const [text = ""] = texts;
    const isRight = form === "flag?" ? /^(?:true|false)$/.test(text) : !texts.includes("");
    if (!isRight) throw this.#mistake(`"${name}" has to be ${wordsOfForms[form]}`, node);
    if (form === "flag?") return text === "true";
    return form === "texts?" ? texts : text;
  }

  #mistake(message: string, node: unknown): UsageError {
    return this.#mistakeAt((node as Node | undefined)?.range?.[0] ?? 0, message);
  }

  #mistakeAt(offset: number, message: string): UsageError {
    const { line, col } = this.#lines.linePos(offset);
    return new UsageError(`${this.#file}:${Math.max(1, line)}:${Math.max(1, col)}: ${message}.`);
  }
}
