import { isRecord } from "@nodewright/api-model";
import { type DescribedParameter, resolveServed } from "./served-parameters.ts";

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

/** Path parameters are what their path has, whatever they are called there. */
function isCompared(location: string): boolean {
  return location === "query" || location === "header" || location === "cookie";
}

/** Returns the parameters that are compared, those of HTTP by their place and name: names of headers are the same in any case. */
export function comparedParameters(
  parameters: readonly (DescribedParameter & { readonly location: string })[],
): readonly DescribedParameter[] {
  return parameters
    .filter(({ location }) => isCompared(location))
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
