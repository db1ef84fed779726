/** A server of an API, from its document. `Variables` are those of its URL. */
export interface ServerFacts<Variables = Readonly<Record<never, string>>> {
  /** URL with `{name}` variables; relative where the document contains no more. */
  readonly url: string;
  readonly description?: string;
  readonly variables: {
    readonly [Name in keyof Variables]-?: { readonly default: string; readonly values?: readonly string[] };
  };
}

/** Returns the base URL of a server, with its variables. Throws `RangeError` for a value that the document does not list. */
export function serverUrl<Variables>(server: ServerFacts<Variables>, variables?: Variables): string {
  const facts: Readonly<Record<string, ServerVariable>> = server.variables;
  const given = (variables ?? {}) as Readonly<Record<string, string | undefined>>;
  return server.url.replaceAll(/\{([^{}]*)\}/g, (hole, name: string) => {
    const variable = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (variable === undefined) return hole;
    const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? variable.default;
    if (variable.values !== undefined && !variable.values.includes(value)) {
      throw new RangeError(`The server's variable ${name} is one of ${variable.values.join(", ")}`);
    }
    return value;
  });
}

interface ServerVariable {
  readonly default: string;
  readonly values?: readonly string[];
}
