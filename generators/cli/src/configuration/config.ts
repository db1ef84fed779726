import type { Emitter, CommonReadOptions } from "@nodewright/model";

/** A kind of output that is generated from a document. */
export type Artefact = "types" | "validators" | "client" | "server" | "conformance";

export const artefacts: readonly Artefact[] = ["types", "validators", "client", "server", "conformance"];

/** Where the handlers of a package are, and the types that they get. */
export interface HandlersConfig {
  /** Directory of the handlers, relative to the configuration file. */
  readonly directory: string;
  /** `module#Name` of the type of the context that handlers receive; the module relative to the directory. */
  readonly context: string;
  /** GraphQL: type name → `module#Name` of the value that its resolvers receive as parent. */
  readonly parents?: Readonly<Record<string, string>>;
}

/** JSON type of a custom scalar on the wire (GraphQL). */
export interface ScalarConfig {
  readonly type?: "string" | "number" | "integer" | "boolean" | "unknown";
  /** Regular expression, ECMA-262 with the `u` flag. */
  readonly pattern?: string;
}

/** A custom emitter with its options; the emitter alone when it takes none. */
export type EmitterSelection = Emitter | { readonly emitter: Emitter; readonly options: unknown };

/**
 * A document and its output. `name`, `operations` and `declarations` decide the names in generated code; names that they leave open are
 * those of the document.
 */
export interface DocumentConfig extends CommonReadOptions {
  /** OpenAPI, OpenRPC or GraphQL SDL document, relative to the configuration file. */
  readonly source: string;
  /** Folders in addition to the document's own that its references may lead to, relative to the configuration file. */
  readonly referenceFolders?: readonly string[];
  /** Directory of the generated package, relative to the configuration file. */
  readonly package: string;
  /** Directory that the generator owns, relative to the package; defaults to `src/gen`. */
  readonly output?: string;
  /** Name of the API in generated code, `petstore` for `createPetstoreClient`; derived from the package's name by default. */
  readonly name?: string;
  /** Artefacts to generate; all of them by default. */
  readonly artefacts?: readonly Artefact[];
  /** GraphQL: directory of the operation documents, relative to the configuration file. */
  readonly operationDocuments?: string;
  /**
   * GraphQL: JSON type of each custom scalar; a pattern is one of strings. Others have the type that is usual for their name, otherwise
   * `unknown`.
   */
  readonly scalars?: Readonly<Record<string, ScalarConfig>>;
  readonly handlers?: HandlersConfig;
  /** Custom emitters. Their files are written next to the toolkit's. */
  readonly emitters?: readonly EmitterSelection[];
}

/** Configuration of the generator: the default export of `nodewright.config.ts`. */
export interface NodewrightConfig {
  readonly documents: readonly DocumentConfig[];
}

/** Returns the configuration unchanged and gives it its type; `nodewright.config.ts` exports its result as default. */
export function defineConfig(config: NodewrightConfig): NodewrightConfig {
  return config;
}
