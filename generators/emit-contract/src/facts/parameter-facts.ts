import type { ApiModel, JsonValue, Parameter } from "@nodewright/model";
import { admitsNull, type Decoding, decodingOf } from "./decoding.ts";

/** The runtime's `ParameterFacts`. A type, not an interface, so that it is a JSON value. */
export type ParameterFacts = {
  readonly name: string;
  readonly property: string;
  readonly location: Parameter["location"];
  readonly required: boolean;
  readonly decoding?: Decoding;
  readonly style?: Parameter["style"];
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly mediaType?: string;
  readonly default?: JsonValue;
  readonly nullable?: boolean;
  readonly invalidMessage?: string;
};

/** Returns the facts about an input in a URL or header that the runtime needs. */
export function parameterFacts(parameter: Parameter, model: ApiModel): ParameterFacts {
  const { name, property, location, required, style, explode, allowReserved, mediaType, invalidMessage } = parameter;
  const decoding = mediaType === undefined ? decodingOf(parameter.type, model) : "string";
  const usualStyle = location === "path" || location === "header" ? "simple" : "form";
  return {
    name,
    property,
    location,
    required,
    ...(decoding === "string" ? {} : { decoding }),
    ...(style === usualStyle ? {} : { style }),
    ...(explode === (style === "form") ? {} : { explode }),
    ...(allowReserved === true ? { allowReserved } : {}),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(parameter.default === undefined ? {} : { default: parameter.default }),
    ...(invalidMessage === undefined ? {} : { invalidMessage }),
  };
}

/** Returns the facts about an argument of JSON-RPC or GraphQL that the runtime needs. */
export function argumentFacts(parameter: Parameter, model: ApiModel): ParameterFacts {
  const { name, property, location, required } = parameter;
  return {
    name,
    property,
    location,
    required,
    ...(parameter.default === undefined ? {} : { default: parameter.default }),
    ...(admitsNull(parameter.type, model) ? { nullable: true } : {}),
  };
}
