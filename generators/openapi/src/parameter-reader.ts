// OpenAPI 3.1, section 4.8.12: Parameter Object.
import {
  camelCase,
  checkMarks,
  createNameAllocator,
  type NameAllocator,
  type Parameter,
  type TypeNode,
} from "@nodewright/model";
import { editDistanceAtMost, type Located } from "@nodewright/source";
import type { Reading } from "./reading.ts";

type Location = "path" | "query" | "header" | "cookie";

/** A parameter with its examples by name, which the operation pairs with those of its answers. */
export interface ParameterWithExamples {
  readonly parameter: Parameter;
  readonly examples: ReadonlyMap<string, Located>;
  readonly place: Located;
}

const locations = ["path", "query", "header", "cookie"] as const;

/** Section 4.8.12.2: the style that each location takes when none is named comes first. */
const stylesOfLocation: Readonly<Record<Location, readonly [Parameter["style"], ...Parameter["style"][]]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

/** Section 4.8.12.1: header parameters of these names are ignored, because other parts of the document describe them. */
const describedElsewhere: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/** The parameters of an operation; its own replace those of its path item that have the same name and location. */
export function readParameters(
  reading: Reading,
  pathItem: Located,
  operation: Located,
  path: string,
): readonly ParameterWithExamples[] {
  const names = createNameAllocator(["body"]);
  const shared = readList(reading, pathItem);
  const own = readList(reading, operation);
  const isOverridden = (place: Located) => own.some((other) => identityOf(other) === identityOf(place));
  const places = [...shared.filter((place) => !isOverridden(place)), ...own];
  const parameters = places.flatMap((place) => readParameter(reading, place, names) ?? []);
  checkPathParameters(reading, operation, path, parameters);
  return parameters;
}

function readList(reading: Reading, owner: Located): readonly Located[] {
  const seen = new Set<string>();
  return (owner.member("parameters")?.items ?? []).flatMap((item) => {
    const place = reading.documents.resolve(item);
    if (place === undefined) return [];
    const identity = identityOf(place);
    if (seen.has(identity)) {
      const [location = "", name = ""] = identity.split(" ");
      reading.report("duplicate-parameter", item.source, { location, name });
      return [];
    }
    seen.add(identity);
    return [place];
  });
}

function identityOf(place: Located): string {
  return `${place.member("in")?.string} ${place.member("name")?.string}`;
}

/** One Parameter Object; undefined when it has no name or place, or is described elsewhere. */
export function readParameter(
  reading: Reading,
  place: Located,
  names: NameAllocator,
): ParameterWithExamples | undefined {
  checkMarks(place, reading.sink);
  const name = reading.members.requiredText(place, "A parameter", "name", "It is what callers send.");
  const location = readLocation(reading, place);
  // Read before anything is given up, so that the mistakes in it are told in the same run.
  const type = readType(reading, place);
  if (name === undefined || location === undefined) return undefined;
  if (location === "header" && describedElsewhere.has(name.toLowerCase())) return undefined;
  const required = reading.members.flag(place, "required") ?? false;
  if (location === "path" && !required) reading.report("optional-path-parameter", place.source, { name });
  const style = readStyle(reading, place, location);
  const description = reading.members.text(place, "description");
  const invalidMessage = place.member("x-invalid-message")?.string;
  const parameter: Parameter = {
    name,
    property: names.allocate(camelCase(name)),
    location,
    required,
    type,
    style,
    explode: reading.members.flag(place, "explode") ?? style === "form",
    source: place.source,
    ...(type.default === undefined ? {} : { default: type.default }),
    ...(invalidMessage === undefined ? {} : { invalidMessage }),
    documentation: {
      ...(description === undefined ? {} : { description }),
      ...(place.member("deprecated")?.boolean === true ? { deprecated: true } : {}),
    },
  };
  return { parameter, examples: readNamedExamples(reading, place), place };
}

function readLocation(reading: Reading, place: Located): Location | undefined {
  const text = reading.members.requiredText(
    place,
    "A parameter",
    "in",
    "It says where the parameter stands: path, query, header or cookie.",
  );
  if (text === undefined) return undefined;
  const location = locations.find((candidate) => candidate === text);
  if (location !== undefined) return location;
  const near = locations.find((candidate) => editDistanceAtMost(candidate, text, 2));
  const suggestion = near === undefined ? "" : ` (did you mean "${near}"?)`;
  reading.report("unknown-parameter-location", place.member("in")?.source ?? place.source, {
    location: text,
    suggestion,
  });
  return undefined;
}

function readStyle(reading: Reading, place: Located, location: Location): Parameter["style"] {
  const text = reading.members.text(place, "style");
  const styles = stylesOfLocation[location];
  const style = text === undefined ? styles[0] : styles.find((candidate) => candidate === text);
  if (style !== undefined) return style;
  reading.report("unknown-style", place.member("style")?.source ?? place.source, { location, style: text ?? "" });
  return styles[0];
}

/** A parameter's type stands under `schema`, or under the only media type of `content`. */
function readType(reading: Reading, place: Located): TypeNode {
  const schema = place.member("schema") ?? place.member("content")?.members[0]?.[1].member("schema");
  if (schema !== undefined) return reading.schemas.read(schema);
  const name = place.member("name")?.string ?? "";
  reading.members.missing(place, `The parameter "${name}"`, "schema", "It says which values the parameter takes.");
  return { kind: "any", source: place.source };
}

/** `examples`, and `example` under the name `default`. */
export function readNamedExamples(reading: Reading, owner: Located): ReadonlyMap<string, Located> {
  const examples = new Map<string, Located>();
  const single = owner.member("example");
  if (single !== undefined) examples.set("default", single);
  for (const [name, item] of owner.member("examples")?.members ?? []) {
    const example = reading.documents.resolve(item);
    if (example === undefined) continue;
    checkMarks(example, reading.sink);
    examples.set(name, example);
  }
  return examples;
}

function checkPathParameters(
  reading: Reading,
  operation: Located,
  path: string,
  parameters: readonly ParameterWithExamples[],
): void {
  const holes = new Set([...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? ""));
  const described = parameters.filter(({ parameter }) => parameter.location === "path");
  for (const name of holes) {
    if (!described.some(({ parameter }) => parameter.name === name))
      reading.report("undescribed-path-parameter", operation.source, { name });
  }
  for (const { parameter, place } of described) {
    if (!holes.has(parameter.name))
      reading.report("unused-path-parameter", place.source, { path, name: parameter.name });
  }
}
