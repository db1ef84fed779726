/** What is generated from a document. */
export type Artefact = "types" | "validators" | "client" | "server" | "conformance";

export const artefacts: readonly Artefact[] = ["types", "validators", "client", "server", "conformance"];

export interface HandlersConfig {
  /** Directory of the handlers, from the configuration file. */
  readonly directory: string;
  /** `module#Name` of the type of the context that handlers get; the module as seen from the directory. */
  readonly context: string;
  /** GraphQL: type name → `module#Name` of the value that its resolvers get as parent. */
  readonly parents?: Readonly<Record<string, string>>;
}

export interface DocumentConfig {
  /** The OpenAPI, OpenRPC or GraphQL SDL document, from the configuration file. */
  readonly source: string;
  /** Directory of the generated package, from the configuration file; its `src/gen/` is owned by the generator. */
  readonly package: string;
  /** GraphQL: directory of the operation documents. */
  readonly operations?: string;
  /** GraphQL: what each custom scalar is in JSON. */
  readonly scalars?: Readonly<Record<string, { readonly pattern: string }>>;
  readonly handlers?: HandlersConfig;
  /** All of them when absent. */
  readonly artefacts?: readonly Artefact[];
}

export interface NodewrightConfig {
  readonly documents: readonly DocumentConfig[];
}

/** Gives the configuration its type; `nodewright.config.ts` exports its result as default. */
export function defineConfig(config: NodewrightConfig): NodewrightConfig {
  return config;
}
