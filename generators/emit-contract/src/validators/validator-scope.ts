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
  predicateName,
  renderCode,
  safeIdentifier,
  stringLiteral,
} from "@nodewright/output";
import { declarationNode } from "../contract-types.ts";
import { linearPatterns } from "./format-predicates.ts";
import type { HelperName, HelperNames } from "./helpers.ts";
import { RequestRecorder, type Requests } from "../requests.ts";
import type { Structure, Structures } from "./structure.ts";

/** A function for a part of a type that is checked away from the rest. */
export interface PartFunction {
  readonly name: string;
  /** `evaluate`: a check that notes what it looked at. */
  readonly purpose: "check" | "check-exactly-one" | "report" | "evaluate";
  readonly type: TypeNode;
  /** PascalCase words that name the part: `TransactionPrevout`. */
  readonly path: string;
  readonly isLossless: boolean;
}

/** A part with what it is known by. */
export interface KeyedPart extends PartFunction {
  readonly key: string;
}

type PartPlace = Pick<PartFunction, "path" | "isLossless">;

/** A type that the file exports a check of. */
export interface ExportedType {
  readonly name: string;
  /** Number of what it asserts. */
  readonly structure: number;
  readonly isLossless: boolean;
}

/** What an earlier run settled for a whole file of which a part is written again: the names of what functions share, by its key. */
export interface SettledNames {
  readonly constants: ReadonlyMap<string, string>;
  readonly parts: ReadonlyMap<string, string>;
  /** How many types were made while the file was written. */
  readonly madeTypes: number;
}

/** The names of exported types by what they assert and how their numbers are read; the first has it. */
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

/** Whether what stands in so many places is worth a function of its own. */
export function isWorthSharing({ places, weight }: Pick<Structure, "places" | "weight">): boolean {
  return places > 1 && weight >= leastSharedWeight;
}

/** What the function of a part is called unless something else is. */
export function wantedPartName(purpose: PartFunction["purpose"], path: string): string {
  return `${partPrefixes[purpose]}${shortened(path)}`;
}

/** The name of the function that reports on a declaration's values. */
export function reportName(typeName: string): string {
  return `report${typeName}`;
}

/** Type nodes that a part has to hold before a call of its function is shorter than its checks. */
const leastSharedWeight = 6;

export interface ValidatorScopeOptions {
  readonly model: ApiModel;
  /** Hands out names that the file's exports and imports do not take. */
  readonly names: NameAllocator;
  readonly helperNames: HelperNames;
  /** Names of the types whose values may be nested without end. */
  readonly deep: ReadonlySet<string>;
  /** Asserted formats and the functions that check them. */
  readonly formats: ReadonlyMap<string, string>;
  /** What stands in several places of what the file exports checks of gets one function. */
  readonly structures: Structures;
  readonly exported: ReadonlyMap<string, string>;
  /** Where a part of a file is written again. */
  readonly settled?: SettledNames;
}

/** The function that checks a type whose values may be nested without end; the exported one guards it. */
export function checkName(typeName: string): string {
  return `check${typeName}`;
}

/** What one `validators.ts` shares: its constants, its helpers, and the functions that are still to be written. */
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

  /** The helpers that were asked for, of those that the file mentions. */
  helpersIn(words: ReadonlySet<string>): ReadonlySet<HelperName> {
    return new Set([...this.#helpers].filter((helper) => words.has(this.helperNames.get(helper) ?? helper)));
  }

  /** By what they are known by, in the order in which they were first asked for. */
  get constants(): ReadonlyMap<string, ConstantDeclaration> {
    return this.#constants;
  }

  /** How many types were made while writing. */
  get madeTypes(): number {
    return (this.#settled?.madeTypes ?? 0) + this.#madeTypes.size;
  }

  /** Whether something new could not have the name that it wants, beside what is settled. */
  get isNameMoved(): boolean {
    return this.#isNameMoved;
  }

  /** Writes something, and tells what was asked for meanwhile. */
  observe<Written>(write: () => Written): { readonly written: Written; readonly requests: Requests } {
    return this.#requests.observe(write);
  }

  /** Hands out the functions that were asked for since the last call. */
  takeParts(): readonly KeyedPart[] {
    return this.#pending.splice(0);
  }

  /** The name of a helper, which the file then declares. */
  helper(name: HelperName): string {
    this.#helpers.add(name);
    this.#requests.noteHelper(name);
    return this.helperNames.get(name) ?? name;
  }

  /** What checks the values of a declaration within the file. */
  predicate(target: string): string {
    return this.#deep.has(target) ? checkName(target) : predicateName(target);
  }

  /** The type that a reference stands for. */
  declared(target: string): TypeNode {
    return declarationNode(target, this.model);
  }

  /** What checks a text's format; undefined for a format that the runtime does not know. */
  format(format: string): string | undefined {
    return this.#formats.get(format);
  }

  pattern(source: string, path: string): string {
    const flags = patternFlags(source) === "u" ? [] : ['""'];
    const linear = patternHazard(source, patternFlags(source)) && this.#formats.get(linearPatterns);
    const value = call(linear ?? this.helper("pattern"), [stringLiteral(source), ...flags]);
    return this.#constant(`pattern ${source}`, `${shortened(path)}Pattern`, value);
  }

  /** A JSON value as a constant. */
  value(value: JsonValue, path: string): string {
    return this.#constant(`value ${JSON.stringify(value)}`, `${shortened(path)}Value`, jsonLiteral(value), "unknown");
  }

  /** What matches texts of nothing but the characters of a class. */
  run(characters: string, path: string): string {
    const value = call(this.helper("runOf"), [stringLiteral(characters)]);
    return this.#constant(`run ${characters}`, `${shortened(path)}Run`, value);
  }

  /** A set of primitive values. */
  values(values: readonly JsonValue[], path: string): string {
    return this.#set(values.map(jsonLiteral), `${shortened(path)}Values`, "unknown");
  }

  names(names: readonly string[], path: string): string {
    return this.#set(names.map(stringLiteral), `${shortened(path)}Names`, "string");
  }

  /** Whether a part of a type is worth a function of its own, because it stands in several places. */
  isShared(type: TypeNode): boolean {
    const structure = this.#structures.find(type);
    return structure !== undefined && isWorthSharing(structure);
  }

  /** The first exported type that asserts just what `type` does, where a call of its function is worth it. */
  findExported(type: TypeNode, isLossless: boolean): string | undefined {
    return this.isShared(type) ? this.#exported.get(`${isLossless} ${this.#key(type)}`) : undefined;
  }

  /** The name of a function that checks or reports a part; an equal part gives the same function. */
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

  /** Types that are made while writing are told apart by themselves. */
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

/** What people write for engines without the `u` flag is often no pattern with it. */
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

/** The names of a function's local variables. */
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

  /** A local variable for a member of that name, kept clear of the names that a file declares outside functions. */
  allocate(name: string): string {
    const wanted = safeIdentifier(shortened(camelCase(name)));
    const mayClash =
      /^(is|has|report|violat|find|count|escape|canonical|pattern|missing|own|check|evaluate|note|equal|decimal)/.test(
        wanted,
      ) || /(Run|Pattern|Values|Value|Names)[0-9]*$/.test(wanted);
    return this.#names.allocate(mayClash ? `${wanted}Member` : wanted);
  }
}

/** Names of places deep inside a type are cut, so that the lines around them stay readable. */
function shortened(name: string): string {
  return [...name].slice(0, 32).join("");
}
