import type { Extensions } from "./read-model.ts";

/** Extensions of an operation without any in the document. */
export const defaultExtensions: Extensions = { disabledByDefault: false, nodeControl: false, units: 1 };

/** Expected value of an extension, for readers that check it. */
export type ExtensionValue = "boolean" | "positive-number" | "text" | "list" | readonly string[];

/** All our own extensions (`x-…`) with their expected values, for all document formats. */
export const extensionValues: Readonly<Record<string, ExtensionValue>> = {
  "x-disabled-by-default": "boolean",
  "x-node-control": "boolean",
  "x-safe": "boolean",
  "x-units": "positive-number",
  "x-served-by": ["index", "node"],
  "x-live": "boolean",
  "x-may-fail": "boolean",
  "x-invalid-message": "text",
  "x-provoked-by": "list",
  "x-immutable": "boolean",
  "x-volatile": "boolean",
  "x-relations": "list",
};

/** Extensions in schemas. Other `x-` members of schemas are nearly always third-party extensions. */
export const schemaExtensionValues: Readonly<Record<string, ExtensionValue>> = { "x-volatile": "boolean" };

/** Returns the extensions of an operation from values that were checked against `extensionValues`. */
export function extensionsFrom(value: (name: string) => unknown): Extensions {
  const safe = value("x-safe");
  const servedBy = value("x-served-by");
  const units = value("x-units");
  const immutable = value("x-immutable");
  return {
    disabledByDefault: value("x-disabled-by-default") === true,
    nodeControl: value("x-node-control") === true,
    units: typeof units === "number" ? units : defaultExtensions.units,
    ...(typeof safe === "boolean" ? { safe } : {}),
    ...(servedBy === "index" || servedBy === "node" ? { servedBy } : {}),
    ...(typeof immutable === "boolean" ? { immutable } : {}),
  };
}
