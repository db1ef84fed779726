import type { ApiModel, Content, Operation, PiecedFile, Success, TypeNode } from "@nodewright/model";
import {
  createSourceFile,
  declarationComment,
  genericType,
  importType,
  memberComment,
  namedType,
  objectType,
  type PropertyCode,
  type SourceDeclaration,
  type SourceFile,
  stringLiteral,
  type TypeCode,
  unionType,
} from "@nodewright/output";
import {
  allOperations,
  failureCodec,
  failureContents,
  hasReplyEnvelope,
  isItemSequence,
  isMediaRange,
  needsCodec,
  negotiatedTypes,
} from "../names/contract-facts.ts";
import { contractNames } from "../names/contract-names.ts";
import {
  type ContractType,
  declarationNode,
  declaredTypes,
  inputItemOf,
  inputOf,
  outputOf,
} from "../contract/contract-types.ts";
import { sequenceNode } from "../contract/operation-input.ts";
import { documentTypes } from "./document-types.ts";
import { splitObjects, tagOf } from "../contract/tag.ts";
import { distinctUnion, indexOf, propertiesOf, shownType, typeExpression, type TypeNames } from "./type-expression.ts";

export interface TypesOptions {
  /** Whether types of failures are emitted, for clients; they import the runtime's types. Defaults to true. */
  readonly hasFailures?: boolean;
}

/** Emits `types.ts`: the types of the API's values in memory. */
export function emitTypes(model: ApiModel, { hasFailures = true }: TypesOptions = {}): PiecedFile {
  const declared = new Set(declaredNames(model));
  const names: TypeNames = {
    reference: (target) => target,
    resolve: (target) => resolved({ kind: "reference", target, source: emptySource }, model),
    global: (name) => (declared.has(name) ? `globalThis.${name}` : name),
    tag: (union) => {
      const { objects, others } = splitObjects(union, model);
      return { tag: tagOf(objects, model), others };
    },
  };
  const file = createSourceFile({ path: "types.ts", document: model.document, declares: declared });
  for (const contract of declaredTypes(model)) file.add(declarationOf(contract, names));
  for (const declaration of argumentTypes(model, names)) file.add(declaration);
  for (const operation of allOperations(model)) {
    const isIncoming = "trigger" in operation;
    const declarations = operationTypes(model, operation, names, file);
    if (hasFailures && operation.binding.kind === "http" && operation.failures.length > 0 && !isIncoming)
      declarations.push(failureDeclaration(model, operation, names, file));
    for (const declaration of declarations) file.add(declaration, isIncoming ? undefined : operation.name);
  }
  for (const declaration of documentTypes(model)) file.add(declaration);
  return file.print();
}

