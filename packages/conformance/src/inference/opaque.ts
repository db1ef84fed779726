import type { SuiteType } from "../suite/suite-type.ts";

/** Format of opaque identifiers: GraphQL's `ID` (specification, section 3.5.5). */
export const opaqueFormat = "opaque-id";

/** Whether values are identifiers without a known order, by their type or because they are encoded. */
export function areOpaque(values: readonly unknown[], arms: readonly SuiteType[]): boolean {
  const texts = values.filter((value) => typeof value === "string");
  if (texts.length === 0 || texts.every((text) => /^-?\d+$/.test(text))) return false;
  return texts.every(isEncoded) || arms.some((arm) => arm.kind === "string" && arm.format === opaqueFormat);
}

/** Whether a string is Base64 of a string with several parts: `UHJvZHVjdDox` of `Product:1`. */
function isEncoded(text: string): boolean {
  try {
    return text.length >= 8 && /^[\x20-\x7e]*[^A-Za-z0-9][\x20-\x7e]*$/.test(atob(text));
  } catch {
    return false;
  }
}
