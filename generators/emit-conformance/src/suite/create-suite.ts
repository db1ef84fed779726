import type { ConformanceSuite, SuiteHttpOperation, SuiteRpcMethod, SuiteTypes } from "@nodewright/conformance/suite";
import type { ApiModel, TypeNode } from "@nodewright/model";
import { linePlaces, type Places } from "./places.ts";
import { OperationWriter } from "./suite-operations.ts";
import { Serialiser } from "./serialiser.ts";

/**
 * Creates the conformance suite of an API: plain data with everything that a runner needs to test a server against its description.
 * Contradictions in the description, such as examples that are invalid against their types, are left out.
 */
export function createSuite(model: ApiModel, places: Places = linePlaces(model.document)): ConformanceSuite {
  const operations = new OperationWriter(model, places);
  const shared = {
    format: 2,
    name: model.name,
    title: model.title,
    version: model.version,
    source: model.document,
    security: securityOf(model),
  } as const;
  switch (model.protocol) {
    case "http":
      return {
        ...shared,
        protocol: "http",
        types: new Serialiser(model, places).declarations(),
        operations: httpOperations(model, operations),
      };
    case "rpc":
      return {
        ...shared,
        protocol: "rpc",
        envelope: model.envelope?.members ?? "one",
        types: new Serialiser(model, places).declarations(),
        operations: rpcMethods(model, operations),
      };
    case "graphql":
      return {
        ...shared,
        protocol: "graphql",
        // Line endings are normalized, so that the generated file is the same on Windows.
        schema: (model.schemaSource ?? model.schemaText ?? "").replaceAll("\r\n", "\n"),
        types: {},
        scalars: scalarsOf(model, places),
        documents: model.documents.map((document) => operations.graphql(document)),
      };
    default:
      return model.protocol satisfies never;
  }
}

function httpOperations({ operations }: ApiModel, writer: OperationWriter): readonly SuiteHttpOperation[] {
  return operations.flatMap((operation) =>
    operation.binding.kind === "http" ? [writer.http(operation, operation.binding)] : [],
  );
}

function rpcMethods({ operations }: ApiModel, writer: OperationWriter): readonly SuiteRpcMethod[] {
  return operations.flatMap((operation) =>
    operation.binding.kind === "rpc" ? [writer.rpc(operation, operation.binding)] : [],
  );
}

/** Names of scalars that some servers serialize as strings and others as numbers. */
const ambiguousScalars: ReadonlySet<string> = new Set(
  "BigInt Byte Color Decimal Duration GitTimestamp Locale Long Money Time TimeZone Timestamp".split(" "),
);

/** Returns the known types of custom scalars. A type that is derived only from the name is left out if servers differ about it. */
function scalarsOf(model: ApiModel, places: Places): SuiteTypes {
  const writer = new Serialiser(model, places);
  return Object.fromEntries(
    model.declarations.flatMap(({ role, originalName, type }) => {
      const isKnown = type.kind !== "any" && (!ambiguousScalars.has(originalName) || isSpecified(type));
      return role === "scalar" && isKnown ? [[originalName, writer.type(type)]] : [];
    }),
  );
}

/** Returns whether the type of a scalar was specified, beyond its name. */
function isSpecified(type: TypeNode): boolean {
  return type.kind !== "string" || type.pattern !== undefined;
}

function securityOf({ security }: ApiModel): ConformanceSuite["security"] {
  return Object.fromEntries(
    security.map(({ name, kind, location, parameter, scheme }) => [
      name,
      { kind, location, parameter, ...(scheme === undefined ? {} : { scheme }) },
    ]),
  );
}
