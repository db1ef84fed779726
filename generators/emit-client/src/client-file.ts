import { type ApiModel, createNameAllocator, type EmittedFile, type Operation, pascalCase } from "@nodewright/model";
import {
  type Code,
  call,
  contractNames,
  createSourceFile,
  type DocComment,
  declarationComment,
  group,
  importType,
  importValue,
  indent,
  join,
  line,
  lines,
  namedType,
  objectKey,
  objectLiteral,
  objectType,
  type PropertyCode,
  type SourceFile,
  softline,
  stringLiteral,
  type TypeCode,
  trailingComma,
} from "@nodewright/output";
import { keyNames } from "./key-names.ts";

const runtimeModule = "@nodewright/runtime";

/** What a client has for one operation or GraphQL document. */
interface ClientMethod {
  /** Member of the client. */
  readonly name: string;
  /** Expression of its facts: `operations.getTransaction`. */
  readonly facts: string;
  readonly input: string;
  readonly output: string;
  readonly isInputOptional: boolean;
  readonly comment: DocComment;
}

const creators = { http: "createHttpClient", rpc: "createRpcClient", graphql: "createGraphqlClient" } as const;

/** `client.ts`: the client's interface, and the function that creates one. */
export function clientFile(model: ApiModel): EmittedFile {
  const api = pascalCase(model.name);
  const clientType = `${api}Client`;
  const creator = `create${api}Client`;
  const file = createSourceFile({
    path: "client.ts",
    document: model.document,
    declares: [clientType, creator, "options", "input", "callOptions", "client"],
  });
  const names = createNameAllocator(reservedMembers(model));
  const methods = clientMethods(model, names.allocate, file);
  const comment = { prose: [`Calls ${model.title}.`], tags: [`@generated from ${model.document}`] };
  const properties = [
    ...methods.map((method) => methodProperty(method, "Promise", file)),
    ...extraProperties(model, methods, file),
  ];
  file.add(
    properties.length > 0
      ? { kind: "interface", name: clientType, comment, properties }
      : { kind: "type", name: clientType, comment, type: namedType("Readonly<Record<never, never>>") },
  );
  file.add({
    kind: "function",
    name: creator,
    isExported: true,
    comment: {
      prose: [`Creates a client of ${model.title}. Nothing is sent before the first call.`],
      tags: [`@generated from ${model.document}`],
    },
    parameters: [{ name: "options", type: file.use(importType(runtimeModule, "ClientOptions")) }],
    returns: clientType,
    body: creatorBody(model, methods, file),
  });
  return file.print();
}

function reservedMembers(model: ApiModel): readonly string[] {
  if (model.protocol === "rpc") return ["batch"];
  return model.protocol === "http" && pagedOperations(model).length > 0 ? ["pages"] : [];
}

/** The operations whose answer goes on: their document links it, or leads to it, by `next`. */
function pagedOperations(model: ApiModel): readonly Operation[] {
  return model.operations.filter((operation) => operation.links.some(({ name }) => name === "next"));
}

function clientMethods(model: ApiModel, allocate: (name: string) => string, file: SourceFile): readonly ClientMethod[] {
  const type = (name: string): string => file.use(importType("./types.ts", name));
  if (model.protocol === "graphql") {
    return model.documents.map((document) => {
      const { variables, result } = contractNames(model).ofDocument(document);
      return {
        name: allocate(document.name),
        facts: member(file.use(importValue("./operations.ts", "documents")), document.name),
        input: type(variables),
        output: type(result),
        isInputOptional: !document.variables.some(({ required }) => required),
        comment: declarationComment(document.documentation, document.name),
      };
    });
  }
  return model.operations.map((operation) => {
    const { input, output } = contractNames(model).of(operation);
    return {
      name: allocate(operation.name),
      facts: member(file.use(importValue("./operations.ts", "operations")), operation.name),
      input: type(input),
      output: type(output),
      isInputOptional: isInputOptional(operation),
      comment: declarationComment(operation.documentation, operation.origin),
    };
  });
}

