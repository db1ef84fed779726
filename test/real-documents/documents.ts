import type { RealDocumentName } from "../support/documents.ts";

/** A document of somebody else that is generated from, typechecked and played in the tests. */
export interface TriedDocument {
  readonly name: RealDocumentName;
  readonly language: "openapi" | "openrpc" | "graphql";
  /** What is remarkable about it. */
  readonly habit: string;
}

export const triedDocuments: readonly TriedDocument[] = [
  {
    name: "github-rest.json",
    language: "openapi",
    habit: "3.0, 1,200 operations, names that clash, examples by reference",
  },
  { name: "stripe.json", language: "openapi", habit: "3.0, form bodies, deepObject, anyOf of text and objects" },
  { name: "github.graphql", language: "graphql", habit: "1,600 definitions, a field described twice" },
  { name: "github-webhooks.json", language: "openapi", habit: "3.1, nothing but webhooks" },
  { name: "docusign.json", language: "openapi", habit: "3.0, descriptions in HTML, multipart" },
  { name: "okta.yaml", language: "openapi", habit: "3.0, discriminators over inheritance" },
  { name: "ory.yaml", language: "openapi", habit: "3.0, YAML with anchors, made by another generator" },
  { name: "asana.yaml", language: "openapi", habit: "3.0, allOf chains, readOnly members" },
  { name: "directus.json", language: "openapi", habit: "3.0, deepObject, paths that differ by a hole" },
  { name: "readme.json", language: "openapi", habit: "3.1, unions, multipart, references beside siblings" },
  { name: "train-travel.yaml", language: "openapi", habit: "3.1, webhooks, links, several media types" },
  { name: "galaxy.yaml", language: "openapi", habit: "3.1, callbacks, multipart, XML bodies" },
  { name: "star-trek.json", language: "openapi", habit: "3.0, form bodies everywhere" },
  { name: "metamask.openrpc.json", language: "openrpc", habit: "1.2, if and unevaluatedProperties" },
  { name: "metamask-multichain.openrpc.json", language: "openrpc", habit: "1.2, notifications, by name" },
  { name: "petstore-expanded.openrpc.json", language: "openrpc", habit: "1.0" },
];

/** Tried where time does not matter: other versions of what is tried anyway. */
export const furtherDocuments: readonly TriedDocument[] = [
  { name: "github-enterprise-3.19.json", language: "openapi", habit: "3.0, an older version of a large API" },
  { name: "stripe-beta.json", language: "openapi", habit: "3.0, the largest, with what is not released yet" },
  { name: "petstore.json", language: "openapi", habit: "3.0, what every generator is tried on first" },
];
