import {
  type ApiModel,
  camelCase,
  createNameAllocator,
  type JsonValue,
  type NameAllocator,
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
import { type HelperName, helperNames, type HelperNames } from "./helpers.ts";

/** A function for a part of a type that is checked away from the rest. */
export interface PartFunction {
  readonly name: string;
  readonly purpose: "check" | "check-exactly-one" | "report";
  readonly type: TypeNode;
  /** PascalCase words that name the part: `TransactionPrevout`. */
  readonly path: string;
  readonly isLossless: boolean;
}

type PartPlace = Pick<PartFunction, "path" | "isLossless">;

/** What one `validators.ts` shares: its constants, its helpers, and the functions that are still to be written. */
export class ValidatorScope {
  readonly model: ApiModel;
  readonly helperNames: HelperNames;
  readonly #names: NameAllocator;
  readonly #helpers = new Set<HelperName>();
  readonly #constants = new Map<string, ConstantDeclaration>();
  readonly #parts = new Map<string, PartFunction>();
  readonly #pending: PartFunction[] = [];
  readonly #keyOfType = new Map<TypeNode, number>();

  constructor(model: ApiModel, declared: Iterable<string>) {
    this.model = model;
    this.#names = createNameAllocator(declared);
    this.helperNames = new Map(helperNames.map((name) => [name, this.#names.allocate(name)]));
  }

  get helpers(): ReadonlySet<HelperName> {
    return this.#helpers;
  }

  get constants(): readonly ConstantDeclaration[] {
    return [...this.#constants.values()];
  }

  /** Hands out the functions that were asked for since the last call. */
  takeParts(): readonly PartFunction[] {
    return this.#pending.splice(0);
  }

  /** The name of a helper, which the file then declares. */
  helper(name: HelperName): string {
    this.#helpers.add(name);
    return this.helperNames.get(name) ?? name;
  }

  pattern(source: string, path: string): string {
    return this.#constant(
      `pattern ${source}`,
      `${shortened(path)}Pattern`,
      call(this.helper("pattern"), [stringLiteral(source)]),
    );
  }

  /** What finds a character other than those of a class. */
  otherCharacters(characters: string, path: string): string {
    const source = stringLiteral(`[^${characters}]`);
    return this.#constant(`others ${characters}`, `${shortened(path)}Others`, call(this.helper("finder"), [source]));
  }

  /** A set of primitive values. */
  values(values: readonly JsonValue[], path: string): string {
    return this.#set(values.map(jsonLiteral), `${shortened(path)}Values`, "unknown");
  }

  /** A set of the canonical texts of values. */
  texts(texts: readonly string[], path: string): string {
    return this.#set(texts.map(stringLiteral), `${shortened(path)}Texts`, "string");
  }

  names(names: readonly string[], path: string): string {
    return this.#set(names.map(stringLiteral), `${shortened(path)}Names`, "string");
  }

  /** The name of a function that checks or reports a part; the same part gives the same function. */
  part(purpose: PartFunction["purpose"], type: TypeNode, { path, isLossless }: PartPlace): string {
    const key = `${purpose} ${this.#key(type)}`;
    const known = this.#parts.get(key);
    if (known !== undefined) return known.name;
    const prefix = purpose === "report" ? "report" : purpose === "check" ? "is" : "isOneOf";
    const part = { name: this.#names.allocate(`${prefix}${shortened(path)}`), purpose, type, path, isLossless };
    this.#parts.set(key, part);
    this.#pending.push(part);
    return part.name;
  }

  #set(items: readonly Code[], wanted: string, type: string): string {
    const list = listLiteral(items);
    return this.#constant(`${type} ${renderCode(list)}`, wanted, [`new Set<${type}>(`, list, ")"]);
  }

  #constant(key: string, wanted: string, value: Code): string {
    const known = this.#constants.get(key);
    if (known !== undefined) return known.name;
    const name = this.#names.allocate(safeIdentifier(camelCase(wanted)));
    this.#constants.set(key, { kind: "constant", name, isExported: false, value });
    return name;
  }

  #key(type: TypeNode): number {
    const known = this.#keyOfType.get(type) ?? this.#keyOfType.size;
    this.#keyOfType.set(type, known);
    return known;
  }
}

/** The names of a function's local variables. */
export class LocalNames {
  readonly #names = createNameAllocator(["value", "pointer", "violations", "undefined", "Object", "Number", "Set"]);

  /** A local variable for a member of that name, kept clear of the names that a file declares outside functions. */
  allocate(name: string): string {
    const wanted = safeIdentifier(shortened(camelCase(name)));
    const mayClash =
      /^(is|has|report|violat|find|count|escape|canonical|pattern|missing|ownMember|finder)/.test(wanted) ||
      /(Others|Pattern|Values|Texts|Names)[0-9]*$/.test(wanted);
    return this.#names.allocate(mayClash ? `${wanted}Member` : wanted);
  }
}

/** Names of places deep inside a type are cut, so that the lines around them stay readable. */
function shortened(name: string): string {
  return [...name].slice(0, 32).join("");
}
