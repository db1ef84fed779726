import type { Emitter, CommonReadOptions } from "@nodewright/model";

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

export interface ScalarConfig {
  readonly type?: "string" | "number" | "integer" | "boolean" | "unknown";
  /** ECMA-262, `u` flag. */
  readonly pattern?: string;
}

/** An emitter of one's own with its options; the emitter alone when it takes none. */
export type EmitterSelection = Emitter | { readonly emitter: Emitter; readonly options: unknown };

/**
 * One document and what is made from it. Names in generated code are decided by `name`, by `operations` and by `declarations`:
 * whatever they leave open is called as the document says.
 */
export interface DocumentConfig extends CommonReadOptions {
  /** The OpenAPI, OpenRPC or GraphQL SDL document, from the configuration file. */
  readonly source: string;
  /** Folders beside the document's own that its references may lead to, from the configuration file. */
  readonly referenceFolders?: readonly string[];
  /** Directory of the generated package, from the configuration file. */
  readonly package: string;
  /** Directory that the generator owns, from the package; `src/gen` when absent. */
  readonly output?: string;
  /** Name of the API in generated code, `petstore` for `createPetstoreClient`; made from the package's name when absent. */
  readonly name?: string;
  /** All of them when absent. */
  readonly artefacts?: readonly Artefact[];
  /** GraphQL: directory of the operation documents, from the configuration file. */
  readonly operationDocuments?: string;
  /** GraphQL: what each custom scalar is in JSON; a pattern is one of texts. Others are what is usual for their name, else `unknown`. */
  readonly scalars?: Readonly<Record<string, ScalarConfig>>;
  readonly handlers?: HandlersConfig;
  /** Emitters of one's own. Their files are written beside the toolkit's. */
  readonly emitters?: readonly EmitterSelection[];
}

export interface NodewrightConfig {
  readonly documents: readonly DocumentConfig[];
}

/** Gives the configuration its type; `nodewright.config.ts` exports its result as default. */
export function defineConfig(config: NodewrightConfig): NodewrightConfig {
  return config;
}
