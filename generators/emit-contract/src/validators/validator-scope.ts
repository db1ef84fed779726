import {
  type ApiModel,
  camelCase,
  createNameAllocator,
  type JsonValue,
  type NameAllocator,
  patternHazard,
  type TypeNode,
} from "@nodewright/model";
import {
  call,
  type Code,
  type ConstantDeclaration,
  jsonLiteral,
  listLiteral,
  renderCode,
  safeIdentifier,
  stringLiteral,
} from "@nodewright/output";
import { predicateName } from "../names/contract-names.ts";
import { declarationNode } from "../contract/contract-types.ts";
import { linearPatterns } from "./format-predicates.ts";
import type { HelperName, HelperNames } from "./helpers.ts";
import { RequestRecorder, type Requests } from "../contract/requests.ts";
import type { Structure, Structures } from "../contract/structure.ts";

/** A part of a type that is checked by a separate function. */
export interface PartFunction {
  readonly name: string;
  /** Purpose of the function. `evaluate`: a check that records the evaluated parts. */
  readonly purpose: "check" | "check-exactly-one" | "report" | "evaluate";
  readonly type: TypeNode;
  /** PascalCase words that name the part: `TransactionPrevout`. */
  readonly path: string;
  readonly isLossless: boolean;
}

/** A part with its key. */
export interface KeyedPart extends PartFunction {
  readonly key: string;
}

type PartPlace = Pick<PartFunction, "path" | "isLossless">;

/** A type with an exported check. */
export interface ExportedType {
  readonly name: string;
  /** Number of its structure. */
  readonly structure: number;
  readonly isLossless: boolean;
}

/** Names of shared items by key, from an earlier run that wrote the complete file, for rewriting a part of it. */
export interface SettledNames {
  readonly constants: ReadonlyMap<string, string>;
  readonly parts: ReadonlyMap<string, string>;
  /** Number of types that were created while the file was written. */
  readonly madeTypes: number;
}

/** Returns the names of exported types by their structure and by how their numbers are read; of equal ones, the first. */
export function exportedByStructure(types: Iterable<ExportedType>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, structure, isLossless } of types) {
    const key = exportedKey(structure, isLossless);
    if (!names.has(key)) names.set(key, name);
  }
  return names;
}

export function exportedKey(structure: number, isLossless: boolean): string {
  return `${isLossless} structure ${structure}`;
}

/** Returns whether a part with so many occurrences is worth a separate function. */
export function isWorthSharing({ places, weight }: Pick<Structure, "places" | "weight">): boolean {
  return places > 1 && weight >= minimumSharedWeight;
}

/** Returns the preferred name of the function of a part. */
export function wantedPartName(purpose: PartFunction["purpose"], path: string): string {
  return `${partPrefixes[purpose]}${shortened(path)}`;
}

/** Returns the name of the function that reports on a declaration's values. */
export function reportName(typeName: string): string {
  return `report${typeName}`;
}

/** Minimum number of type nodes in a part for which a call of its function is shorter than its checks. */
const minimumSharedWeight = 6;

export interface ValidatorScopeOptions {
  readonly model: ApiModel;
  /** Allocates names that the file's exports and imports do not use. */
  readonly names: NameAllocator;
  readonly helperNames: HelperNames;
  /** Names of the types whose values may be nested without limit. */
  readonly deep: ReadonlySet<string>;
  /** Asserted formats and the functions that check them. */
  readonly formats: ReadonlyMap<string, string>;
  /** Structures: a part that occurs several times in the types with exported checks gets one function. */
  readonly structures: Structures;
  readonly exported: ReadonlyMap<string, string>;
  /** Present when a part of a file is rewritten. */
  readonly settled?: SettledNames;
}

/** Returns the name of the function that checks a type whose values may be nested without limit; the exported one guards it. */
export function checkName(typeName: string): string {
  return `check${typeName}`;
}

