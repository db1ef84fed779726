import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import type { Parameter } from "./list-roles.ts";
import { singularOf } from "../basics/singular.ts";

/** What identifiers are inferred from. */
export interface Addressed {
  /** What it is about, as its name or path ends: `blocks` of `/chain/blocks`. */
  readonly things?: string;
  /** Property of the parameter that identifies the one object that is returned. */
  readonly key?: string;
  /** Members that declared links give to parameters, by the parameter's property: `barcode` for the `ean` of an item. */
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

/** Endings of names of identifiers, which an object of the kind has alone. */
const endings = ["id", "uuid", "hash", "name", "code", "slug", "key", "number", "height", "address", "symbol"];

/**
 * Returns the member of an object that a parameter identifies it by: the one of the same name (`txid`); `id` or `hash` where the parameter
 * is called after them and the thing (`petId`, `id`, `block_hash`); or the one that declared links take it from.
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
  { things = "" }: Addressed,
  wanted: string,
  names: readonly string[],
  value: unknown,
): string | undefined {
  const thing = singularOf(plainName(things));
  const find = (spelling: string): string | undefined => names.find((name) => plainName(name) === spelling);
  if (wanted === thing)
    return formsOf(value)
      .flatMap((name) => [find(name), find(`${thing}${name}`)])
      .find((name) => name !== undefined);
  const ending = endings.find((one) => wanted.endsWith(one));
  const before = ending === undefined ? undefined : wanted.slice(0, -ending.length);
  if (ending === undefined || before === undefined) return undefined;
  return before === "" || thing.endsWith(before) ? (find(ending) ?? find(`${thing}${ending}`)) : undefined;
}

/** `/blocks/{block}` takes what identifies a block: its hash where the value is one, else its number. */
function formsOf(value: unknown): readonly string[] {
  const text = String(value);
  if (/^(?:0x)?[0-9a-f]{32,}$/i.test(text)) return ["hash", "id", "txid"];
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)) return ["id", "uuid"];
  return /^\d+$/.test(text) ? ["id", "height", "number"] : ["slug", "id", "name"];
}

/**
 * Whether two identifiers may be of one object: hexadecimal and names may be spelt in either case, and an object may have identifiers of
 * several kinds, a height or a hash, of which a parameter takes any.
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

/** The number that an integer, or a short text of one in decimal or hexadecimal, stands for. */
function numberOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^(?:0x[0-9a-fA-F]{1,16}|[0-9]{1,19})$/.test(value) ? BigInt(value) : undefined;
}
