import { withPlace } from "../suite/with-place.ts";
import { getNamedType, getNullableType, isListType } from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { Rule } from "../contract/rule.ts";
import { isRecord } from "../types/is-record.ts";
import { showValue } from "../compare/show-value.ts";
import { connectionNodeOf } from "./field-names.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { placeOf } from "./place-of.ts";
import { uniqueFindings } from "./read-response.ts";
import type { MetField } from "./walk-answer.ts";

/** What holds within one answer by the names and types of its fields. */
export function relationsWithin(met: readonly MetField[]): readonly Finding[] {
  return uniqueFindings(
    met.flatMap((one) => [...countFindings(one), ...parentFindings(one), ...distinctFindings(one)]),
  );
}

/** A whole number as it was answered: a number, or digits, decimal or hexadecimal with 0x. */
function wholeNumberOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string" || !/^(?:0x[0-9a-fA-F]{1,64}|-?[0-9]{1,78})$/.test(value)) return undefined;
  return BigInt(value);
}

/** `transactions` with `transactionCount` beside it; `totalCount` with `edges`. */
function countFindings({ parent, field, node, value }: MetField): readonly Finding[] {
  if (!Array.isArray(value) || field.args.length > 0 || (node.arguments ?? []).length > 0) return [];
  const isPage = field.name === "edges";
  const counts = isPage ? ["totalCount"] : countNamesOf(field.name);
  for (const name of counts) {
    const count = Object.hasOwn(parent, name) ? wholeNumberOf(parent[name]) : undefined;
    if (count === undefined) continue;
    const length = BigInt(value.length);
    if (isPage ? length <= count : length === count) return [];
    // Lists end at round numbers where servers end them by themselves.
    const isCut = length < count && value.length > 0 && value.length % 5 === 0;
    const message = isPage
      ? `${name} is less than the edges of one page`
      : `${name} is not how many ${field.name} there are`;
    return [
      found(
        isCut ? graphqlRules.countLikely : graphqlRules.count,
        field,
        message,
        `${showValue(parent[name])} beside ${value.length}`,
      ),
    ];
  }
  return [];
}

/** Names under which the length of a list stands beside it. */
function countNamesOf(list: string): readonly string[] {
  const singular = singularOf(list);
  const capitalised = list.charAt(0).toUpperCase() + list.slice(1);
  return [
    `${singular}Count`,
    `${list}Count`,
    `${singular}_count`,
    `${list}_count`,
    `numberOf${capitalised}`,
    `num${capitalised}`,
  ];
}

/** `transaction` of `transactions`, `body` of `bodies`. */
export function singularOf(plural: string): string {
  if (plural.endsWith("ies")) return `${plural.slice(0, -3)}y`;
  if (/(?:ses|xes|ches|shes)$/.test(plural)) return plural.slice(0, -2);
  return plural.endsWith("s") ? plural.slice(0, -1) : plural;
}

/** `parent` of an object of the same type, both with a number or a height. */
function parentFindings({ parentType, parent, field, value }: MetField): readonly Finding[] {
  if (field.name !== "parent" || getNamedType(field.type).name !== parentType.name || !isRecord(value)) return [];
  for (const name of ["number", "height"]) {
    const own = wholeNumberOf(parent[name]);
    const before = wholeNumberOf(value[name]);
    if (own === undefined || before === undefined || before === own - 1n) continue;
    return [
      found(graphqlRules.parent, field, `The parent's ${name} is not one less`, `${before} is the parent of ${own}`),
    ];
  }
  return [];
}

/** A list in which an object stands twice. */
function distinctFindings({ parentType, field, value, depth }: MetField): readonly Finding[] {
  if (!Array.isArray(value) || !isListType(getNullableType(field.type)) || value.length < 2) return [];
  const isPage = field.name === "edges" && connectionNodeOf(parentType) !== undefined;
  const objects: readonly unknown[] = isPage ? value.map((edge) => (isRecord(edge) ? edge["node"] : undefined)) : value;
  for (const name of ["id", "uuid", "hash"]) {
    const keys = objects.flatMap((one) =>
      isRecord(one) && one[name] != null ? [`${showTypename(one)} ${String(one[name])}`] : [],
    );
    if (new Set(keys).size === keys.length) continue;
    const rule = isPage || depth === 0 ? graphqlRules.distinct : graphqlRules.distinctLikely;
    return [found(rule, field, `${field.name} holds an object more than once`, name)];
  }
  return [];
}

function showTypename(value: Readonly<Record<string, unknown>>): string {
  return typeof value["__typename"] === "string" ? value["__typename"] : "";
}

function found(rule: Rule, field: MetField["field"], message: string, detail: string): Finding {
  return { rule, message, detail, ...withPlace(placeOf(field.astNode)) };
}
