import { escapeSegment, isRecord, segmentsOf } from "@nodewright/api-model";
import { identifierOf, identityOf, listNames, listOf } from "../compare/list-of.ts";
import { armsOf, memberOf } from "../compare/member-facts.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import { isOwnIdentifier } from "../inference/name-meaning.ts";
import type { OperationDescription, Result } from "./operation.ts";
import type { CalledResult, Problem, ResponseProperty } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that no two elements of a list have the same identifier of their own. */
export const uniqueProperty: ResponseProperty = { rule: propertyRules.unique, inspect };

/** Minimum length of strings: shorter ones may be words, which lists repeat. */
const distinctiveLength = 16;

function inspect(operation: OperationDescription, { result }: CalledResult): readonly Problem[] {
  if (mayRepeat(operation, result)) return [];
  const { typeNames = "" } = operation;
  const items = (result.page?.items ?? []).filter((item) => item !== null);
  const identifier = identifierOf(items);
  const isReported =
    identifier === undefined
      ? items.every((item) => typeof item === "string" && item.length >= distinctiveLength)
      : isOwnIdentifier(typeNames, identifier);
  const seen = new Set<string>();
  for (const item of isReported ? items : []) {
    const identity = identityOf(item, identifier) ?? "";
    const key = `${kindOf(item)} ${identity}`;
    if (seen.has(key)) return [repeated(identifier, identity)];
    seen.add(key);
  }
  return [];
}

/** Whether a list may contain an object twice: a list within an object may, unless its type has `uniqueItems`. */
function mayRepeat({ isOfOne, isWithin, result: type, types }: OperationDescription, { value }: Result): boolean {
  const list = listOf(value);
  if (list === undefined) return false;
  const [name] = segmentsOf(list.pointer);
  const isOwn = name === undefined;
  if (isWithin !== true && (isOwn || isOfOne !== true || listNames.has(plainName(name)))) return false;
  const own = isOwn ? type : memberOf(type, name, types)?.type;
  return !armsOf(own, types).some((arm) => arm.kind === "list" && arm.uniqueItems === true);
}

/** Returns the type of an element: elements of several types in one list may have the same identifiers. */
function kindOf(item: unknown): string {
  if (!isRecord(item)) return "";
  const names = Object.keys(item).filter((name) => /^(?:type|kind|typename)$/.test(plainName(name)));
  return names.map((name) => String(item[name])).join(" ");
}

function repeated(identifier: string | undefined, identity: string): Problem {
  const detail = `${showValue(identity)} stands there more than once`;
  return identifier === undefined
    ? { message: "an element is in the list more than once", detail, pointer: "/*" }
    : {
        message: `the ${identifier} of an element is that of another one in the same list`,
        detail,
        pointer: `/*/${escapeSegment(identifier)}`,
      };
}
