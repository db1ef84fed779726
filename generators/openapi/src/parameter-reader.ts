import type { Direction } from "@nodewright/api-model";
// OpenAPI 3.1, section 4.8.12: Parameter Object.
import {
  camelCase,
  checkExtensions,
  createNameAllocator,
  type JsonValue,
  type Parameter,
  pascalCase,
  type TypeNode,
} from "@nodewright/model";
import type { SourceValue, SourceRange } from "@nodewright/source";
import { essenceOf, shapeOf } from "./media-type.ts";
import {
  type NamedExample,
  type NamedExamples,
  readNamedExamples,
  schemaExample,
  shownExamples,
} from "./named-examples.ts";
import { checkEitherType } from "./header-reader.ts";
import { isCookieStyle, type ParameterPlace, readStyle, suggestion } from "./parameter-style.ts";
import type { PathItem } from "./path-item.ts";
import { pathParametersOf } from "./path-template.ts";
import type { PlaceMemo } from "./place-memo.ts";
import { follow, type Reading } from "./reading.ts";

/** A parameter with its examples by name. The operation pairs them with those of its responses. */
export interface ParameterWithExamples {
  readonly parameter: Parameter;
  readonly examples: NamedExamples;
  /** Value to use where no example was named: the parameter's own, or that of its schema. */
  readonly anyExample: NamedExample | undefined;
}

/** A parameter without its name, which depends on the other parameters. */
type UnnamedParameter = Omit<ParameterWithExamples, "parameter"> & {
  readonly parameter: Omit<Parameter, "property">;
};

/** Facts about the operation that a parameter belongs to. */
export interface ParameterOwner {
  readonly path: string;
  readonly pathItem: PathItem;
  readonly place: SourceValue;
  /** Names of inputs that are not parameters. */
  readonly reserved: Iterable<string>;
  /** Returns the range of a path parameter in the path template; absent if there is no path to match. */
  readonly pathParameterSource?: (name: string) => SourceRange;
}

/** Header parameters that are ignored, because other parts of the document describe them (section 4.8.12.1). */
const describedElsewhere: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/** Reader of parameters. One that several operations refer to is read once. */
export class ParameterReader {
  readonly #reading: Reading;
  readonly #direction: Direction;
  readonly #parameters: PlaceMemo<UnnamedParameter | undefined>;

  constructor(reading: Reading, direction: Direction) {
    this.#reading = reading;
    this.#direction = direction;
    this.#parameters = reading.createMemo();
  }

  /** Returns the parameters of an operation. Its own replace those of its path item with the same name and location. */
  readAll(owner: ParameterOwner): readonly ParameterWithExamples[] {
    const shared = this.#readList(owner.pathItem.member("parameters"));
    const own = this.#readList(owner.place.member("parameters"));
    const all = [...new Map([...shared, ...own]).values()];
    const parameters = nameParameters(all, owner.reserved);
    if (owner.pathParameterSource !== undefined)
      this.#checkPathParameters(owner, owner.pathParameterSource, parameters);
    return parameters;
  }

  /** Reads one Parameter Object. Returns undefined if it has no name or location, or is described elsewhere. */
  readOne(item: SourceValue): UnnamedParameter | undefined {
    const followed = follow(this.#reading, item);
    if (followed === undefined) return undefined;
    const { place, description } = followed;
    if (!place.isObject) return undefined;
    const read = this.#parameters.get(place, () => this.#readNew(place));
    if (read === undefined || description === undefined) return read;
    const documentation = { ...read.parameter.documentation, description };
    return { ...read, parameter: { ...read.parameter, documentation } };
  }

  /** Returns parameters by location and name. */
  #readList(list: SourceValue | undefined): ReadonlyMap<string, UnnamedParameter> {
    const parameters = new Map<string, UnnamedParameter>();
    for (const item of list?.items ?? []) {
      const read = this.readOne(item);
      if (read === undefined) continue;
      const { name, location } = read.parameter;
      const identity = `${location} ${location === "header" ? name.toLowerCase() : name}`;
      if (parameters.has(identity)) this.#reading.report("duplicate-parameter", item.source, { location, name });
      else parameters.set(identity, read);
    }
    return parameters;
  }

