import { type ApiModel, type Operation, pascalCase, type PiecedFile } from "@nodewright/model";
import {
  type Code,
  createSourceFile,
  importType,
  importValue,
  jsonLiteral,
  listLiteral,
  objectLiteral,
  operationTable,
  type PropertyCode,
  type SourceFile,
  genericType,
  recordDeclaration,
} from "@nodewright/output";
import {
  failureCodec,
  inputItemNeedsCodec,
  inputNeedsCodec,
  outputNeedsCodec,
  hasSecuritySchemes,
} from "../names/contract-facts.ts";
import { contractNames, decoderName, encoderName } from "../names/contract-names.ts";
import { failureFacts, operationFacts } from "../facts/index.ts";
import { securityKey, sharedSecurity } from "./shared-security.ts";

const runtimeModule = "@nodewright/runtime";

/**
 * Emits `calls.ts`: the facts about each operation that a client needs. It does not import validators, so that a client does not include
 * them; the table of operations adds them. GraphQL has no such file.
 */
export function callsFile(model: ApiModel): PiecedFile | undefined {
  if (model.protocol === "graphql") return undefined;
  const tableType = `${pascalCase(model.name)}Calls`;
  const file = createSourceFile({
    path: "calls.ts",
    document: model.document,
    declares: [
      tableType,
      "calls",
      "securitySchemes",
      ...[...sharedSecurity(model).values()].map(({ constant }) => constant),
    ],
  });
  addSharedSecurity(file, model);
  file.add(
    recordDeclaration(
      tableType,
      { prose: [`The type of the table of all calls of ${model.title}.`], tags: [] },
      model.operations.map((operation) => callProperty(operation, model, file)),
    ),
  );
  file.add({
    kind: "constant",
    name: "calls",
    isExported: true,
    comment: { prose: ["Facts about each operation that a client needs, by name."], tags: [] },
    type: tableType,
    value: operationTable(
      model.operations.map((operation) => ({
        operation: operation.name,
        name: operation.name,
        value: callLiteral(operation, model, file),
      })),
    ),
  });
  if (hasSecuritySchemes(model)) addSecuritySchemes(file, model);
  return file.print();
}

function addSharedSecurity(file: SourceFile, model: ApiModel): void {
  for (const { constant, security } of sharedSecurity(model).values()) {
    const requirement = file.use(importType(runtimeModule, "SecurityRequirementFacts"));
    file.add({
      kind: "constant",
      name: constant,
      isExported: false,
      comment: {
        prose: ["Security requirements that several operations share: alternatives, one of which is sufficient."],
        tags: [],
      },
      type: `readonly ${requirement}[]`,
      value: jsonLiteral(security),
    });
  }
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
    comment: { prose: ["Security schemes, by name."], tags: [] },
    type: `Readonly<Record<string, ${file.use(importType(runtimeModule, "SecuritySchemeFacts"))}>>`,
    value: objectLiteral(schemes),
  });
}

function callProperty(operation: Operation, model: ApiModel, file: SourceFile): PropertyCode {
  const { input, output } = contractNames(model).of(operation);
  const generic = file.use(importType(runtimeModule, operation.binding.kind === "http" ? "HttpCall" : "RpcCall"));
  const types = [input, output].map((name) => file.use(importType("./types.ts", name)));
  return { operation: operation.name, name: operation.name, type: genericType(generic, types) };
}

function callLiteral(operation: Operation, model: ApiModel, file: SourceFile): Code {
  const { security } = operation;
  const shared = security === undefined ? undefined : sharedSecurity(model).get(securityKey(security))?.constant;
  const facts = Object.entries(operationFacts(operation, model)).map(([name, value]): readonly [string, Code] => {
    if (name === "security" && shared !== undefined) return [name, shared];
    return [name, name === "failures" ? failuresLiteral(operation, model, file) : jsonLiteral(value)];
  });
  const names = contractNames(model).of(operation);
  return objectLiteral([
    ...facts,
    ["input", codec(names.input, inputNeedsCodec(operation, model), file)],
    ...(inputItemNeedsCodec(operation, model) ? [["inputItemCodec", codec(names.inputItem, true, file)] as const] : []),
    ["output", codec(names.output, outputNeedsCodec(operation, model), file)],
  ]);
}

/** Returns the failures. Those whose bodies differ between memory and wire include a decoder. */
function failuresLiteral(operation: Operation, model: ApiModel, file: SourceFile): Code {
  return listLiteral(
    operation.failures.map((failure) => {
      const declaration = operation.binding.kind === "http" ? failureCodec(failure, model) : undefined;
      const facts = Object.entries(failureFacts(failure)).map(([name, value]) => [name, jsonLiteral(value)] as const);
      if (declaration === undefined) return objectLiteral(facts);
      const decode = file.use(importValue("./codecs.ts", decoderName(declaration)));
      return objectLiteral([...facts, ["decode", decode]]);
    }),
  );
}

/** Returns the codecs of a type where wire and memory differ. */
function codec(typeName: string, isNeeded: boolean, file: SourceFile): Code {
  if (!isNeeded) return "{}";
  const use = (name: string): string => file.use(importValue("./codecs.ts", name));
  return objectLiteral([
    ["decode", use(decoderName(typeName))],
    ["encode", use(encoderName(typeName))],
  ]);
}
