import { isRecord } from "@nodewright/api-model";
import { memberOf, membersOf } from "../compare/member-facts.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** Members that a JSON:API resource object has next to its attributes (version 1.1, section 7.2). */
const identifying = ["type", "id"] as const;

/** Returns elements with the attributes of resource objects among their members; the same list without resource objects. */
export function withAttributes(items: readonly unknown[]): readonly unknown[] {
  return items.some(isResource) ? items.map((item) => (isResource(item) ? flattened(item) : item)) : items;
}

interface Resource {
  readonly attributes: Readonly<Record<string, unknown>>;
}

function isResource(item: unknown): item is Resource {
  return isRecord(item) && isRecord(item["attributes"]) && identifying.every((name) => typeof item[name] === "string");
}

function flattened({ attributes, ...rest }: Resource): unknown {
  return { ...attributes, ...rest };
}

/** Returns the type of elements with attributes among their members. */
export function typeWithAttributes(element: SuiteType, types: SuiteTypes): SuiteType {
  const attributes = memberOf(element, "attributes", types);
  const inner = membersOf(attributes?.type, types);
  if (inner.length === 0 || !identifying.every((name) => memberOf(element, name, types) !== undefined)) return element;
  const own = membersOf(element, types).filter(({ name }) => name !== "attributes");
  const names = new Set(own.map(({ name }) => name));
  return { kind: "record", members: [...own, ...inner.filter(({ name }) => !names.has(name))] };
}

/** Returns the name of the member that a family parameter filters by: `form` of `filter[form]`. */
export function filteredName(name: string): string {
  return /^filters?\[([^[\]]+)\]$/i.exec(name)?.[1] ?? name;
}
