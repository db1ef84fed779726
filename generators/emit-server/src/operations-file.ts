import type { ApiModel, EmittedFile, GraphqlDocument, Operation } from "@nodewright/model";
import { pascalCase } from "@nodewright/model";
import {
  type Code,
  contractNames,
  createSourceFile,
  declarationComment,
  decoderName,
  encoderName,
  hardline,
  hasOutputBody,
  importType,
  importValue,
  indent,
  inputItemNeedsCodec,
  inputItemTypes,
  inputNeedsCodec,
  jsonLiteral,
  lines,
  namedType,
  objectLiteral,
  outputNeedsCodec,
  type PropertyCode,
  predicateName,
  type SourceFile,
  stringLiteral,
  type TypeCode,
  templateText,
  violationsName,
} from "@nodewright/output";
import { genericType, recordDeclaration } from "./code-pieces.ts";
import { operationFacts } from "./operation-facts.ts";
import { securityKey, sharedSecurity } from "./shared-security.ts";

const runtimeModule = "@nodewright/runtime";

/** `operations.ts`: the facts of each operation, which clients, servers and suites share. */
export function operationsFile(model: ApiModel): EmittedFile {
  const tableType = `${pascalCase(model.name)}Operations`;
  const documentsType = `${pascalCase(model.name)}Documents`;
  const incomingType = `${pascalCase(model.name)}IncomingOperations`;
  const { incoming = [] } = model;
  const file = createSourceFile({
    path: "operations.ts",
    document: model.document,
    declares: [
      tableType,
      documentsType,
      incomingType,
      "operations",
      "documents",
      "schemaText",
      "incomingOperations",
      "securitySchemes",
      ...[...sharedSecurity(model).values()].map(({ constant }) => constant),
    ],
  });
  addSharedSecurity(file, model);
  addTable(file, model, {
    type: tableType,
    name: "operations",
    operations: model.operations,
    prose: "What a machine needs to know about each operation, by name.",
    typeProse: `The type of the table of all operations of ${model.title}.`,
  });
  if (incoming.length > 0) {
    addTable(file, model, {
      type: incomingType,
      name: "incomingOperations",
      operations: incoming,
      prose: "What a machine needs to know about each request that the API makes, by name.",
      typeProse: `The type of the table of all requests that ${model.title} makes.`,
    });
  }
  if (hasSecuritySchemes(model)) addSecuritySchemes(file, model);
  if (model.protocol === "graphql") addDocuments(file, documentsType, model);
  if (model.schemaText !== undefined) addSchemaText(file, model.schemaText);
  return file.print();
}

function addSharedSecurity(file: SourceFile, model: ApiModel): void {
  for (const { constant, security } of sharedSecurity(model).values()) {
    const requirement = file.use(importType(runtimeModule, "SecurityRequirementFacts"));
    file.add({
      kind: "constant",
      name: constant,
      isExported: false,
      comment: { prose: ["Alternatives, any of which lets a caller in, of several operations."], tags: [] },
      type: `readonly ${requirement}[]`,
      value: jsonLiteral(security),
    });
  }
}

/** Whether a table of security schemes is written: where requests carry what proves who sends them. */
export function hasSecuritySchemes(model: ApiModel): boolean {
  return model.protocol === "http" && model.security.length > 0;
}

interface OperationTable {
  readonly type: string;
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly prose: string;
  readonly typeProse: string;
}

function addTable(
  file: SourceFile,
  model: ApiModel,
  { type, name, operations, prose, typeProse }: OperationTable,
): void {
  const properties = operations.map((operation) => operationProperty(operation, model, file));
  file.add(recordDeclaration(type, { prose: [typeProse], tags: [] }, properties));
  file.add({
    kind: "constant",
    name,
    isExported: true,
    comment: { prose: [prose], tags: [] },
    type,
    value: objectLiteral(operations.map((operation) => [operation.name, operationLiteral(operation, model, file)])),
  });
}

function addSecuritySchemes(file: SourceFile, model: ApiModel): void {
  const schemes = model.security.map(({ name, kind, location, parameter, scheme }) => {
    const facts = { kind, location, parameter, ...(scheme === undefined ? {} : { scheme }) };
    return [name, jsonLiteral(facts)] as const;
  });
  file.add({
    kind: "constant",
    name: "securitySchemes",
    isExported: true,
    comment: { prose: ["How callers prove who they are, by name of the scheme."], tags: [] },
    type: `Readonly<Record<string, ${file.use(importType(runtimeModule, "SecuritySchemeFacts"))}>>`,
    value: objectLiteral(schemes),
  });
}

