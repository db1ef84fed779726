import type { ApiModel, EmittedFile, Operation } from "@nodewright/model";
import {
  type Code,
  call,
  contractNames,
  createSourceFile,
  declarationComment,
  hardline,
  hasReplyEnvelope,
  importType,
  importValue,
  indent,
  namedType,
  objectType,
  type PropertyCode,
  type SourceFile,
  stringLiteral,
  type TypeCode,
} from "@nodewright/output";
import { genericAliases, genericType, recordDeclaration } from "./code-pieces.ts";
import { type ServerNames, serverNames } from "./names.ts";

const runtimeModule = "@nodewright/runtime";
const nodeModule = "@nodewright/runtime/node";

/** `server.ts` of a REST or JSON-RPC interface: what handlers are, and the plugin that calls them. */
export function serverFile(model: ApiModel, removed: readonly string[] = []): EmittedFile {
  const names = serverNames(model);
  const file = createSourceFile({
    path: "server.ts",
    document: model.document,
    declares: [names.signatures, names.handler, names.handlers, names.options, names.factory],
  });
  addSignatures(file, names, model, removed);
  addHandlers(file, names, model);
  addFactory(file, names, model);
  return file.print();
}

/** The mapped type of handlers by operation name, each of which may be missing. */
export function handlersByName(signatures: string, handler: string): TypeCode {
  const member: Code = [`readonly [Name in keyof ${signatures}]?: `, handler, ";"];
  return { code: ["{", indent(hardline, member), hardline, "}"], form: "object" };
}

/**
 * What an operation that is gone from the document was given and answered, as far as anybody knows it still: so that its handler,
 * which is kept, compiles until somebody deletes it.
 */
export function removedSignature(name: string): PropertyCode {
  const members = [
    { name: "input", type: namedType("ReturnType<typeof JSON.parse>") },
    { name: "answer", type: namedType("unknown") },
  ];
  const comment = {
    prose: ["Its handler is still there and never called."],
    tags: ["@deprecated Gone from the document."],
  };
  return { name, type: objectType(members, undefined), comment };
}

function addSignatures(file: SourceFile, names: ServerNames, model: ApiModel, removed: readonly string[]): void {
  const comment = { prose: ["What each operation is given, and what it answers."], tags: [] };
  const properties = model.operations.map((operation) => signature(operation, model, file));
  file.add(recordDeclaration(names.signatures, comment, [...properties, ...removed.map(removedSignature)]));
}

function signature(operation: Operation, model: ApiModel, file: SourceFile): PropertyCode {
  const types = contractNames(model).of(operation);
  const answer = hasReplyEnvelope(operation) ? types.reply : types.output;
  const members = [
    { name: "input", type: namedType(file.use(importType("./types.ts", types.input))) },
    { name: "answer", type: namedType(file.use(importType("./types.ts", answer))) },
  ];
  return {
    name: operation.name,
    type: objectType(members, undefined),
    comment: declarationComment(operation.documentation, operation.origin),
  };
}

function addHandlers(file: SourceFile, names: ServerNames, model: ApiModel): void {
  const handler = file.use(importType(runtimeModule, "Handler"));
  const member = (name: string): string => `${names.signatures}[Name][${stringLiteral(name)}]`;
  const missing = model.protocol === "http" ? "501" : "-32601";
  const handlerAlias = {
    name: names.handler,
    parameters: [`Name extends keyof ${names.signatures}`, "Context"],
    comment: {
      prose: ["What answers one operation. Throws `ServiceError` for what the document calls a failure."],
      tags: [],
    },
    type: genericType(handler, [member("input"), member("answer"), "Context"]),
  };
  const handlersAlias = {
    name: names.handlers,
    parameters: ["Context"],
    comment: { prose: [`What answers each operation. One that is missing is answered ${missing}.`], tags: [] },
    type: handlersByName(names.signatures, `${names.handler}<Name, Context>`),
  };
  file.add(genericAliases([handlerAlias, handlersAlias]));
}

function addFactory(file: SourceFile, names: ServerNames, model: ApiModel): void {
  const isRest = model.protocol === "http";
  const options = file.use(importType(nodeModule, isRest ? "RestOptions" : "RpcOptions"));
  const plugin = file.use(importType("fastify", "FastifyPluginAsync"));
  file.add({
    kind: "interface",
    name: `${names.options}<Context> extends ${options}<Context>`,
    comment: { prose: ["What the plugin is created with."], tags: [] },
    properties: [{ name: "handlers", type: namedType(`${names.handlers}<Context>`) }],
  });
  file.add({
    kind: "function",
    name: `${names.factory}<Context>`,
    isExported: true,
    comment: {
      prose: [`Creates the Fastify plugin that serves ${model.title}.`],
      tags: [`@generated from ${model.document}`],
    },
    parameters: [{ name: "options", type: `${names.options}<Context>` }],
    returns: plugin,
    body: ["return ", call(pluginCreator(file, isRest), pluginArguments(file, model)), ";"],
  });
}

function pluginCreator(file: SourceFile, isRest: boolean): string {
  return file.use(importValue(nodeModule, isRest ? "createRestPlugin" : "createRpcPlugin"));
}

/** The table is spread because an interface has no index signature. */
function pluginArguments(file: SourceFile, model: ApiModel): readonly Code[] {
  const operations = file.use(importValue("./operations.ts", "operations"));
  const shared = [`{ ...${operations} }`, "options.handlers", "options"];
  return model.protocol === "rpc" ? [...shared, stringLiteral(model.envelope?.members ?? "one")] : shared;
}