function isInputOptional({ parameters, body }: Operation): boolean {
  return !parameters.some(({ required }) => required) && body?.required !== true;
}

/** `operations.getTransaction`, or `operations["_2fa"]` where the name is no identifier. */
function member(table: string, name: string): string {
  const key = objectKey(name);
  return key === name ? `${table}.${name}` : `${table}[${stringLiteral(name)}]`;
}

function methodProperty(method: ClientMethod, result: string, file: SourceFile): PropertyCode {
  const parameters = [
    `input${method.isInputOptional ? "?" : ""}: ${method.input}`,
    `options?: ${file.use(importType(runtimeModule, "CallOptions"))}`,
  ];
  return {
    name: method.name,
    type: functionType(parameters, `${result}<${method.output}>`),
    comment: method.comment,
  };
}

/** `(first: A, second: B) => Result`, one parameter on each line where they do not fit. */
function functionType(parameters: readonly Code[], result: Code): TypeCode {
  const list = indent(softline, join([",", line], parameters), trailingComma);
  return { code: [group("(", list, softline, ")"), " => ", result], form: "keyword" };
}

/** What a client has besides its operations: batches, pages. */
function extraProperties(model: ApiModel, methods: readonly ClientMethod[], file: SourceFile): readonly PropertyCode[] {
  if (model.protocol === "rpc") return [batchProperty(model, file)];
  const paged = pagedMethods(model, methods);
  return paged.length === 0 ? [] : [pagesProperty(paged, file)];
}

function batchProperty(model: ApiModel, file: SourceFile): PropertyCode {
  const table = file.use(importType("./operations.ts", `${pascalCase(model.name)}Operations`));
  return {
    name: "batch",
    type: namedType(`${file.use(importType(runtimeModule, "BatchCall"))}<${table}>`),
    comment: {
      prose: [
        "Sends several calls as one request: `batch([[name, input], …])` gives one outcome for each, in their order.",
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
    comment: { prose: ["Answers that go on: page after page, each asked for when it is wanted."], tags: [] },
  };
}

function pagedMethods(model: ApiModel, methods: readonly ClientMethod[]): readonly ClientMethod[] {
  const paged = new Set(pagedOperations(model).map(({ name }) => name));
  return methods.filter((_method, position) => paged.has(model.operations[position]?.name ?? ""));
}

function creatorBody(model: ApiModel, methods: readonly ClientMethod[], file: SourceFile): Code {
  const creator = file.use(importValue(runtimeModule, creators[model.protocol]));
  const { query, header } = keyNames(model);
  const key = `{ query: ${stringLiteral(query)}, header: ${stringLiteral(header)} }`;
  const members = methods.map((method) => [method.name, arrow("client.call", [method.facts])] as const);
  const paged = model.protocol === "http" ? pagedMethods(model, methods) : [];
  const table = model.protocol === "graphql" ? "" : file.use(importValue("./operations.ts", "operations"));
  const extras: readonly (readonly [string, Code])[] = [
    ...(model.protocol === "rpc" ? [["batch", `client.batch(${table})`] as const] : []),
    ...(paged.length > 0 ? [["pages", pagesLiteral(paged, table)] as const] : []),
  ];
  if (members.length + extras.length === 0) return lines([[call(creator, ["options", key]), ";"], "return {};"]);
  return lines([
    ["const client = ", call(creator, ["options", key]), ";"],
    ["return ", objectLiteral([...members, ...extras]), ";"],
  ]);
}

function pagesLiteral(paged: readonly ClientMethod[], table: string): Code {
  return objectLiteral(
    paged.map((method) => [method.name, arrow("client.pages", [`{ ...${table} }`, method.facts])] as const),
  );
}

/** `(input, callOptions) => client.call(facts, input, callOptions)`; the call moves to a line of its own where it has to. */
function arrow(target: string, facts: readonly string[]): Code {
  return group("(input, callOptions) =>", indent(line, call(target, [...facts, "input", "callOptions"])));
}
