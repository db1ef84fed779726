import type { ApiModel, EmittedFile, IncomingOperation, Operation } from "@nodewright/model";
import {
  type Code,
  call,
  createSourceFile,
  declarationComment,
  group,
  importType,
  importValue,
  indent,
  join,
  line,
  lines,
  namedType,
  objectLiteral,
  type PropertyCode,
  type SourceFile,
  softline,
  stringLiteral,
  type TypeCode,
  trailingComma,
  genericType,
  recordDeclaration,
  memberAccess,
} from "@nodewright/output";
import { contractNames, hasSecuritySchemes } from "@nodewright/emit-contract/names";
import { serverNames, type WebhookNames, webhookNames } from "./names.ts";
import { addHandlers, addSignatures, securityArgument, securityProperty } from "./server-file.ts";

const runtimeModule = "@nodewright/runtime";
const nodeModule = "@nodewright/runtime/node";

/** Emits `webhooks.ts`: the requests that an API makes, for their receivers and for the API that sends them. */
export function webhookFiles(model: ApiModel): readonly EmittedFile[] {
  const { incoming = [] } = model;
  if (incoming.length === 0) return [];
  const names = webhookNames(model);
  const file = createSourceFile({
    path: "webhooks.ts",
    document: model.document,
    declares: [...Object.values(names), "options", "sender", "url", "source", "input", "callOptions"],
  });
  addSignatures(file, { name: names.signatures, operations: incoming, removed: [] }, model);
  addHandlers(file, names, "http");
  addReceiver(file, names, model);
  addSender(file, names, model, incoming);
  return [file.print()];
}

function addReceiver(file: SourceFile, names: WebhookNames, model: ApiModel): void {
  const options = file.use(importType(nodeModule, "RestOptions"));
  const security = hasSecuritySchemes(model)
    ? [securityProperty(file.use(importType("./server.ts", serverNames(model).securityHandlers)))]
    : [];
  file.add({
    kind: "interface",
    name: `${names.options}<Context> extends ${options}<Context>`,
    comment: { prose: ["Options of the plugin."], tags: [] },
    properties: [
      { name: "handlers", type: namedType(`${names.handlers}<Context>`) },
      {
        name: "paths",
        optional: true,
        type: namedType(`{ readonly [Name in keyof ${names.signatures}]?: string }`),
        comment: { prose: ["Path of each webhook. Absent: a slash and its name."], tags: [] },
      },
      ...security,
    ],
  });
  const table = file.use(importValue("./operations.ts", "incomingOperations"));
  const plugin = file.use(importType("fastify", "FastifyPluginAsync"));
  const move = file.use(importValue(nodeModule, "withPaths"));
  file.add({
    kind: "function",
    name: `${names.factory}<Context>`,
    isExported: true,
    comment: {
      prose: [`Creates the Fastify plugin that receives the webhooks of ${model.title}.`],
      tags: [`@generated from ${model.document}`],
    },
    parameters: [{ name: "options", type: `${names.options}<Context>` }],
    returns: plugin,
    body: [
      "return ",
      call(file.use(importValue(nodeModule, "createRestPlugin")), [
        `${move}({ ...${table} }, { ...options.paths })`,
        "options.handlers",
        "options",
        ...(hasSecuritySchemes(model) ? [securityArgument(file)] : []),
      ]),
      ";",
    ],
  });
}

function addSender(
  file: SourceFile,
  names: WebhookNames,
  model: ApiModel,
  incoming: readonly IncomingOperation[],
): void {
  const comment = { prose: [`Sender of the callbacks of ${model.title} to their subscribers.`], tags: [] };
  const properties = incoming.map((operation) => senderProperty(operation, model, file));
  file.add(recordDeclaration(names.sender, comment, properties));
  file.add({
    kind: "function",
    name: names.senderFactory,
    isExported: true,
    comment: {
      prose: ["Creates the sender of callbacks. It sends nothing before the first call."],
      tags: [`@generated from ${model.document}`],
    },
    parameters: [
      { name: "options", type: file.use(importType(runtimeModule, "WebhookSenderOptions")), initializer: "{}" },
    ],
    returns: names.sender,
    body: senderBody(file, model, incoming),
  });
}

function senderProperty(operation: IncomingOperation, model: ApiModel, file: SourceFile): PropertyCode {
  const { input, output } = contractNames(model).of(operation);
  const type = (name: string): string => file.use(importType("./types.ts", name));
  const parameters: readonly Code[] = [
    targetParameter(operation, model, file),
    `input${isInputOptional(operation) ? "?" : ""}: ${type(input)}`,
    `options?: ${file.use(importType(runtimeModule, "CallOptions"))}`,
  ];
  return {
    name: operation.name,
    type: functionType(parameters, `Promise<${type(output)}>`),
    comment: declarationComment(operation.documentation, operation.origin),
  };
}

/** Returns the parameter for the target: a webhook is sent to a URL, a callback to the URL in the request that registered it. */
function targetParameter(operation: IncomingOperation, model: ApiModel, file: SourceFile): Code {
  const asking = requestingOperation(operation, model);
  if (asking === undefined) return "url: string";
  const { input, output } = contractNames(model).of(asking);
  const types = [input, output].map((name) => file.use(importType("./types.ts", name)));
  return ["source: ", genericType(file.use(importType(runtimeModule, "CallbackSource")), types).code];
}

function requestingOperation({ trigger }: IncomingOperation, model: ApiModel): Operation | undefined {
  if (trigger.kind === "webhook") return undefined;
  const { operation } = trigger;
  return [...model.operations, ...(model.incoming ?? [])].find(({ name }) => name === operation);
}

function isInputOptional({ parameters, body }: Operation): boolean {
  return !parameters.some(({ required }) => required) && body?.required !== true;
}

function functionType(parameters: readonly Code[], result: Code): TypeCode {
  const list = indent(softline, join([",", line], parameters), trailingComma);
  return { code: [group("(", list, softline, ")"), " => ", result], form: "keyword" };
}

function senderBody(file: SourceFile, model: ApiModel, incoming: readonly IncomingOperation[]): Code {
  const create = file.use(importValue(runtimeModule, "createWebhookSender"));
  const members = incoming.map((operation) => [operation.name, senderMember(operation, model, file)] as const);
  return lines([
    ["const sender = ", call(create, ["options"]), ";"],
    ["return ", objectLiteral(members), ";"],
  ]);
}

function senderMember(operation: IncomingOperation, model: ApiModel, file: SourceFile): Code {
  const table = file.use(importValue("./operations.ts", "incomingOperations"));
  const facts = memberAccess(table, operation.name);
  const asking = requestingOperation(operation, model);
  if (asking === undefined || operation.trigger.kind === "webhook") {
    return arrow("url", "sender.send", [facts, "url", "input", "callOptions"]);
  }
  const isServed = !("trigger" in asking);
  const requested = isServed ? file.use(importValue("./operations.ts", "operations")) : table;
  const callback = `{ call: ${facts}, expression: ${stringLiteral(operation.trigger.expression)} }`;
  return arrow("source", "sender.sendCallback", [
    memberAccess(requested, asking.name),
    callback,
    "source",
    "input",
    "callOptions",
  ]);
}

function arrow(target: string, callee: string, parameters: readonly string[]): Code {
  return group(`(${target}, input, callOptions) =>`, indent(line, call(callee, parameters)));
}
