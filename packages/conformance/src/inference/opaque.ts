import type { SuiteType } from "../suite/suite-type.ts";

/** The format of identifiers whose text means nothing: GraphQL's `ID` (specification, section 3.5.5). */
export const opaqueFormat = "opaque-id";

/** Whether values are identifiers whose text has no order that a reader could know: by their type, or for they are encoded. */
export function areOpaque(values: readonly unknown[], arms: readonly SuiteType[]): boolean {
  const texts = values.filter((value) => typeof value === "string");
  if (texts.length === 0 || texts.every((text) => /^-?\d+$/.test(text))) return false;
  return texts.every(isEncoded) || arms.some((arm) => arm.kind === "string" && arm.format === opaqueFormat);
}

/** Whether a text is Base64 of another text with several parts: `UHJvZHVjdDox` of `Product:1`. */
function isEncoded(text: string): boolean {
  try {
    return text.length >= 8 && /^[\x20-\x7e]*[^A-Za-z0-9][\x20-\x7e]*$/.test(atob(text));
  } catch {
    return false;
  }
}
