import type { ApiModel, Operation, PiecedFile, SecurityScheme } from "@nodewright/model";
import {
  type Code,
  call,
  createSourceFile,
  declarationComment,
  hardline,
  importType,
  importValue,
  indent,
  memberComment,
  namedType,
  objectType,
  type PropertyCode,
  type SourceFile,
  stringLiteral,
  type TypeCode,
  unionType,
  genericType,
  recordDeclaration,
} from "@nodewright/output";
import { hasReplyEnvelope, contractNames, hasSecuritySchemes } from "@nodewright/emit-contract/names";
import { genericAliases } from "./generic-aliases.ts";
import { type ServerNames, serverNames } from "./names.ts";

const runtimeModule = "@nodewright/runtime";
const nodeModule = "@nodewright/runtime/node";

/** Emits `server.ts` of a REST or JSON-RPC interface: the types of handlers, and the plugin that calls them. */
export function serverFile(model: ApiModel, removed: readonly string[] = []): PiecedFile {
  const names = serverNames(model);
  const file = createSourceFile({
    path: "server.ts",
    document: model.document,
    declares: [names.signatures, names.handler, names.handlers, names.options, names.factory, names.securityHandlers],
  });
  addSignatures(file, { name: names.signatures, operations: model.operations, removed }, model);
  addHandlers(file, names, model.protocol);
  if (hasSecuritySchemes(model)) addSecurityHandlers(file, names, model);
  addFactory(file, names, model);
  return file.print();
}

/** Returns the mapped type of handlers by operation name, each of which may be missing. */
export function handlersByName(signatures: string, handler: string): TypeCode {
  const member: Code = [`readonly [Name in keyof ${signatures}]?: `, handler, ";"];
  return { code: ["{", indent(hardline, member), hardline, "}"], form: "object" };
}

/**
 * Returns the signature of an operation that was removed from the document, with unspecific types: its handler is kept, and compiles until
 * it is deleted.
 */
export function removedSignature(name: string): PropertyCode {
  const members = [
    { name: "input", type: namedType("ReturnType<typeof JSON.parse>") },
    { name: "output", type: namedType("unknown") },
  ];
  const comment = {
    prose: ["Its handler still exists and is never called."],
    tags: ["@deprecated Gone from the document."],
  };
  return { name, type: objectType(members, undefined), comment };
}

/** Content of an interface of signatures. */
export interface SignatureTable {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** Names of operations that were removed from the document and still have a handler. */
  readonly removed: readonly string[];
}

/** Adds the interface of the handlers' inputs and outputs, by operation. */
export function addSignatures(file: SourceFile, { name, operations, removed }: SignatureTable, model: ApiModel): void {
  const comment = { prose: ["Input and output of each operation."], tags: [] };
  const properties = operations.map((operation) => signature(operation, model, file));
  file.add(recordDeclaration(name, comment, [...properties, ...removed.map(removedSignature)]));
}

function signature(operation: Operation, model: ApiModel, file: SourceFile): PropertyCode {
  const { input } = contractNames(model).of(operation);
  const members = [
    { name: "input", type: namedType(file.use(importType("./types.ts", input))) },
    { name: "output", type: resultType(operation, model, file) },
  ];
  return {
    ...("trigger" in operation ? {} : { operation: operation.name }),
    name: operation.name,
    type: objectType(members, undefined),
    comment: declarationComment(operation.documentation, operation.origin),
  };
}

/** Returns the type of a handler's result: for JSON, a prepared JSON string is allowed too. */
function resultType(operation: Operation, model: ApiModel, file: SourceFile): TypeCode {
  const names = contractNames(model).of(operation);
  const hasEnvelope = hasReplyEnvelope(operation);
  const output = namedType(file.use(importType("./types.ts", hasEnvelope ? names.reply : names.output)));
  const isJson = operation.successes.some(({ content }) => content?.form === "json");
  if (!isJson) return output;
  const prepared = file.use(importType(runtimeModule, hasEnvelope ? "PreparedReply" : "PreparedJson"));
  const generic = genericType(prepared, [output]);
  return hasEnvelope ? generic : unionType([output, generic]);
}

