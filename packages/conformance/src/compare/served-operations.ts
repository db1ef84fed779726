import { isRecord } from "@nodewright/api-model";
import { resolvePointer } from "@nodewright/runtime";

/** Returns a path without the names of its path parameters. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}").replace(/(?<=.)\/$/, "");
}

/** Maps own paths to served ones: either may start with the path of the base URL, or of a server. */
export function servedPaths(own: readonly string[], served: readonly string[]): ReadonlyMap<string, string> {
  const byPrefix = Map.groupBy(
    own.flatMap((path) =>
      served.flatMap((other) => {
        const isWhole = other.endsWith(path) || path.endsWith(other);
        return isWhole
          ? [{ path, other, prefix: `${other.slice(0, -path.length)} ${path.slice(0, -other.length)}` }]
          : [];
      }),
    ),
    ({ prefix }) => prefix,
  );
  const [most = []] = [...byPrefix.values()].toSorted((left, right) => right.length - left.length);
  return new Map(most.map(({ path, other }) => [path, other]));
}

/** A parameter of a description. */
export interface DescribedParameter {
  readonly name: string;
  readonly required: boolean;
}

/**
 * Returns the parameters to compare. HTTP parameters are identified by location and name; names of headers are case-insensitive. Path
 * parameters are compared with their path, independently of their names.
 */
export function comparedParameters(
  parameters: readonly (DescribedParameter & { readonly location: string })[],
): readonly DescribedParameter[] {
  return parameters
    .filter(({ location }) => ["query", "header", "cookie"].includes(location))
    .map(({ name, location, required }) => ({
      name: location === "query" ? name : `${location} ${location === "header" ? name.toLowerCase() : name}`,
      required,
    }));
}

/** Returns the parameters of a served document, the last one of each name; undefined where one is in another document. */
export function servedParameters(
  document: unknown,
  ...lists: readonly unknown[]
): readonly DescribedParameter[] | undefined {
  const all = lists.flatMap((list) => (Array.isArray(list) ? list : [])).map((one) => resolveServed(document, one));
  if (!all.every(isRecord)) return undefined;
  const read = all
    .map((one) => ({
      location: String(one["in"] ?? "query"),
      name: String(one["name"]),
      required: one["required"] === true,
    }))
    .filter(({ location, name }) => location === "query" || !/^(?:accept|content-type|authorization)$/i.test(name));
  return [...new Map(comparedParameters(read).map((one) => [one.name, one])).values()];
}

/**
 * Returns the differences between the description that a target serves and the one it is checked against, for one operation: sentences
 * without a subject.
 */
export function parameterDifferences(
  own: readonly DescribedParameter[],
  served: readonly DescribedParameter[],
): readonly string[] {
  const others = new Map(served.map((one) => [one.name, one]));
  const names = new Set(own.map(({ name }) => name));
  return [
    ...own.flatMap(({ name, required }): readonly string[] => {
      const other = others.get(name);
      if (other === undefined) return [`lacks the parameter ${name}`];
      if (other.required === required) return [];
      return [`says that the parameter ${name} is ${other.required ? "required" : "optional"}`];
    }),
    // A document may omit optional parameters.
    ...served.flatMap(({ name, required }) =>
      required && !names.has(name) ? [`requires a further parameter, ${name}`] : [],
    ),
  ];
}

/** Resolves the `$ref` of a value of a served document; returns undefined where it resolves to nothing, or to another document. */
export function resolveServed(document: unknown, value: unknown): unknown {
  let found = value;
  for (let step = 0; isRecord(found) && typeof found["$ref"] === "string"; step += 1) {
    const reference = found["$ref"];
    if (step === deepestReference || !reference.startsWith("#")) return undefined;
    try {
      found = resolvePointer(document, decodeURIComponent(reference.slice(1)));
    } catch {
      return undefined;
    }
  }
  return found;
}

const deepestReference = 8;