function addDocuments(file: SourceFile, documentsType: string, model: ApiModel): void {
  const properties = model.documents.map((document): PropertyCode => {
    const { variables, result } = contractNames(model).ofDocument(document);
    const types = [variables, result].map((name) => file.use(importType("./types.ts", name)));
    return {
      name: document.name,
      type: genericType(file.use(importType(runtimeModule, "GraphqlDocumentFacts")), types),
      comment: declarationComment(document.documentation, document.name),
    };
  });
  const comment = { prose: ["The type of the table of all operation documents."], tags: [] };
  file.add(recordDeclaration(documentsType, comment, properties));
  file.add({
    kind: "constant",
    name: "documents",
    isExported: true,
    comment: { prose: ["The operation documents that clients can send, by name."], tags: [] },
    type: documentsType,
    value: objectLiteral(model.documents.map((document) => [document.name, documentLiteral(document, model, file)])),
  });
}

function documentLiteral(document: GraphqlDocument, model: ApiModel, file: SourceFile): Code {
  const { name, root, text } = document;
  const { variables, result } = contractNames(model).ofDocument(document);
  return objectLiteral([
    ["kind", stringLiteral("graphql-document")],
    ["name", stringLiteral(name)],
    ["root", stringLiteral(root)],
    ["text", stringLiteral(text)],
    ["input", valueFacts(variables, false, file)],
    ["output", valueFacts(result, false, file)],
  ]);
}

function addSchemaText(file: SourceFile, schemaText: string): void {
  file.add({
    kind: "constant",
    name: "schemaText",
    isExported: true,
    comment: { prose: ["The schema, as its document describes it."], tags: [] },
    type: "string",
    value: ["`", lines(schemaText.trim().split("\n").map(templateText)), "`"],
  });
}

function operationProperty(operation: Operation, model: ApiModel, file: SourceFile): PropertyCode {
  return {
    name: operation.name,
    type: operationType(operation, model, file),
    comment: declarationComment(operation.documentation, operation.origin),
  };
}

function operationType(operation: Operation, model: ApiModel, file: SourceFile): TypeCode {
  const { kind } = operation.binding;
  if (kind === "graphql") return namedType(file.use(importType(runtimeModule, "GraphqlOperation")));
  const names = contractNames(model).of(operation);
  const generic = file.use(importType(runtimeModule, kind === "http" ? "HttpOperation" : "RpcOperation"));
  const input = file.use(importType("./types.ts", names.input));
  return genericType(generic, [input, file.use(importType("./types.ts", names.output))]);
}

function operationLiteral(operation: Operation, model: ApiModel, file: SourceFile): Code {
  const { security } = operation;
  const shared = security === undefined ? undefined : sharedSecurity(model).get(securityKey(security))?.constant;
  const facts = Object.entries(operationFacts(operation, model)).map(
    ([name, value]) => [name, name === "security" && shared !== undefined ? shared : jsonLiteral(value)] as const,
  );
  if (operation.binding.kind === "graphql") return objectLiteral(facts);
  const names = contractNames(model).of(operation);
  const output = hasOutputBody(operation)
    ? valueFacts(names.output, outputNeedsCodec(operation, model), file)
    : file.use(importValue(runtimeModule, "noValue"));
  return objectLiteral([
    ...facts,
    ["input", valueFacts(names.input, inputNeedsCodec(operation, model), file)],
    ...(inputItemTypes(operation).length === 0
      ? []
      : [["inputItem", valueFacts(names.inputItem, inputItemNeedsCodec(operation, model), file)] as const]),
    ["output", output],
  ]);
}

/** The validators of a type, and its codecs where wire and memory differ. */
function valueFacts(typeName: string, hasCodec: boolean, file: SourceFile): Code {
  const validator = (name: string): string => file.use(importValue("./validators.ts", name));
  const codec = (name: string): string => file.use(importValue("./codecs.ts", name));
  const members: readonly (readonly [string, string])[] = [
    ["is", validator(predicateName(typeName))],
    ["violationsOf", validator(violationsName(typeName))],
    ...(hasCodec
      ? ([
          ["decode", codec(decoderName(typeName))],
          ["encode", codec(encoderName(typeName))],
        ] as const)
      : []),
  ];
  return ["{", indent(hardline, lines(members.map(([name, value]) => `${name}: ${value},`))), hardline, "}"];
}
