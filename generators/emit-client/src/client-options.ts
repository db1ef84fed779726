import { type ApiModel, camelCase, createNameAllocator, type SecurityScheme } from "@nodewright/model";
import {
  type Code,
  importType,
  importValue,
  type FunctionParameter,
  namedType,
  objectLiteral,
  type PropertyCode,
  type SourceFile,
  stringLiteral,
  memberAccess,
} from "@nodewright/output";
import type { ClientNames } from "./client-names.ts";
import { usualServer } from "./client-servers.ts";
import { keyNames } from "./key-names.ts";

const runtimeModule = "@nodewright/runtime";

/** A security scheme with the name of its option. */
interface SecurityOption {
  readonly key: string;
  readonly scheme: SecurityScheme;
}

/**
 * Adds the types of a client's credentials and options, where they differ from those of every client, and returns the parameter of its
 * creator.
 */
export function addOptions(file: SourceFile, model: ApiModel, names: ClientNames): FunctionParameter {
  const security = securityOptions(model);
  const server = usualServer(model);
  if (security.length > 0) addSecurity(file, names, security);
  if (security.length === 0 && server === undefined) {
    return { name: "options", type: file.use(importType(runtimeModule, "ClientOptions")) };
  }
  const base = file.use(importType(runtimeModule, server === undefined ? "ClientOptions" : "CommonClientOptions"));
  const properties: readonly PropertyCode[] = [
    ...(server === undefined ? [] : [baseUrlProperty(names, server.key)]),
    ...(security.length === 0 ? [] : [securityProperty(names)]),
  ];
  file.add({
    kind: "interface",
    name: `${names.options} extends ${base}`,
    comment: { prose: ["Options of the client."], tags: [] },
    properties,
  });
  return { name: "options", type: names.options, ...(server === undefined ? {} : { initializer: "{}" }) };
}

/**
 * Returns the facts about the API for the runtime's client: `{ query: "apikey", header: "X-API-Key" }` and more if needed. The table with
 * the validators is loaded only by clients that validate responses.
 */
export function clientFacts(file: SourceFile, model: ApiModel, names: ClientNames): Code {
  const { query, header } = keyNames(model);
  if (model.protocol === "graphql") return `{ query: ${stringLiteral(query)}, header: ${stringLiteral(header)} }`;
  const server = usualServer(model);
  const security = securityOptions(model);
  return objectLiteral([
    ["query", stringLiteral(query)],
    ["header", stringLiteral(header)],
    ["operations", '() => import("./operations.ts")'],
    ...(server === undefined ? [] : [["baseUrl", baseUrlCode(file, names, server.key)] as const]),
    ...(security.length === 0 ? [] : securityMembers(file, security)),
  ]);
}

/** Returns the schemes for which requests carry credentials, in document order. */
function securityOptions({ protocol, security }: ApiModel): readonly SecurityOption[] {
  if (protocol !== "http") return [];
  const names = createNameAllocator();
  return security
    .filter(({ kind }) => kind !== "mutual-tls")
    .map((scheme) => ({ key: names.allocate(camelCase(scheme.name)), scheme }));
}

function addSecurity(file: SourceFile, names: ClientNames, options: readonly SecurityOption[]): void {
  file.add({
    kind: "interface",
    name: names.security,
    comment: {
      prose: ["Credentials by security scheme. Each is sent only to operations that require it."],
      tags: [],
    },
    properties: options.map(({ key, scheme }): PropertyCode => {
      const type = file.use(
        importType(runtimeModule, scheme.kind === "basic" ? "BasicCredentialOption" : "Credential"),
      );
      return {
        name: key,
        type: namedType(`${type} | undefined`),
        optional: true,
        comment: { prose: scheme.description === undefined ? [] : [scheme.description], tags: [tagOf(scheme)] },
      };
    }),
  });
}

function tagOf({ name }: SecurityScheme): string {
  return `@generated from the security scheme ${name}`;
}

function baseUrlProperty({ servers }: ClientNames, key: string): PropertyCode {
  return {
    name: "baseUrl",
    type: namedType("string | undefined"),
    optional: true,
    comment: { prose: [`Base URL of the API. Absent: \`${memberAccess(servers, key)}\`.`], tags: [] },
  };
}

function securityProperty({ security }: ClientNames): PropertyCode {
  return { name: "security", type: namedType(`${security} | undefined`), optional: true };
}

function baseUrlCode(file: SourceFile, { servers }: ClientNames, key: string): Code {
  return `${file.use(importValue(runtimeModule, "serverUrl"))}(${memberAccess(servers, key)})`;
}

function securityMembers(file: SourceFile, options: readonly SecurityOption[]): readonly (readonly [string, Code])[] {
  const schemes = file.use(importValue("./calls.ts", "securitySchemes"));
  const names = options.map(({ key, scheme }) => [key, stringLiteral(scheme.name)] as const);
  return [
    ["schemes", schemes],
    ["security", objectLiteral(names)],
  ];
}
