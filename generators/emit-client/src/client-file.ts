import { type ApiModel, createNameAllocator, type PiecedFile, pascalCase } from "@nodewright/model";
import {
  type Code,
  call,
  createSourceFile,
  group,
  importType,
  importValue,
  indent,
  line,
  lines,
  namedType,
  objectLiteral,
  objectType,
  type OperationMember,
  operationTable,
  type PropertyCode,
  type SourceFile,
} from "@nodewright/output";
import { type ClientMethod, clientMethods, isPaged, methodProperty } from "./client-methods.ts";
import { type ClientNames, clientNames } from "./client-names.ts";
import { addOptions, clientFacts } from "./client-options.ts";
import { addServers } from "./client-servers.ts";

const runtimeModule = "@nodewright/runtime";

const creators = { http: "createHttpClient", rpc: "createRpcClient", graphql: "createGraphqlClient" } as const;

/** Emits `client.ts`: the client's interface, its options, and the function that creates it. */
export function clientFile(model: ApiModel): PiecedFile {
  const names = clientNames(model);
  const file = createSourceFile({
    path: "client.ts",
    document: model.document,
    declares: [...Object.values(names), "options", "input", "callOptions", "client"],
  });
  const allocator = createNameAllocator(reservedMembers(model));
  const methods = clientMethods(model, (name) => allocator.allocate(name), file);
  const tags = [`@generated from ${model.document}`];
  const comment = { prose: [`Client of ${model.title}.`], tags };
  const properties = [
    ...methods.map((method) => methodProperty(method, "Promise", file)),
    ...extraProperties(model, methods, file),
  ];
  addServers(file, model, names);
  const parameter = addOptions(file, model, names);
  file.add(
    properties.length > 0
      ? { kind: "interface", name: names.client, comment, properties }
      : { kind: "type", name: names.client, comment, type: namedType("Readonly<Record<never, never>>") },
  );
  file.add({
    kind: "function",
    name: names.creator,
    isExported: true,
    comment: { prose: [`Creates a client of ${model.title}. It sends nothing before the first call.`], tags },
    parameters: [parameter],
    returns: names.client,
    body: creatorBody(model, names, methods, file),
  });
  return file.print();
}

/**
 * Returns the names that operations must not get: the client's own members, and those that the language calls implicitly, so that nothing
 * is sent when a client is awaited, serialized as JSON or inserted into a string.
 */
function reservedMembers(model: ApiModel): readonly string[] {
  const ofLanguage = ["then", "toJSON", "toString", "valueOf"];
  if (model.protocol === "rpc") return [...ofLanguage, "batch"];
  const pages = hasPages(model) ? ["pages"] : [];
  if (model.protocol === "graphql") return [...ofLanguage, "query", "subscribe", ...pages];
  return [...ofLanguage, ...pages];
}

function hasPages({ protocol, operations, documents }: ApiModel): boolean {
  return protocol === "graphql" ? documents.some(({ pages }) => pages !== undefined) : operations.some(isPaged);
}

/** Returns the members of a client in addition to its operations: batches, pages. */
function extraProperties(model: ApiModel, methods: readonly ClientMethod[], file: SourceFile): readonly PropertyCode[] {
  if (model.protocol === "rpc") return [batchProperty(model, file)];
  if (model.protocol === "graphql") return [...ownQueryProperties(model, file), ...rangePagesProperties(methods)];
  const paged = pagedMethods(model, methods);
  return paged.length === 0 ? [] : [pagesProperty(paged, file)];
}

/** Returns the members that take the user's own queries, in addition to the operation documents. */
function ownQueryProperties(model: ApiModel, file: SourceFile): readonly PropertyCode[] {
  const query: PropertyCode = {
    name: "query",
    type: namedType(file.use(importType(runtimeModule, "GraphqlQuery"))),
    comment: {
      prose: [
        "Sends a query or mutation that is not one of the operation documents: `query<Data>(text, variables)`. It is not validated.",
      ],
      tags: [],
    },
  };
  if (!hasSubscriptions(model)) return [query];
  const type = namedType(file.use(importType(runtimeModule, "GraphqlSubscribe")));
  const prose = [
    "Subscribes with a document that is not one of the operation documents: `for await (const data of subscribe<Data>(text, variables))`.",
  ];
  return [query, { name: "subscribe", type, comment: { prose, tags: [] } }];
}

