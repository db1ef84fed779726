import { showValue } from "./show-value.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isValueOf, violationsOf } from "@nodewright/api-values";

/**
 * Returns a clause for an invalid value that was accepted, with the requirement of the schema: `"0X1b4" was accepted; the schema says that
 * it must match the pattern ^0x[0-9a-f]+$, which takes lower case only`.
 */
export function acceptedText(type: SuiteType, value: unknown, types: SuiteTypes): string {
  if (value === undefined) return "it was accepted";
  const [violation] = violationsOf(type, value, types, "request");
  const shown = `${showValue(value)} was accepted`;
  if (violation === undefined) return shown;
  const { pointer, message } = violation;
  return `${shown}; by the schema, ${pointer === "" ? "it" : pointer} ${message}${caseClause(type, value, types)}`;
}

/** Returns a clause where only the case of letters is invalid. */
function caseClause(type: SuiteType, value: unknown, types: SuiteTypes): string {
  if (typeof value !== "string") return "";
  if (isValueOf(type, value.toLowerCase(), types, "request")) return ", which takes lower case only";
  return isValueOf(type, value.toUpperCase(), types, "request") ? ", which takes upper case only" : "";
}
