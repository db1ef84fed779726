import type { ApiModel, GraphqlDocument, JsonValue, Operation, PageDeclaration, PiecedFile } from "@nodewright/model";
import { pascalCase } from "@nodewright/model";
import {
  type Code,
  createSourceFile,
  declarationComment,
  hardline,
  importType,
  importValue,
  indent,
  jsonLiteral,
  lines,
  namedType,
  objectKey,
  objectLiteral,
  operationTable,
  type PropertyCode,
  type SourceFile,
  stringLiteral,
  type TypeCode,
  templateText,
  genericType,
  recordDeclaration,
  memberAccess,
} from "@nodewright/output";
import {
  hasOutputBody,
  inputItemNeedsCodec,
  inputItemTypes,
  inputNeedsCodec,
  outputNeedsCodec,
} from "../names/contract-facts.ts";
import { contractNames, decoderName, encoderName, predicateName, violationsName } from "../names/contract-names.ts";
import { operationFacts } from "../facts/index.ts";

const runtimeModule = "@nodewright/runtime";

/** Emits `operations.ts`: the facts of each operation with its validators, which servers and suites share. */
export function operationsFile(model: ApiModel): PiecedFile {
  const tableType = `${pascalCase(model.name)}Operations`;
  const documentsType = `${pascalCase(model.name)}Documents`;
  const incomingType = `${pascalCase(model.name)}IncomingOperations`;
  const { incoming = [] } = model;
  const file = createSourceFile({
    path: "operations.ts",
    document: model.document,
    declares: [tableType, documentsType, incomingType, "operations", "documents", "schemaText", "incomingOperations"],
  });
  addTable(file, model, {
    type: tableType,
    name: "operations",
    operations: model.operations,
    source: model.protocol === "graphql" ? "literal" : "calls",
    prose: "Facts about each operation, by name.",
    typeProse: `The type of the table of all operations of ${model.title}.`,
  });
  if (incoming.length > 0) {
    addTable(file, model, {
      type: incomingType,
      name: "incomingOperations",
      operations: incoming,
      source: "literal",
      prose: "Facts about each request that the API sends, by name.",
      typeProse: `The type of the table of all requests that ${model.title} sends.`,
    });
  }
  if (model.protocol === "graphql") addDocuments(file, documentsType, model);
  if (model.schemaText !== undefined) addSchemaText(file, model.schemaText);
  return file.print();
}

interface OperationTable {
  readonly type: string;
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly source: FactsSource;
  readonly prose: string;
  readonly typeProse: string;
}

/** Location of the facts of an operation: in the table of calls, or in the literal itself. */
type FactsSource = "calls" | "literal";

function addTable(
  file: SourceFile,
  model: ApiModel,
  { type, name, operations, source, prose, typeProse }: OperationTable,
): void {
  const properties = operations.map((operation) => operationProperty(operation, model, file));
  file.add(recordDeclaration(type, { prose: [typeProse], tags: [] }, properties));
  file.add({
    kind: "constant",
    name,
    isExported: true,
    comment: { prose: [prose], tags: [] },
    type,
    value: tableCode(operations, (operation) => operationLiteral(operation, source, model, file)),
  });
}

/** Returns the literal of a table. Requests that the API makes and requests that it serves differ only by their table. */
function tableCode(operations: readonly Operation[], literal: (operation: Operation) => Code): Code {
  const isIncoming = operations.some((operation) => "trigger" in operation);
  if (isIncoming) return objectLiteral(operations.map((operation) => [operation.name, literal(operation)]));
  return operationTable(
    operations.map((operation) => ({
      operation: operation.name,
      name: operation.name,
      value: literal(operation),
    })),
  );
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
  const { name, root, text, pages } = document;
  const { variables, result } = contractNames(model).ofDocument(document);
  return objectLiteral([
    ["kind", stringLiteral("graphql-document")],
    ["name", stringLiteral(name)],
    ["root", stringLiteral(root)],
    ["text", stringLiteral(text)],
    ["input", valueFacts(variables, false, file)],
    ["output", valueFacts(result, false, file)],
    ...(pages === undefined ? [] : [["pages", jsonLiteral(pageFacts(pages))] as const]),
  ]);
}

/** Returns the facts about pages; the operation that returns the end of an open range is passed to the client separately. */
function pageFacts({ end, ...range }: PageDeclaration): JsonValue {
  return { ...range, ...(end === undefined ? {} : { end: end.path }) };
}

function addSchemaText(file: SourceFile, schemaText: string): void {
  file.add({
    kind: "constant",
    name: "schemaText",
    isExported: true,
    comment: { prose: ["The schema of the document."], tags: [] },
    type: "string",
    value: ["`", lines(schemaText.trim().split("\n").map(templateText)), "`"],
  });
}

function operationProperty(operation: Operation, model: ApiModel, file: SourceFile): PropertyCode {
  return {
    ...("trigger" in operation ? {} : { operation: operation.name }),
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

function operationLiteral(operation: Operation, source: FactsSource, model: ApiModel, file: SourceFile): Code {
  const facts =
    source === "calls"
      ? [`...${memberAccess(file.use(importValue("./calls.ts", "calls")), operation.name)},`]
      : Object.entries(operationFacts(operation, model)).map(([name, value]) => memberCode(name, jsonLiteral(value)));
  const members = [...facts, ...valueMembers(operation, model, file).map(([name, value]) => memberCode(name, value))];
  return ["{", indent(hardline, lines(members)), hardline, "}"];
}

function memberCode(name: string, value: Code): Code {
  return [`${objectKey(name)}: `, value, ","];
}

/** Returns the validators of input and output. */
function valueMembers(
  operation: Operation,
  model: ApiModel,
  file: SourceFile,
): readonly (readonly [name: string, value: Code])[] {
  if (operation.binding.kind === "graphql") return [];
  const names = contractNames(model).of(operation);
  const output = hasOutputBody(operation)
    ? valueFacts(names.output, outputNeedsCodec(operation, model), file)
    : file.use(importValue(runtimeModule, "noValue"));
  return [
    ["input", valueFacts(names.input, inputNeedsCodec(operation, model), file)],
    ...(inputItemTypes(operation).length === 0
      ? []
      : [["inputItem", valueFacts(names.inputItem, inputItemNeedsCodec(operation, model), file)] as const]),
    ["output", output],
  ];
}

/** Returns the validators of a type, and its codecs where wire and memory differ. */
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
