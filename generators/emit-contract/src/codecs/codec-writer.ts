import {
  type ApiModel,
  createNameAllocator,
  type ListNode,
  type NameAllocator,
  pascalCase,
  type RecordNode,
  type TypeNode,
} from "@nodewright/model";
import {
  assignment,
  block,
  call,
  type Code,
  type FunctionDeclaration,
  hardline,
  ifStatement,
  join,
  listLiteral,
  stringLiteral,
} from "@nodewright/output";
import { declarationNode } from "../contract/contract-types.ts";
import { RequestRecorder, type Requests } from "../contract/requests.ts";
import type { StructureTable } from "../contract/structure.ts";
import {
  alternativesOf,
  type Direction,
  elementTypes,
  expandedAlternatives,
  isConverted,
  memberTypes,
  numberConversion,
  unnamedTypes,
} from "./alternatives.ts";

/** Functions with a fixed text that codecs call. */
export type CodecHelper =
  | "isRecord"
  | "isList"
  | "numberToMemory"
  | "bigintToMemory"
  | "amountToMemory"
  | "bigintToWire"
  | "amountToWire";

export const codecHelpers: readonly CodecHelper[] = [
  "isRecord",
  "isList",
  "numberToMemory",
  "bigintToMemory",
  "amountToMemory",
  "bigintToWire",
  "amountToWire",
];

interface PendingFunction {
  /** Identity of the types, independent of their names and locations. */
  readonly key: string;
  readonly name: string;
  readonly types: readonly TypeNode[];
  readonly path: string;
}

/** A function for a part of a type, with its requests. */
export interface WrittenCodecPart {
  readonly key: string;
  readonly path: string;
  readonly declaration: FunctionDeclaration;
  readonly requests: Requests;
}

export interface CodecWriterOptions {
  readonly model: ApiModel;
  readonly direction: Direction;
  /** Names of the file's other declarations. */
  readonly declared: Iterable<string>;
  /** Structures of the types: equal types are converted by one function. */
  readonly structures: StructureTable;
  /** When a part of a file is rewritten: names of its existing functions, by the types that they convert. */
  readonly settled?: ReadonlyMap<string, string>;
  /** Names in `settled` that are kept in any case. */
  readonly taken?: readonly string[];
}

/** Returns the preferred name of the function for a part. */
export function wantedCodecName(direction: Direction, path: string): string {
  return direction === "decode" ? `memoryOf${path}` : `wireOf${path}`;
}

/**
 * Writes the functions of one direction. Each takes and returns any value and checks its kind: a record's members and a list's items are
 * converted, and a value that no alternative describes is returned unchanged.
 *
 * Alternatives are merged by kind, so members of a union need not be distinguished: a member is converted as any of the records that have
 * it would convert it.
 */
export class CodecWriter {
  readonly #model: ApiModel;
  readonly #direction: Direction;
  readonly #names: NameAllocator;
  readonly #structures: StructureTable;
  readonly #settled: ReadonlyMap<string, string>;
  readonly #nameByKey = new Map<string, string>();
  readonly #pending: PendingFunction[] = [];
  readonly #requests = new RequestRecorder();
  #isNameMoved = false;

  constructor(options: CodecWriterOptions) {
    const { model, direction, declared, structures, settled = new Map(), taken = [] } = options;
    this.#model = model;
    this.#direction = direction;
    this.#names = createNameAllocator([...declared, ...codecHelpers, ...taken]);
    this.#structures = structures;
    this.#settled = settled;
  }

  /** Whether a new function could not get its preferred name, because a settled one has it. */
  get isNameMoved(): boolean {
    return this.#isNameMoved;
  }

  /** Runs a writing step and returns its result with the requests that it made. */
  observe<Written>(write: () => Written): { readonly written: Written; readonly requests: Requests } {
    return this.#requests.observe(write);
  }