  #readNew(place: SourceValue): UnnamedParameter | undefined {
    const { members, report, sink } = this.#reading;
    checkExtensions(place, sink);
    const name = members.requiredText(place, "A parameter", "name", "It is what callers send.");
    const location = this.#readLocation(place);
    const content = this.#readContent(place);
    checkEitherType(this.#reading, place, `The parameter "${name ?? ""}"`);
    // Read before returning early, so that its errors are reported in the same run.
    const schema = place.member("schema") ?? content?.place.member("schema");
    const type = this.#readType(place, schema);
    if (name === undefined || location === undefined) return undefined;
    if (location === "header" && describedElsewhere.has(name.toLowerCase())) return undefined;
    const isQueryString = location === "querystring";
    if (isQueryString && !this.#isFormOfQuery(content)) return undefined;
    const where = isQueryString ? "query" : location;
    const isMarked = members.flag(place, "required") ?? false;
    const required = isMarked || where === "path";
    if (required && !isMarked) report("optional-path-parameter", place.memberSource("required"), { name });
    const style = readStyle(this.#reading, place, where, `A ${where} parameter`);
    const initial = defaultOf(this.#reading, schema);
    const invalidMessage = place.member("x-invalid-message")?.string;
    const isReserved = isCookieStyle(this.#reading, place, where) || members.flag(place, "allowReserved") === true;
    const examples = readNamedExamples(this.#reading, place);
    return {
      parameter: {
        name,
        location: where,
        required,
        type: this.#withEmpty(place, where, type, schema),
        style,
        explode: members.flag(place, "explode") ?? style === "form",
        source: place.source,
        ...(initial === undefined ? {} : { default: initial }),
        ...(isReserved && where !== "header" ? { allowReserved: true } : {}),
        ...(content === undefined || isQueryString ? {} : { mediaType: content.mediaType }),
        ...(invalidMessage === undefined ? {} : { invalidMessage }),
        ...shownExamples(examples),
        documentation: members.flag(place, "deprecated") === true ? { deprecated: true } : {},
      },
      examples,
      anyExample: examples.values().next().value ?? schemaExample(this.#reading, schema),
    };
  }

  #readLocation(place: SourceValue): ParameterPlace | "querystring" | undefined {
    const locations: readonly (ParameterPlace | "querystring")[] = [
      "path",
      "query",
      "header",
      "cookie",
      ...(this.#reading.version === "3.2" ? (["querystring"] as const) : []),
    ];
    const named = `${locations.slice(0, -1).join(", ")} or ${locations.at(-1)}`;
    const reason = `It is the location of the parameter: ${named}.`;
    const text = this.#reading.members.requiredText(place, "A parameter", "in", reason);
    if (text === undefined) return undefined;
    const location = locations.find((candidate) => candidate === text);
    if (location !== undefined) return location;
    this.#reading.report("unknown-parameter-location", place.memberSource("in"), {
      location: text,
      locations: named,
      suggestion: suggestion(text, locations),
    });
    return undefined;
  }

  /** Returns the single media type under `content`. */
  #readContent(place: SourceValue): { readonly mediaType: string; readonly place: SourceValue } | undefined {
    const content = place.member("content");
    if (content === undefined) return undefined;
    const [first, ...others] = content.members;
    if (first === undefined || others.length > 0) {
      const name = place.member("name")?.string ?? "";
      const count = first === undefined ? "none" : 1 + others.length;
      this.#reading.report("several-parameter-contents", content.source, { name, count });
    }
    const followed = first && follow(this.#reading, first[1]);
    return first === undefined || followed === undefined ? undefined : { mediaType: first[0], place: followed.place };
  }

  #readType(place: SourceValue, schema: SourceValue | undefined): TypeNode {
    if (schema !== undefined) return this.#reading.typeOf(schema, this.#direction);
    if (!place.has("content")) {
      const name = place.member("name")?.string ?? "";
      const reason = "It describes the values of the parameter.";
      this.#reading.members.missing(place, `The parameter "${name}"`, "schema", reason);
    }
    return { kind: "any", source: place.source };
  }

  /**
   * Returns whether a query string (OpenAPI 3.2) is a form, which is equivalent to a query parameter for each property. Reports any other
   * media type.
   */
  #isFormOfQuery(content: { readonly mediaType: string; readonly place: SourceValue } | undefined): boolean {
    if (content === undefined) return false;
    const isForm = essenceOf(content.mediaType) === "application/x-www-form-urlencoded";
    if (isForm) return true;
    const { mediaType, place } = content;
    this.#reading.report("unsupported-parameter", place.source, { mediaType });
    return false;
  }

  /** Returns the type with the empty value that `allowEmptyValue` permits, whatever the type is (section 4.8.12.2). */
  #withEmpty(place: SourceValue, where: ParameterPlace, type: TypeNode, schema: SourceValue | undefined): TypeNode {
    const isAllowed = this.#reading.members.flag(place, "allowEmptyValue") === true && where === "query";
    if (!isAllowed || shapeOf(this.#reading, schema) !== "scalar") return type;
    const source = place.keySource("allowEmptyValue");
    return { kind: "union", mode: "any-of", members: [type, { kind: "enumeration", values: [""], source }], source };
  }

  #checkPathParameters(
    { path, place }: ParameterOwner,
    pathParameterSource: (name: string) => SourceRange,
    parameters: readonly ParameterWithExamples[],
  ): void {
    const holes = new Set(pathParametersOf(path));
    const described = parameters.filter(({ parameter }) => parameter.location === "path");
    const names = new Set(described.map(({ parameter }) => parameter.name));
    for (const name of holes) {
      if (!names.has(name) && !this.#isMisplaced(place, name))
        this.#reading.report("undescribed-path-parameter", pathParameterSource(name), { name });
    }
    for (const { parameter } of described) {
      const { name, source } = parameter;
      if (!holes.has(name)) this.#reading.report("unused-path-parameter", source, { path, name });
    }
  }

  /** Returns whether there is a parameter of that name with an invalid location, which is reported separately. */
  #isMisplaced(place: SourceValue, name: string): boolean {
    return (place.member("parameters")?.items ?? []).some((item) => {
      const location = item.member("in")?.string;
      return item.member("name")?.string === name && suggestion(location ?? "", ["path"]) !== "";
    });
  }
}

/** Returns the default of a schema, or that of the schema that it refers to. */
function defaultOf(reading: Reading, schema: SourceValue | undefined): JsonValue | undefined {
  const own = schema?.member("default") ?? (schema && reading.schemas.resolve(schema)?.member("default"));
  return own?.value as JsonValue | undefined;
}

/**
 * Assigns a property name to every parameter. Where two would have the same name, the later one gets its location as a suffix: `id` in the
 * path and `id` in the query become `id` and `idInQuery`, independent of other parameters of the operation.
 */
function nameParameters(
  parameters: readonly UnnamedParameter[],
  reserved: Iterable<string>,
): readonly ParameterWithExamples[] {
  const taken = new Set(reserved);
  const names = createNameAllocator(taken);
  const nameOf = ({ name, location }: Omit<Parameter, "property">): string => {
    const wanted = camelCase(name);
    const property = names.allocate(taken.has(wanted) ? `${wanted}In${pascalCase(location)}` : wanted);
    taken.add(property);
    return property;
  };
  return parameters.map(({ parameter, ...rest }) => ({
    ...rest,
    parameter: { ...parameter, property: nameOf(parameter) },
  }));
}
