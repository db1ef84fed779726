import { graphqlDiagnostics } from "@nodewright/graphql";
import { jsonSchemaDiagnostics } from "@nodewright/json-schema";
import { exampleDiagnostics, extensionDiagnostics, relationDiagnostics, valueDiagnostics } from "@nodewright/model";
import { openapiDiagnostics } from "@nodewright/openapi";
import { openrpcDiagnostics } from "@nodewright/openrpc";
import { type DiagnosticCatalogue, documentDiagnostics, sourceDiagnostics } from "@nodewright/source";
import { configurationDiagnostics } from "../configuration/configuration-diagnostics.ts";
import { configurationExplanations } from "./configuration-explanations.ts";
import type { Explanations } from "./explanation.ts";
import { graphqlExplanations } from "./graphql-explanations.ts";
import { jsonSchemaExplanations } from "./json-schema-explanations.ts";
import {
  exampleExplanations,
  extensionExplanations,
  relationExplanations,
  valueExplanations,
} from "./model-explanations.ts";
import { openapiExplanations } from "./openapi-explanations.ts";
import { openrpcExplanations } from "./openrpc-explanations.ts";
import { documentExplanations, sourceExplanations } from "./source-explanations.ts";
import { languageDiagnostics } from "../jobs/read-model.ts";

/** The diagnostics of one origin, which is the part of a code before the slash. */
export interface OriginCatalogue {
  readonly origin: string;
  readonly diagnostics: DiagnosticCatalogue;
  readonly explanations: Explanations;
}

/** All diagnostics that nodewright can report. */
export const catalogues: readonly OriginCatalogue[] = [
  { origin: "configuration", diagnostics: configurationDiagnostics, explanations: configurationExplanations },
  {
    origin: "document",
    diagnostics: { ...languageDiagnostics, ...documentDiagnostics },
    explanations: documentExplanations,
  },
  { origin: "example", diagnostics: exampleDiagnostics, explanations: exampleExplanations },
  { origin: "graphql", diagnostics: graphqlDiagnostics, explanations: graphqlExplanations },
  { origin: "json-schema", diagnostics: jsonSchemaDiagnostics, explanations: jsonSchemaExplanations },
  { origin: "mark", diagnostics: extensionDiagnostics, explanations: extensionExplanations },
  { origin: "openapi", diagnostics: openapiDiagnostics, explanations: openapiExplanations },
  { origin: "openrpc", diagnostics: openrpcDiagnostics, explanations: openrpcExplanations },
  { origin: "relation", diagnostics: relationDiagnostics, explanations: relationExplanations },
  { origin: "source", diagnostics: sourceDiagnostics, explanations: sourceExplanations },
  { origin: "value", diagnostics: valueDiagnostics, explanations: valueExplanations },
];
