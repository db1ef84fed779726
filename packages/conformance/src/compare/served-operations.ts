import { isRecord } from "@nodewright/api-model";
import { resolvePointer } from "@nodewright/runtime";

/** A path without the names of its holes. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}").replace(/(?<=.)\/$/, "");
}

/** Own path → the served one: one of both may begin with the path of the base URL, or of a server. */
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

/** A parameter as a description has it. */
export interface DescribedParameter {
  readonly name: string;
  readonly required: boolean;
}

/**
 * Returns the parameters that are compared, those of HTTP by their place and name: names of headers are the same in any case. Path
 * parameters are what their path has, whatever they are called there.
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

/** Returns the parameters of a served document, the last one of each name; undefined where one stands in another document. */
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

/** Where the description that a target serves differs from the one it is checked by, for one operation: sentences without a subject. */
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
    // What is optional there may be left out of a document.
    ...served.flatMap(({ name, required }) =>
      required && !names.has(name) ? [`requires a further parameter, ${name}`] : [],
    ),
  ];
}

/** A value of a served document, with its reference resolved; undefined where that leads nowhere, or out of the document. */
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
