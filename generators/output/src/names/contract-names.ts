import {
  type ApiModel,
  createNameAllocator,
  type GraphqlDocument,
  type NameAllocator,
  type Operation,
} from "@nodewright/model";
import { upperFirst } from "./identifiers.ts";

/** The names that one operation gives to generated types. */
export interface OperationTypeNames {
  /** `GetTransactionInput`. */
  readonly input: string;
  /** `GetTransactionOutput`. */
  readonly output: string;
  /** `GetTransactionReply`; only operations with a reply envelope have it. */
  readonly reply: string;
  /** `GetTransactionFailure`; only operations of HTTP with failures have it. */
  readonly failure: string;
  /** `UploadLinesInputItem`; only operations whose request body is a sequence have it. */
  readonly inputItem: string;
}

/** The names that a GraphQL operation document gives to generated types. */
export interface DocumentTypeNames {
  /** What both begin with: `LatestBlock`. */
  readonly stem: string;
  /** `LatestBlockQuery`. */
  readonly result: string;
  /** `LatestBlockQueryVariables`. */
  readonly variables: string;
}

/**
 * How generated code names the types of one model, the same in every file.
 *
 * Declarations keep their names. Where a declaration has a name that an operation or a document would
 * give, the operation's names get a number: `GetBlock2Input`, `GetBlock2Output`, `GetBlock2Reply`.
 */
export interface ContractNames {
  of(operation: Operation): OperationTypeNames;
  ofDocument(document: GraphqlDocument): DocumentTypeNames;
  /** `BlockTransactionsArguments` for a GraphQL field that takes arguments. */
  ofArguments(typeName: string, fieldName: string): string;
}

const namesOfModels = new WeakMap<ApiModel, ContractNames>();

/** Names the types of a model. */
export function contractNames(model: ApiModel): ContractNames {
  const known = namesOfModels.get(model);
  if (known !== undefined) return known;
  const names = createContractNames(model);
  namesOfModels.set(model, names);
  return names;
}

/** `isBlock` for the type `Block`. */
export function predicateName(typeName: string): string {
  return `is${typeName}`;
}

/** `violationsOfBlock` for the type `Block`. */
export function violationsName(typeName: string): string {
  return `violationsOf${typeName}`;
}

/** `decodeBlock` for the type `Block`. */
export function decoderName(typeName: string): string {
  return `decode${typeName}`;
}

/** `encodeBlock` for the type `Block`. */
export function encoderName(typeName: string): string {
  return `encode${typeName}`;
}

function createContractNames(model: ApiModel): ContractNames {
  const allocator = createNameAllocator(model.declarations.map((declaration) => declaration.name));
  const operations = new Map<string, OperationTypeNames>();
  const nameOperation = ({ name }: Operation, named: Map<string, OperationTypeNames>): void => {
    const allocated = allocateTogether(allocator, upperFirst(name), operationSuffixes);
    const [input = "", output = "", reply = "", failure = "", inputItem = ""] = allocated;
    named.set(name, { input, output, reply, failure, inputItem });
  };
  for (const operation of model.operations) nameOperation(operation, operations);
  // What callers serve may be called like what they ask for.
  const incoming = new Map<string, OperationTypeNames>();
  for (const operation of model.incoming ?? []) nameOperation(operation, incoming);
  const documents = new Map<string, DocumentTypeNames>();
  for (const { name, root } of model.documents) {
    const suffix = upperFirst(root);
    const suffixes = [suffix, `${suffix}Variables`];
    const [result = "", variables = ""] = allocateTogether(allocator, upperFirst(name), suffixes);
    documents.set(name, { stem: result.slice(0, -suffix.length), result, variables });
  }
  const argumentNames = new Map<string, string>();
  for (const declaration of model.declarations) {
    if (declaration.type.kind !== "record") continue;
    for (const field of declaration.type.members) {
      if (field.arguments === undefined || field.arguments.length === 0) continue;
      const wanted = `${declaration.name}${upperFirst(field.name)}Arguments`;
      argumentNames.set(`${declaration.name}.${field.name}`, allocator.allocate(wanted));
    }
  }
  return {
    of: (operation) => found(("trigger" in operation ? incoming : operations).get(operation.name), operation.name),
    ofDocument: (document) => found(documents.get(document.name), document.name),
    ofArguments: (typeName, fieldName) =>
      found(argumentNames.get(`${typeName}.${fieldName}`), `${typeName}.${fieldName}`),
  };
}

const operationSuffixes = ["Input", "Output", "Reply", "Failure", "InputItem"];

/** Names with one stem and several endings; where one of them is taken, the stem of all gets a number. */
function allocateTogether(allocator: NameAllocator, stem: string, suffixes: readonly string[]): readonly string[] {
  for (let count = 1; ; count += 1) {
    const wanted = suffixes.map((suffix) => `${stem}${count === 1 ? "" : count}${suffix}`);
    const allocated = wanted.map((name) => allocator.allocate(name));
    if (allocated.every((name, index) => name === wanted[index])) return allocated;
  }
}

function found<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The model has no "${name}"`);
  return value;
}