/** The shared items of one `validators.ts`: its constants, its helpers, and the functions that are still to be written. */
export class ValidatorScope {
  readonly model: ApiModel;
  readonly helperNames: HelperNames;
  readonly #names: NameAllocator;
  readonly #helpers = new Set<HelperName>();
  readonly #constants = new Map<string, ConstantDeclaration>();
  readonly #parts = new Map<string, KeyedPart>();
  readonly #pending: KeyedPart[] = [];
  readonly #structures: Structures;
  readonly #exported: ReadonlyMap<string, string>;
  readonly #madeTypes = new Map<TypeNode, number>();
  readonly #deep: ReadonlySet<string>;
  readonly #formats: ReadonlyMap<string, string>;
  readonly #settled: SettledNames | undefined;
  readonly #requests = new RequestRecorder();
  #isNameMoved = false;

  constructor(options: ValidatorScopeOptions) {
    const { model, names, helperNames, deep, formats, structures, exported, settled } = options;
    this.model = model;
    this.#structures = structures;
    this.#exported = exported;
    this.#settled = settled;
    this.helperNames = helperNames;
    this.#names = names;
    this.#deep = deep;
    this.#formats = formats;
  }

  /** Returns the requested helpers that the file mentions. */
  helpersIn(words: ReadonlySet<string>): ReadonlySet<HelperName> {
    return new Set([...this.#helpers].filter((helper) => words.has(this.helperNames.get(helper) ?? helper)));
  }

  /** Constants by key, in the order of their first requests. */
  get constants(): ReadonlyMap<string, ConstantDeclaration> {
    return this.#constants;
  }

  /** Number of types that were created during writing. */
  get madeTypes(): number {
    return (this.#settled?.madeTypes ?? 0) + this.#madeTypes.size;
  }

  /** Whether a new item could not get its preferred name, because a settled one has it. */
  get isNameMoved(): boolean {
    return this.#isNameMoved;
  }

  /** Runs a writing step and returns its result with the requests that it made. */
  observe<Written>(write: () => Written): { readonly written: Written; readonly requests: Requests } {
    return this.#requests.observe(write);
  }

  /** Returns the functions that were requested since the last call. */
  takeParts(): readonly KeyedPart[] {
    return this.#pending.splice(0);
  }

  /** Returns the name of a helper, which the file then declares. */
  helper(name: HelperName): string {
    this.#helpers.add(name);
    this.#requests.noteHelper(name);
    return this.helperNames.get(name) ?? name;
  }

  /** Returns the function that checks the values of a declaration within the file. */
  predicate(target: string): string {
    return this.#deep.has(target) ? checkName(target) : predicateName(target);
  }

  /** Returns the type that a reference stands for. */
  declared(target: string): TypeNode {
    return declarationNode(target, this.model);
  }

  /** Returns the function that checks a string's format; undefined for a format that the runtime does not support. */
  format(format: string): string | undefined {
    return this.#formats.get(format);
  }

  pattern(source: string, path: string): string {
    const flags = patternFlags(source) === "u" ? [] : ['""'];
    const linear = patternHazard(source, patternFlags(source)) && this.#formats.get(linearPatterns);
    const value = call(linear ?? this.helper("pattern"), [stringLiteral(source), ...flags]);
    return this.#constant(`pattern ${source}`, `${shortened(path)}Pattern`, value);
  }

  /** Returns the constant of a JSON value. */
  value(value: JsonValue, path: string): string {
    return this.#constant(`value ${JSON.stringify(value)}`, `${shortened(path)}Value`, jsonLiteral(value), "unknown");
  }

  /** Returns the constant with the pattern for strings of the characters of a class only. */
  run(characters: string, path: string): string {
    const value = call(this.helper("runOf"), [stringLiteral(characters)]);
    return this.#constant(`run ${characters}`, `${shortened(path)}Run`, value);
  }

  /** Returns the constant of a set of primitive values. */
  values(values: readonly JsonValue[], path: string): string {
    return this.#set(values.map(jsonLiteral), `${shortened(path)}Values`, "unknown");
  }

  names(names: readonly string[], path: string): string {
    return this.#set(names.map(stringLiteral), `${shortened(path)}Names`, "string");
  }

  /** Returns whether a part of a type is worth a separate function, because it occurs several times. */
  isShared(type: TypeNode): boolean {
    const structure = this.#structures.find(type);
    return structure !== undefined && isWorthSharing(structure);
  }

  /** Returns the first exported type with the same structure as `type`, if a call of its function is worthwhile. */
  findExported(type: TypeNode, isLossless: boolean): string | undefined {
    return this.isShared(type) ? this.#exported.get(`${isLossless} ${this.#key(type)}`) : undefined;
  }

  /** Returns the name of a function that checks or reports a part; an equal part gives the same function. */
  part(purpose: PartFunction["purpose"], type: TypeNode, { path, isLossless }: PartPlace): string {
    const exported = purpose === "check" || purpose === "report" ? this.findExported(type, isLossless) : undefined;
    if (exported !== undefined) return purpose === "check" ? this.predicate(exported) : reportName(exported);
    const key = `${purpose} ${isLossless} ${this.#key(type)}`;
    this.#requests.note({ kind: "part", key, stem: path });
    const known = this.#parts.get(key)?.name ?? this.#settled?.parts.get(key);
    if (known !== undefined) return known;
    const name = this.#allocate(wantedPartName(purpose, path));
    const part = { key, name, purpose, type, path, isLossless };
    this.#parts.set(key, part);
    this.#pending.push(part);
    return part.name;
  }

  #set(items: readonly Code[], wanted: string, type: string): string {
    const list = listLiteral(items);
    return this.#constant(`${type} ${renderCode(list)}`, wanted, [`new Set<${type}>(`, list, ")"]);
  }

  #constant(key: string, wanted: string, value: Code, type?: string): string {
    const stem = safeIdentifier(camelCase(wanted));
    this.#requests.note({ kind: "constant", key, stem });
    const known = this.#constants.get(key)?.name ?? this.#settled?.constants.get(key);
    if (known !== undefined) return known;
    const name = this.#allocate(stem);
    this.#constants.set(key, {
      kind: "constant",
      name,
      isExported: false,
      value,
      ...(type === undefined ? {} : { type }),
    });
    return name;
  }

  #allocate(wanted: string): string {
    const name = this.#names.allocate(wanted);
    if (name !== wanted) this.#isNameMoved = true;
    return name;
  }

  /** Returns the key of a type; types that are created during writing are identified by themselves. */
  #key(type: TypeNode): string {
    const structure = this.#structures.find(type);
    if (structure !== undefined) return `structure ${structure.id}`;
    const known = this.#madeTypes.get(type) ?? this.madeTypes;
    this.#madeTypes.set(type, known);
    return `made ${known}`;
  }
}

