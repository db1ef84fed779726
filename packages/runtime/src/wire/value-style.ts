import type { Decoding, ParameterFacts, ParameterStyle, StructureDecoding } from "../operations/operation.ts";

/** Style of one value in text: the common part of parameters and the properties of forms. */
export interface ValueStyle {
  readonly name: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly decoding: Decoding;
}

/**
 * Returns the style with OpenAPI's defaults: style `simple` in path and header, `form` elsewhere; exploded for `form` and `cookie` only. A
 * cookie with unencoded reserved characters is one in style `cookie`.
 */
export function styleOfParameter(facts: ParameterFacts): ValueStyle {
  const usual = facts.location === "path" || facts.location === "header" ? "simple" : "form";
  const resolved = resolveStyle(facts, usual);
  const isPlainCookie = facts.location === "cookie" && resolved.allowReserved;
  return isPlainCookie ? { ...resolved, style: "cookie", allowReserved: false } : resolved;
}

/** Returns the same for any facts with a style and a name; `usual` is the style where they have none. */
export function resolveStyle(
  facts: {
    readonly name: string;
    readonly style?: ParameterStyle;
    readonly explode?: boolean;
    readonly allowReserved?: boolean;
    readonly decoding?: Decoding;
  },
  usual: ParameterStyle,
): ValueStyle {
  const style = facts.style ?? usual;
  return {
    name: facts.name,
    style,
    explode: facts.explode ?? (style === "form" || style === "cookie"),
    allowReserved: facts.allowReserved ?? false,
    decoding: facts.decoding ?? "string",
  };
}

export function isStructure(decoding: Decoding): decoding is StructureDecoding {
  return typeof decoding !== "string";
}

export function hasMembers(decoding: Decoding): decoding is StructureDecoding {
  return isStructure(decoding) && (decoding.record !== undefined || decoding.additional !== undefined);
}

/** Returns the conversion of a member of an object. */
export function memberDecoding({ record = {}, additional = "string" }: StructureDecoding, name: string): Decoding {
  return Object.hasOwn(record, name) ? (record[name] ?? additional) : additional;
}