  /** Returns the name of the function that converts values of a type; undefined when they are unchanged. */
  converter(types: readonly TypeNode[], path: string): string | undefined {
    const converted = alternativesOf(types).filter((type) => isConverted(type, this.#direction, this.#model));
    const [only] = converted;
    if (only === undefined) return undefined;
    if (converted.length === 1 && only.kind === "reference") {
      return this.#declared(only.target);
    }
    return this.#merged(expandedAlternatives(types, this.#model), path);
  }

  /** Returns the requested functions, and those that they request. */
  parts(): readonly WrittenCodecPart[] {
    const parts: WrittenCodecPart[] = [];
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      const { key, path, name } = next;
      const pending = next;
      const { written: body, requests } = this.observe(() => this.#body(pending));
      const declaration: FunctionDeclaration = {
        kind: "function",
        name,
        isExported: false,
        parameters: [{ name: "value", type: "unknown" }],
        returns: "unknown",
        body,
      };
      parts.push({ key, path, declaration, requests });
    }
    return parts;
  }

  #declared(target: string): string {
    return this.#merged(expandedAlternatives([declarationNode(target, this.#model)], this.#model), target);
  }

  #merged(types: readonly TypeNode[], path: string): string {
    const isNumberAlone = types.every((type) => type.kind !== "record" && type.kind !== "list");
    if (isNumberAlone) return this.#numberHelper(types) ?? "";
    const key = types.map((type) => this.#structures.collect(type).id).join();
    this.#requests.note({ kind: "part", key, stem: path });
    const known = this.#nameByKey.get(key) ?? this.#settled.get(key);
    if (known !== undefined) return known;
    const wanted = wantedCodecName(this.#direction, path);
    const name = this.#names.allocate(wanted);
    if (name !== wanted) this.#isNameMoved = true;
    this.#nameByKey.set(key, name);
    this.#pending.push({ key, name, types, path });
    return name;
  }

  #numberHelper(types: readonly TypeNode[]): string | undefined {
    const conversion = numberConversion(types, this.#direction);
    if (conversion === undefined) return undefined;
    if (conversion === "plain") return this.#helper("numberToMemory");
    return this.#helper(this.#direction === "decode" ? `${conversion}ToMemory` : `${conversion}ToWire`);
  }

  #helper(name: CodecHelper): string {
    this.#requests.noteHelper(name);
    return name;
  }

  #body({ types, path }: PendingFunction): Code {
    const lists = types.filter((type) => type.kind === "list");
    const records = types.filter((type) => type.kind === "record");
    const number = this.#numberHelper(types);
    return join(hardline, [
      ...this.#listStatements(lists, path),
      ...this.#recordStatements(records, path),
      number === undefined ? "return value;" : `return ${number}(value);`,
    ]);
  }

  #listStatements(lists: readonly ListNode[], path: string): readonly Code[] {
    const longest = Math.max(0, ...lists.map(({ prefix = [] }) => prefix.length));
    const itemPath = `${path}Item`;
    const rest = this.converter(elementTypes(lists), itemPath);
    const heads = Array.from({ length: longest }, (_, index) =>
      this.converter(elementTypes(lists, index), `${itemPath}${index}`),
    );
    if (rest === undefined && heads.every((head) => head === undefined)) return [];
    const condition = `${this.#helper("isList")}(value)`;
    if (longest === 0) return [ifStatement(condition, `return value.map(${rest});`)];
    const positions = heads.flatMap((head, index): Code[] => {
      const result = head === undefined ? "item" : `${head}(item)`;
      return [ifStatement(`index === ${index}`, `return ${result};`)];
    });
    const last = rest === undefined ? "return item;" : `return ${rest}(item);`;
    const map: Code = [block("return value.map((item, index) =>", [...positions, last]), ");"];
    return [block(`if (${condition})`, [map])];
  }

  #recordStatements(records: readonly RecordNode[], path: string): readonly Code[] {
    const names = [...new Set(records.flatMap(({ members }) => members.map((field) => field.name)))];
    const members = names.flatMap((name): Code[] => {
      const converter = this.converter(memberTypes(records, name), `${path}${pascalCase(name)}`);
      return converter === undefined ? [] : [memberStatement(name, converter)];
    });
    const rest = this.converter(unnamedTypes(records), `${path}Member`);
    const others = rest === undefined ? [] : [restStatement(names, rest)];
    if (members.length === 0 && others.length === 0) return [];
    const condition = `${this.#helper("isRecord")}(value)`;
    const copy = "const result: Members = { ...value };";
    return [block(`if (${condition})`, [copy, ...members, ...others, "return result;"])];
  }
}

/** Returns a statement that converts a member if it is present; inherited properties do not count. */
function memberStatement(name: string, converter: string): Code {
  const key = stringLiteral(name);
  // Escaped, the name of the prototype's accessor is an ordinary member to linters too.
  const member = `result[${name === "__proto__" ? '"\\u005f_proto__"' : key}]`;
  const isThere = name in Object.prototype ? `Object.hasOwn(result, ${key})` : `${member} !== undefined`;
  return ifStatement(isThere, [assignment(member, call(converter, [member])), ";"]);
}

/** Returns a statement that converts the members that `names` does not contain. */
function restStatement(names: readonly string[], converter: string): Code {
  const convert: Code = [assignment("result[name]", call(converter, ["result[name]"])), ";"];
  if (names.length === 0) return block("for (const name of Object.keys(result))", [convert]);
  const known: Code = [assignment("const known: readonly string[]", listLiteral(names.map(stringLiteral))), ";"];
  const others = block("for (const name of Object.keys(result))", [ifStatement("!known.includes(name)", convert)]);
  return join(hardline, [known, others]);
}
