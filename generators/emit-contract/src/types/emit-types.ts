import type { ApiModel, EmittedFile, Operation, TypeNode } from "@nodewright/model";
import {
  contractNames,
  createSourceFile,
  declarationComment,
  hasReplyEnvelope,
  memberComment,
  namedType,
  objectType,
  type PropertyCode,
  type SourceDeclaration,
  type TypeCode,
  unionType,
} from "@nodewright/output";
import { type ContractType, declarationNode, declaredTypes, inputOf, outputOf } from "../contract-types.ts";
import { documentTypes } from "./document-types.ts";
import { indexOf, propertiesOf, typeExpression, type TypeNames } from "./type-expression.ts";

/** `types.ts`: what values of the API are in memory. */
export function emitTypes(model: ApiModel): EmittedFile {
  const names: TypeNames = {
    reference: (target) => target,
    resolve: (target) => resolved({ kind: "reference", target, source: emptySource }, model),
  };
  const file = createSourceFile({ path: "types.ts", document: model.document, declares: [] });
  for (const contract of declaredTypes(model)) file.add(declarationOf(contract, names));
  for (const declaration of argumentTypes(model, names)) file.add(declaration);
  for (const operation of model.operations) {
    for (const declaration of operationTypes(model, operation, names)) file.add(declaration);
  }
  for (const declaration of documentTypes(model)) file.add(declaration);
  return file.print();
}

const emptySource = { file: "", line: 1, column: 1, start: 0, end: 0, pointer: "" };

function resolved(type: TypeNode, model: ApiModel): TypeNode {
  const seen = new Set<string>();
  let current = type;
  while (current.kind === "reference" && !seen.has(current.target)) {
    seen.add(current.target);
    current = declarationNode(current.target, model);
  }
  return current;
}

function declarationOf({ name, type, comment }: ContractType, names: TypeNames): SourceDeclaration {
  if (type.kind !== "record") return { kind: "type", name, comment, type: typeExpression(type, names) };
  const index = indexOf(type, names);
  const properties = propertiesOf(type, names);
  return { kind: "interface", name, comment, properties, ...(index === undefined ? {} : { index }) };
}

function operationTypes(model: ApiModel, operation: Operation, names: TypeNames): readonly SourceDeclaration[] {
  const input = declarationOf(inputOf(model, operation), names);
  const output = outputDeclaration(model, operation, names);
  return hasReplyEnvelope(operation) ? [input, output, replyDeclaration(model, operation, names)] : [input, output];
}

function outputDeclaration(model: ApiModel, operation: Operation, names: TypeNames): SourceDeclaration {
  const output = outputOf(model, operation);
  const comment = {
    prose: [`What ${operation.name} answers.`],
    tags: [`@generated from ${operation.origin}`],
  };
  const body = output === undefined ? [] : [typeExpression(output.type, names)];
  const isAbsentSometimes = operation.successes.some(({ content }) => content === undefined);
  const type = unionType([...body, ...(isAbsentSometimes ? [namedType("undefined")] : [])]);
  return { kind: "type", name: contractNames(model).of(operation).output, comment, type };
}

/** `{ status?, headers, body }`, one for each success; the status may be left out for the first. */
function replyDeclaration(model: ApiModel, operation: Operation, names: TypeNames): SourceDeclaration {
  const replies = operation.successes.map(({ status, headers, content }, index): TypeCode => {
    const headerProperties = headers.map(
      (header): PropertyCode => ({
        name: header.property,
        type: typeExpression(header.type, names),
        optional: !header.required,
        comment: memberComment(header.documentation),
      }),
    );
    const hasRequiredHeader = headers.some((header) => header.required);
    return objectType(
      [
        { name: "status", type: namedType(String(status)), optional: index === 0 },
        {
          name: "headers",
          type: objectType(headerProperties, headers.length === 0 ? namedType("never") : undefined),
          optional: !hasRequiredHeader,
        },
        {
          name: "body",
          type: content === undefined ? namedType("undefined") : typeExpression(content.type, names),
          optional: content === undefined,
        },
      ],
      undefined,
    );
  });
  return {
    kind: "type",
    name: contractNames(model).of(operation).reply,
    comment: {
      prose: [`What ${operation.name} answers, with status and headers.`],
      tags: [`@generated from ${operation.origin}`],
    },
    type: unionType(replies),
  };
}

/** GraphQL: what fields with arguments are called with. */
function argumentTypes(model: ApiModel, names: TypeNames): readonly SourceDeclaration[] {
  return model.declarations.flatMap((declaration) => {
    const { type } = declaration;
    if (type.kind !== "record") return [];
    return type.fields
      .filter((field) => field.arguments.length > 0)
      .map((field): SourceDeclaration => {
        const name = contractNames(model).ofArguments(declaration.name, field.name);
        return {
          kind: "interface",
          name,
          comment: declarationComment(undefined, `${declaration.originalName}.${field.name}`),
          properties: field.arguments.map((argument) => ({
            name: argument.property,
            type: typeExpression(argument.type, names),
            optional: !argument.required,
            comment: memberComment(argument.documentation, argument.default),
          })),
        };
      });
  });
}