/** Adds the types of one handler and of all of them. */
export function addHandlers(
  file: SourceFile,
  names: Pick<ServerNames, "signatures" | "handler" | "handlers">,
  protocol: ApiModel["protocol"],
): void {
  const handler = file.use(importType(runtimeModule, "Handler"));
  const member = (name: string): string => `${names.signatures}[Name][${stringLiteral(name)}]`;
  const missing = protocol === "http" ? "501" : "-32601";
  const handlerAlias = {
    name: names.handler,
    parameters: [`Name extends keyof ${names.signatures}`, "Context"],
    comment: {
      prose: ["Handler of one operation. Throws `ServiceError` for the failures of the document."],
      tags: [],
    },
    type: genericType(handler, [member("input"), member("output"), "Context"]),
  };
  const handlersAlias = {
    name: names.handlers,
    parameters: ["Context"],
    comment: { prose: [`Handlers of the operations. A missing one responds with ${missing}.`], tags: [] },
    type: handlersByName(names.signatures, `${names.handler}<Name, Context>`),
  };
  file.add(genericAliases([handlerAlias, handlersAlias]));
}

/** Adds the type of the security handlers: one for each scheme, which receives the credentials of its clients. */
function addSecurityHandlers(file: SourceFile, names: ServerNames, model: ApiModel): void {
  const handler = file.use(importType(nodeModule, "SecurityHandler"));
  file.add({
    kind: "interface",
    name: `${names.securityHandlers}<Context>`,
    comment: {
      prose: [
        "Authenticators by security scheme.",
        "Each returns the members that it adds to the context of handlers, or undefined for credentials that are not accepted.",
      ],
      tags: [],
    },
    properties: model.security.map((scheme) => ({
      name: scheme.name,
      type: genericType(handler, [file.use(importType(nodeModule, credentialTypes[scheme.kind])), "Context"]),
      comment: memberComment(scheme.description === undefined ? undefined : { description: scheme.description }),
    })),
  });
}

const credentialTypes: Readonly<Record<SecurityScheme["kind"], string>> = {
  "api-key": "ApiKeyCredentials",
  basic: "BasicCredentials",
  bearer: "BearerCredentials",
  "other-http": "OtherHttpCredentials",
  "mutual-tls": "MutualTlsCredentials",
};

/** Returns the option that enforces the document's security requirements. */
export function securityProperty(securityHandlers: string): PropertyCode {
  return {
    name: "security",
    optional: true,
    type: namedType(`${securityHandlers}<Context>`),
    comment: {
      prose: [
        "Authenticators for the security requirements of the document.",
        "WITHOUT IT NO REQUEST IS AUTHENTICATED: every operation is open to everybody, unless something in front of this plugin checks credentials.",
      ],
      tags: [],
    },
  };
}

function addFactory(file: SourceFile, names: ServerNames, model: ApiModel): void {
  const isRest = model.protocol === "http";
  const options = file.use(importType(nodeModule, isRest ? "RestOptions" : "RpcOptions"));
  const plugin = file.use(importType("fastify", "FastifyPluginAsync"));
  file.add({
    kind: "interface",
    name: `${names.options}<Context> extends ${options}<Context>`,
    comment: { prose: ["Options of the plugin."], tags: [] },
    properties: [
      { name: "handlers", type: namedType(`${names.handlers}<Context>`) },
      ...(hasSecuritySchemes(model) ? [securityProperty(names.securityHandlers)] : []),
    ],
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

/** Returns the arguments of the plugin. The table is spread because an interface has no index signature. */
function pluginArguments(file: SourceFile, model: ApiModel): readonly Code[] {
  const operations = file.use(importValue("./operations.ts", "operations"));
  const shared = [`{ ...${operations} }`, "options.handlers", "options"];
  if (model.protocol === "rpc") return [...shared, stringLiteral(model.envelope?.members ?? "one")];
  return hasSecuritySchemes(model) ? [...shared, securityArgument(file)] : shared;
}

/** Returns the schemes with their handlers. */
export function securityArgument(file: SourceFile): Code {
  const schemes = file.use(importValue("./calls.ts", "securitySchemes"));
  return call(file.use(importValue(nodeModule, "restSecurity")), [schemes, "options.security"]);
}
