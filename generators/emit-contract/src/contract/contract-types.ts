import type { ApiModel, GraphqlDocument, Operation, TypeDeclaration, TypeNode } from "@nodewright/model";
import { declarationComment, type DocComment } from "@nodewright/output";
import { allOperations, hasOutputBody, inputItemTypes, outputTypes } from "../names/contract-facts.ts";
import { contractNames } from "../names/contract-names.ts";
import { operationInput, parameterRecord } from "./operation-input.ts";

/** A type of the contract with validators and codecs, in addition to those of the declarations. */
export interface ContractType {
  /** Name of the export in `types.ts`. */
  readonly name: string;
  readonly type: TypeNode;
  readonly comment: DocComment;
}

/** Returns the declarations of a model as contract types, in document order. */
export function declaredTypes(model: ApiModel): readonly ContractType[] {
  return model.declarations.map(({ name, type, documentation, source, originalName }) => ({
    name,
    type,
    comment: declarationComment(documentation, model.protocol === "graphql" ? originalName : `#${source.pointer}`),
  }));
}

/** Returns the input of an operation: a record of its parameters by property, and of its body. */
export function inputOf(model: ApiModel, operation: Operation): ContractType {
  return {
    name: contractNames(model).of(operation).input,
    type: operationInput(operation),
    comment: { prose: [`Input of ${operation.name}.`], tags: [`@generated from ${operation.origin}`] },
  };
}

/** Returns one item of an operation's input sequence; undefined when its body is not a sequence. */
export function inputItemOf(model: ApiModel, operation: Operation): ContractType | undefined {
  const types = inputItemTypes(operation);
  if (types.length === 0) return undefined;
  return {
    name: contractNames(model).of(operation).inputItem,
    type: unionOf(types, operation.source),
    comment: {
      prose: [`One item of the request body of ${operation.name}.`],
      tags: [`@generated from ${operation.origin}`],
    },
  };
}

/** Returns the response body of an operation, one item where it is a sequence; undefined when it has none. */
export function outputOf(model: ApiModel, operation: Operation): ContractType | undefined {
  if (!hasOutputBody(operation)) return undefined;
  return {
    name: contractNames(model).of(operation).output,
    type: unionOf(outputTypes(operation), operation.source),
    comment: { prose: [`Response of ${operation.name}.`], tags: [`@generated from ${operation.origin}`] },
  };
}

/** Returns the variables and the data of a GraphQL operation document. */
export function typesOfDocument(model: ApiModel, document: GraphqlDocument): readonly ContractType[] {
  const names = contractNames(model).ofDocument(document);
  const origin = document.source.file;
  return [
    {
      name: names.variables,
      type: parameterRecord(document.variables, document.source),
      comment: { prose: [`Variables of ${document.name}.`], tags: [`@generated from ${origin}`] },
    },
    { name: names.result, type: document.result, comment: declarationComment(document.documentation, origin) },
  ];
}

/**
 * Returns all types with validators and codecs. GraphQL objects are resolved field by field, so nothing on the wire has their complete
 * shape: there, the values that clients send and the selections of documents are validated.
 */
export function validatedTypes(model: ApiModel): readonly ContractType[] {
  const declared = declaredTypes(model).filter(({ name }) => !isResolved({ target: name }, model));
  return [
    ...declared,
    ...contractsOfOperations(model),
    ...model.documents.flatMap((document) => typesOfDocument(model, document)),
  ];
}

/** Returns the inputs of all operations, followed by their outputs. */
export function contractsOfOperations(model: ApiModel): readonly ContractType[] {
  const operations = allOperations(model);
  const inputs = operations.flatMap((operation) => [
    inputOf(model, operation),
    ...optional(inputItemOf(model, operation)),
  ]);
  if (model.protocol === "graphql") return inputs;
  return [...inputs, ...operations.flatMap((operation) => outputOf(model, operation) ?? [])];
}

/** Returns the declaration that a reference names. */
export function declarationNode(target: string, model: ApiModel): TypeNode {
  const declaration = declarationsByName(model).get(target);
  if (declaration === undefined) throw new Error(`The model declares no "${target}"`);
  return declaration.type;
}

const declarationsOfModels = new WeakMap<ApiModel, ReadonlyMap<string, TypeDeclaration>>();

function declarationsByName(model: ApiModel): ReadonlyMap<string, TypeDeclaration> {
  const known = declarationsOfModels.get(model);
  if (known !== undefined) return known;
  const found = new Map(model.declarations.map((declaration) => [declaration.name, declaration]));
  declarationsOfModels.set(model, found);
  return found;
}

/** Returns whether a declaration is a GraphQL object, an interface, or a union of these; a union of one may be replaced by its member. */
function isResolved({ target }: { readonly target: string }, model: ApiModel): boolean {
  const declaration = declarationsByName(model).get(target);
  if (declaration === undefined) return false;
  if (declaration.role === "object" || declaration.role === "interface") return true;
  const { type } = declaration;
  const members = type.kind === "union" ? type.members : [type];
  return (
    model.protocol === "graphql" && members.some((member) => member.kind === "reference" && isResolved(member, model))
  );
}

function optional<Value>(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}

function unionOf(types: readonly TypeNode[], source: TypeNode["source"]): TypeNode {
  const [first, ...others] = types;
  return first !== undefined && others.length === 0 ? first : { kind: "union", mode: "any-of", members: types, source };
}
