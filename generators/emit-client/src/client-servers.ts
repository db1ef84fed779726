import { type ApiModel, camelCase, createNameAllocator, nameWords, type Server } from "@nodewright/model";
import {
  type Code,
  importType,
  jsonLiteral,
  namedType,
  objectLiteral,
  objectType,
  type PropertyCode,
  type SourceFile,
  stringLiteral,
  type TypeCode,
  unionType,
} from "@nodewright/output";
import type { ClientNames } from "./client-names.ts";

const runtimeModule = "@nodewright/runtime";

/** A server with its name in generated code. */
export interface NamedServer {
  readonly key: string;
  readonly server: Server;
}

/** Returns the servers of a document, except for uninformative ones: `/` is the location of the document itself. */
function namedServers({ servers = [], protocol }: ApiModel): readonly NamedServer[] {
  if (protocol === "graphql") return [];
  const names = createNameAllocator();
  return servers
    .filter(({ url }) => url !== "/" && url !== "")
    .map((server) => ({ key: names.allocate(wantedKey(server)), server }));
}

/** Returns the default server of a client: the first, if its URL is absolute. */
export function usualServer(model: ApiModel): NamedServer | undefined {
  const [first] = namedServers(model);
  const isFirst = first?.server === model.servers?.[0];
  return first !== undefined && isFirst && /^https?:\/\//i.test(usualUrl(first.server)) ? first : undefined;
}

function usualUrl({ url, variables }: Server): string {
  const defaults = new Map(variables.map((variable) => [variable.name, variable.default]));
  return url.replaceAll(/\{([^{}]*)\}/g, (hole, name: string) => defaults.get(name) ?? hole);
}

/** Adds the table of servers and its type. */
export function addServers(file: SourceFile, model: ApiModel, names: ClientNames): void {
  const servers = namedServers(model);
  if (servers.length === 0) return;
  file.add({
    kind: "interface",
    name: names.serversType,
    comment: { prose: [`The type of the servers of ${model.title}.`], tags: [] },
    properties: servers.map((named) => serverProperty(named, file)),
  });
  file.add({
    kind: "constant",
    name: names.servers,
    isExported: true,
    comment: {
      prose: [`Servers of ${model.title}. \`serverUrl\` replaces the variables of a server and returns a \`baseUrl\`.`],
      tags: [],
    },
    type: names.serversType,
    value: objectLiteral(servers.map(({ key, server }) => [key, serverLiteral(server)])),
  });
}

/** Returns a server's own name, or its description if that is short. */
function wantedKey({ name, description = "" }: Server): string {
  const words = name ?? (nameWords(description).length <= maximumNameWords ? description : "");
  const key = camelCase(words);
  return key === "_" ? "server" : key;
}

const maximumNameWords = 4;

function serverProperty({ key, server }: NamedServer, file: SourceFile): PropertyCode {
  const facts = file.use(importType(runtimeModule, "ServerFacts"));
  const variables = server.variables.map((variable): PropertyCode => {
    const values = (variable.values ?? []).map((value) => namedType(stringLiteral(value)));
    return {
      name: variable.name,
      type: values.length === 0 ? namedType("string") : unionType(values),
      optional: true,
      ...commentOf(variable.description),
    };
  });
  const type: TypeCode =
    variables.length === 0
      ? namedType(facts)
      : { code: [`${facts}<`, objectType(variables, undefined).code, ">"], form: "reference" };
  return { name: key, type, ...commentOf(server.description) };
}

function commentOf(description: string | undefined): Pick<PropertyCode, "comment"> {
  return description === undefined || description.trim() === "" ? {} : { comment: { prose: [description], tags: [] } };
}

function serverLiteral({ url, description, variables }: Server): Code {
  return objectLiteral([
    ["url", stringLiteral(url)],
    ...(description === undefined ? [] : [["description", stringLiteral(description)] as const]),
    [
      "variables",
      objectLiteral(
        variables.map(({ name, default: usual, values }) => [
          name,
          jsonLiteral({ default: usual, ...(values === undefined ? {} : { values }) }),
        ]),
      ),
    ],
  ]);
}