function hasSubscriptions({ operations }: ApiModel): boolean {
  return operations.some(({ binding }) => binding.kind === "graphql" && binding.root === "subscription");
}

function batchProperty(model: ApiModel, file: SourceFile): PropertyCode {
  const table = file.use(importType("./calls.ts", `${pascalCase(model.name)}Calls`));
  return {
    name: "batch",
    type: namedType(`${file.use(importType(runtimeModule, "BatchCall"))}<${table}>`),
    comment: {
      prose: [
        "Sends several calls as one request: `batch([[name, input], …])` returns one outcome for each, in the same order.",
      ],
      tags: [],
    },
  };
}

function pagesProperty(paged: readonly ClientMethod[], file: SourceFile): PropertyCode {
  return {
    name: "pages",
    type: objectType(
      paged.map((method) => methodProperty(method, "AsyncIterable", file)),
      undefined,
    ),
    comment: { prose: ["Paginated results: each page is requested when it is needed."], tags: [] },
  };
}

function rangePagesProperties(methods: readonly ClientMethod[]): readonly PropertyCode[] {
  const paged = methods.flatMap(({ operation, name, comment, rangePages }): readonly PropertyCode[] =>
    rangePages === undefined ? [] : [{ operation, name, type: rangePages.type, comment }],
  );
  if (paged.length === 0) return [];
  const prose = [
    "Results over a range, requested in parts of the maximum length that the service accepts: each page when it is needed.",
  ];
  return [{ name: "pages", type: objectType(paged, undefined), comment: { prose, tags: [] } }];
}

function pagedMethods(model: ApiModel, methods: readonly ClientMethod[]): readonly ClientMethod[] {
  if (model.protocol !== "http") return [];
  return methods.filter((_method, position) => {
    const operation = model.operations[position];
    return operation !== undefined && isPaged(operation);
  });
}

function creatorBody(model: ApiModel, names: ClientNames, methods: readonly ClientMethod[], file: SourceFile): Code {
  const creator = file.use(importValue(runtimeModule, creators[model.protocol]));
  const created: Code = [`${creator}(options, `, clientFacts(file, model, names), ")"];
  const paged = pagedMethods(model, methods);
  const extras: readonly (readonly [string, Code])[] = [
    ...(model.protocol === "rpc" ? [["batch", `client.batch(${tableOf(file)})`] as const] : []),
    ...(model.protocol === "graphql" ? [["query", "client.query"] as const] : []),
    ...(model.protocol === "graphql" && hasSubscriptions(model) ? [["subscribe", "client.subscribe"] as const] : []),
    ...(paged.length > 0 ? [["pages", pagesLiteral(paged, tableOf(file))] as const] : []),
    ...(methods.some(isRanged) ? [["pages", rangePagesLiteral(methods)] as const] : []),
  ];
  if (methods.length + extras.length === 0) return lines([[created, ";"], "return {};"]);
  return lines([
    ["const client = ", created, ";"],
    ["return ", operationTable(methods.map(methodMember), extras), ";"],
  ]);
}

function tableOf(file: SourceFile): string {
  return file.use(importValue("./calls.ts", "calls"));
}

function methodMember(method: ClientMethod): OperationMember {
  return { operation: method.operation, name: method.name, value: methodCode(method) };
}

function methodCode({ facts, callType, isSubscription }: ClientMethod): Code {
  if (isSubscription === true) return arrow("client.subscription", [facts]);
  return callType === undefined ? arrow("client.call", [facts]) : call("client.method", [facts]);
}

function pagesLiteral(paged: readonly ClientMethod[], table: string): Code {
  return objectLiteral(
    paged.map((method) => [method.name, arrow("client.pages", [`{ ...${table} }`, method.facts])] as const),
  );
}

function isRanged({ rangePages }: ClientMethod): boolean {
  return rangePages !== undefined;
}

function rangePagesLiteral(methods: readonly ClientMethod[]): Code {
  return objectLiteral(
    methods.flatMap(({ name, facts, rangePages }) =>
      rangePages === undefined ? [] : [[name, arrow("client.pages", [facts, rangePages.end ?? "undefined"])] as const],
    ),
  );
}

/** Returns `(input, callOptions) => client.call(facts, input, callOptions)`; the call moves to a line of its own where it does not fit. */
function arrow(target: string, facts: readonly string[]): Code {
  return group("(input, callOptions) =>", indent(line, call(target, [...facts, "input", "callOptions"])));
}