/** Returns the names that the file declares, so that its imports get other names. */
function declaredNames(model: ApiModel): readonly string[] {
  const names = contractNames(model);
  const operations = allOperations(model).flatMap((operation) => Object.values(names.of(operation)));
  return [...model.declarations.map(({ name }) => name), ...operations];
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

function declarationOf({ name, type: given, comment }: ContractType, names: TypeNames): SourceDeclaration {
  const type = shownType(given, names);
  if (type.kind !== "record") return { kind: "type", name, comment, type: typeExpression(type, names) };
  const index = indexOf(type, names);
  const properties = propertiesOf(type, names);
  return { kind: "interface", name, comment, properties, ...(index === undefined ? {} : { index }) };
}

function operationTypes(
  model: ApiModel,
  operation: Operation,
  names: TypeNames,
  file: SourceFile,
): SourceDeclaration[] {
  const input = declarationOf(inputOf(model, operation), withSequences(operation, names, file));
  const item = inputItemOf(model, operation);
  const output = outputDeclaration(model, operation, names, file);
  return [
    input,
    ...(item === undefined ? [] : [declarationOf(item, names)]),
    output,
    ...(hasReplyEnvelope(operation) ? [replyDeclaration(model, operation, names, file)] : []),
  ];
}

/** Returns names with which a body that is a sequence is an iterable in the input. */
function withSequences({ body }: Operation, names: TypeNames, file: SourceFile): TypeNames {
  const sequences = body?.contents.filter(isItemSequence) ?? [];
  if (sequences.length === 0) return names;
  const special = new Map(sequences.map((content) => [sequenceNode(content), bodyExpression(content, names, file)]));
  return { ...names, special };
}

/** Returns the type of a body in memory: a sequence is an iterable, and of events one with more than their data. */
function bodyExpression(content: Content, names: TypeNames, file: SourceFile): TypeCode {
  const type = typeExpression(content.type, names);
  if (!isItemSequence(content)) return type;
  if (content.form === "json-lines") return genericType(names.global("AsyncIterable"), [type]);
  const event = file.use(importType("@nodewright/runtime", "ServerSentEvent"));
  return genericType(names.global("AsyncIterable"), [genericType(event, [type])]);
}

function outputDeclaration(
  model: ApiModel,
  operation: Operation,
  names: TypeNames,
  file: SourceFile,
): SourceDeclaration {
  const comment = {
    prose: [`Response of ${operation.name}.`],
    tags: [`@generated from ${operation.origin}`],
  };
  const hasSequence = operation.successes.some(({ content }) => content !== undefined && isItemSequence(content));
  const output = outputOf(model, operation);
  const bodies = hasSequence
    ? distinctBodies(operation).map((content) => bodyExpression(content, names, file))
    : output === undefined
      ? []
      : [typeExpression(output.type, names)];
  const isAbsentSometimes = operation.successes.some(({ content }) => content === undefined);
  const type = unionType([...bodies, ...(isAbsentSometimes ? [namedType("undefined")] : [])]);
  return { kind: "type", name: contractNames(model).of(operation).output, comment, type };
}

/** Returns the bodies of all successes, each node and kind once. */
function distinctBodies({ successes }: Operation): readonly Content[] {
  const bodies = new Map<string, Content>();
  for (const { content } of successes) {
    if (content === undefined) continue;
    const { type, form } = content;
    const place = type.kind === "reference" ? type.target : `${type.source.file}#${type.source.pointer}`;
    bodies.set(`${isItemSequence(content) ? form : ""} ${place}`, content);
  }
  return [...bodies.values()];
}

/** Returns a declaration of `{ status?, contentType?, headers, body }`, one for each success; the status is optional for the first. */
function replyDeclaration(
  model: ApiModel,
  operation: Operation,
  names: TypeNames,
  file: SourceFile,
): SourceDeclaration {
  const { successes } = operation;
  const [{ status: usualStatus }] = successes;
  const negotiated = new Set(negotiatedTypes(operation));
  const replies = successes.map((success): TypeCode => {
    const { status, headers, content } = success;
    const isFirst = successes.find((other) => other.status === status) === success;
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
        { name: "status", type: namedType(statusType(status)), optional: status === usualStatus },
        ...(content === undefined ? [] : contentTypeProperty(content.mediaType, negotiated, isFirst)),
        {
          name: "headers",
          type: objectType(headerProperties, headers.length === 0 ? namedType("never") : undefined),
          optional: !hasRequiredHeader,
        },
        {
          name: "body",
          type: content === undefined ? namedType("undefined") : bodyExpression(content, names, file),
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
      prose: [`Response of ${operation.name}, with status and headers.`],
      tags: [`@generated from ${operation.origin}`],
    },
    type: unionType(replies),
  };
}

/** Returns a declaration of each failure's content in the runtime's `ApiError`. */
function failureDeclaration(
  model: ApiModel,
  operation: Operation,
  names: TypeNames,
  file: SourceFile,
): SourceDeclaration {
  const generic = file.use(importType("@nodewright/runtime", "DeclaredFailure"));
  const failures = operation.failures.map((failure): TypeCode => {
    const contents = failureContents(failure);
    const isDecoded = failureCodec(failure, model) !== undefined;
    const bodies = contents.map(({ form, type }) => {
      if (form !== "json") return namedType("string");
      return needsCodec(type, model) && !isDecoded ? namedType("unknown") : typeExpression(type, names);
    });
    const name = namedType(stringLiteral(failure.name));
    const status = namedType(failure.status === undefined ? "number" : statusType(failure.status));
    return genericType(generic, [name, status, ...(bodies.length === 0 ? [] : [distinctUnion(bodies)])]);
  });
  return {
    kind: "type",
    name: contractNames(model).of(operation).failure,
    comment: {
      prose: [`Failures of ${operation.name}, for \`isApiError\` of the runtime.`],
      tags: [`@generated from ${operation.origin}`],
    },
    type: unionType(failures),
  };
}

/** Returns the type of a status; a class of statuses is `number`. */
function statusType(status: Success["status"]): string {
  return typeof status === "number" ? String(status) : "number";
}

/**
 * Returns the property for the media type where these are negotiated: it defaults to the first, and a range allows any media type in it.
 */
function contentTypeProperty(
  mediaType: string,
  negotiated: ReadonlySet<string>,
  isFirst: boolean,
): readonly PropertyCode[] {
  if (isMediaRange(mediaType))
    return [{ name: "contentType", type: namedType("string"), optional: isFirst && mediaType === "*/*" }];
  if (!negotiated.has(mediaType)) return [];
  return [{ name: "contentType", type: namedType(stringLiteral(mediaType)), optional: isFirst }];
}

/** Returns the arguments of GraphQL fields that take arguments. */
function argumentTypes(model: ApiModel, names: TypeNames): readonly SourceDeclaration[] {
  return model.declarations.flatMap((declaration) => {
    const { type } = declaration;
    if (type.kind !== "record") return [];
    return type.members
      .filter((field) => (field.arguments ?? []).length > 0)
      .map((field): SourceDeclaration => {
        const name = contractNames(model).ofArguments(declaration.name, field.name);
        return {
          kind: "interface",
          name,
          comment: declarationComment(undefined, `${declaration.originalName}.${field.name}`),
          properties: (field.arguments ?? []).map((argument) => ({
            name: argument.property,
            type: typeExpression(argument.type, names),
            optional: !argument.required,
            comment: memberComment(argument.documentation, argument.default),
          })),
        };
      });
  });
}