const partPrefixes: Readonly<Record<PartFunction["purpose"], string>> = {
  check: "is",
  "check-exactly-one": "isOneOf",
  report: "report",
  evaluate: "evaluate",
};

/** Returns the flags of a pattern: many patterns that were written for engines without the `u` flag are invalid with it. */
export function patternFlags(source: string): "" | "u" {
  return isPattern(source, "u") || !isPattern(source, "") ? "u" : "";
}

function isPattern(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

/** Names of a function's local variables. */
export class LocalNames {
  readonly #names = createNameAllocator([
    "value",
    "pointer",
    "violations",
    "seen",
    "undefined",
    "Object",
    "Number",
    "Set",
  ]);

  /** Allocates a local variable for a member with that name, different from the names that a file declares outside functions. */
  allocate(name: string): string {
    const wanted = safeIdentifier(shortened(camelCase(name)));
    const mayClash =
      /^(is|has|report|violat|find|count|escape|canonical|pattern|missing|own|check|evaluate|note|equal|decimal)/.test(
        wanted,
      ) || /(Run|Pattern|Values|Value|Names)[0-9]*$/.test(wanted);
    return this.#names.allocate(mayClash ? `${wanted}Member` : wanted);
  }
}

/** Shortens names of deeply nested parts, so that the lines with them stay readable. */
function shortened(name: string): string {
  return [...name].slice(0, 32).join("");
}
