// OpenRPC 1.3, section "Content Descriptor Object".
import { camelCase, distinctNames, type Documentation, type Parameter, type TypeNode } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/** Reads the parameters of a method, in the order in which clients send them by position. */
export function readParameters(
  reading: Reading,
  method: SourceValue,
  methodName: string,
  isByName: boolean,
): readonly Parameter[] {
  const seen = new Set<string>();
  let hasOptional = false;
  const parameters = reading.members.list(method, "params").flatMap((item): readonly Omit<Parameter, "property">[] => {
    const place = reading.documents.resolve(item);
    const parameter = place && readParameter(reading, place);
    if (parameter === undefined) return [];
    const { name, required } = parameter;
    if (seen.has(name)) reading.report("duplicate-parameter", item.source, { name, method: methodName });
    seen.add(name);
    if (required && hasOptional && !isByName)
      reading.report("required-after-optional", item.source, { name, method: methodName });
    hasOptional ||= !required;
    return [parameter];
  });
  const names = distinctNames(parameters.map(({ name }) => ({ original: name, wanted: camelCase(name) })));
  return parameters.map((parameter, index) => ({ ...parameter, property: names[index] ?? parameter.name }));
}

/** Reads a content descriptor as a parameter, without its name in generated code. */
export function readParameter(reading: Reading, place: SourceValue): Omit<Parameter, "property"> | undefined {
  const name = reading.members.requiredText(place, "A parameter", "name", "It is what callers by name send.");
  if (name === undefined) return undefined;
  const type = readContentType(reading, place, `The parameter "${name}"`);
  return {
    name,
    location: "argument",
    required: reading.members.flag(place, "required") ?? false,
    type,
    style: "simple",
    explode: false,
    source: place.source,
    documentation: readDocumentation(reading, place),
    ...(type.default === undefined ? {} : { default: type.default }),
  };
}

/** Reads the type of a content descriptor. */
export function readContentType(reading: Reading, place: SourceValue, owner: string): TypeNode {
  const schema = place.member("schema");
  if (schema !== undefined) return reading.schemas.read(schema);
  reading.members.missing(place, owner, "schema", "It describes the values of the parameter.");
  return { kind: "any", source: place.source };
}

export function readDocumentation(reading: Reading, place: SourceValue): Documentation {
  const summary = reading.members.text(place, "summary");
  const description = reading.members.text(place, "description");
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(reading.members.flag(place, "deprecated") === true ? { deprecated: true } : {}),
  };
}
