import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import type { Parameter } from "./list-roles.ts";
import { singularOf } from "../basics/singular.ts";

/** Facts about an operation from which identifiers are inferred. */
export interface Addressed {
  /** Name of the returned objects, as the operation's name or path ends: `blocks` of `/chain/blocks`. */
  readonly typeNames?: string;
  /** Property of the parameter that identifies the returned object. */
  readonly key?: string;
  /** Members that declared links assign to parameters, by the parameter's property: `barcode` for the `ean` of an item. */
  readonly linked?: Readonly<Record<string, string>>;
  readonly parameters: readonly Parameter[];
  readonly result: SuiteType | undefined;
  readonly types: SuiteTypes;
}

/** Names of parameters that identify one of many objects. */
const identifyingName =
  /(?:hash|id|txid|height|number|no|nr|ref|index|address|name|symbol|key|slug|code|uuid|outpoint|sku|isbn|ean|iban|serial|login|ticker)$/;

/** Whether a parameter identifies one of many objects, by its name. */
export function isIdentifying({ name }: Pick<Parameter, "name">): boolean {
  return identifyingName.test(plainName(name));
}

/** Endings of names of identifiers, which are also complete names in objects. */
const endings = ["id", "uuid", "hash", "name", "code", "slug", "key", "number", "height", "address", "symbol"];

/**
 * Returns the member of an object that a parameter identifies it by: the one of the same name (`txid`); `id` or `hash` where the
 * parameter's name consists of the object's name and this one (`petId`, `id`, `block_hash`); or the source of declared links.
 */
export function identifierMemberOf(
  operation: Addressed,
  parameter: Parameter,
  names: readonly string[],
  value?: unknown,
): string | undefined {
  const isKey = parameter.property === operation.key;
  if (!isKey && !isIdentifying(parameter)) return undefined;
  const wanted = plainName(parameter.name);
  const same = names.find((name) => plainName(name) === wanted);
  if (same !== undefined || !isKey) return same;
  const linked = names.find((name) => name === operation.linked?.[parameter.property]);
  return byEnding(operation, wanted, names, value) ?? linked;
}

function byEnding(
  { typeNames = "" }: Addressed,
  wanted: string,
  names: readonly string[],
  value: unknown,
): string | undefined {
  const typeName = singularOf(plainName(typeNames));
  const find = (spelling: string): string | undefined => names.find((name) => plainName(name) === spelling);
  if (wanted === typeName)
    return formsOf(value)
      .flatMap((name) => [find(name), find(`${typeName}${name}`)])
      .find((name) => name !== undefined);
  const ending = endings.find((one) => wanted.endsWith(one));
  const before = ending === undefined ? undefined : wanted.slice(0, -ending.length);
  if (ending === undefined || before === undefined) return undefined;
  return before === "" || typeName.endsWith(before) ? (find(ending) ?? find(`${typeName}${ending}`)) : undefined;
}

/** Returns names of identifiers with the form of a value: `/blocks/{block}` takes a hash or a number. */
function formsOf(value: unknown): readonly string[] {
  const text = String(value);
  if (/^(?:0x)?[0-9a-f]{32,}$/i.test(text)) return ["hash", "id", "txid"];
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)) return ["id", "uuid"];
  return /^\d+$/.test(text) ? ["id", "height", "number"] : ["slug", "id", "name"];
}

/**
 * Whether two identifiers may identify the same object. Hexadecimal and names are compared case-insensitively. An object may have several
 * identifiers, such as a height and a hash, of which a parameter accepts any.
 */
export function maySameIdentify(left: unknown, right: unknown): boolean {
  const isPlain = (value: unknown): boolean => ["string", "number", "bigint"].includes(typeof value);
  if (!isPlain(left) || !isPlain(right)) return true;
  const [one, other] = [left, right].map((value) => String(value).toLowerCase());
  if (one === other || one?.replace(/^0x/, "") === other?.replace(/^0x/, "")) return true;
  const [first, second] = [numberOf(left), numberOf(right)];
  return first === undefined || second === undefined
    ? (first === undefined) !== (second === undefined)
    : first === second;
}

/** Returns the value of an integer, or of a short decimal or hexadecimal string. */
function numberOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^(?:0x[0-9a-fA-F]{1,16}|[0-9]{1,19})$/.test(value) ? BigInt(value) : undefined;
}
