import { upperFirst } from "@nodewright/output";
import {
  type ApiModel,
  createNameAllocator,
  type GraphqlDocument,
  type NameAllocator,
  type Operation,
} from "@nodewright/model";

/** Names of the generated types of one operation. */
export interface OperationTypeNames {
  /** Such as `GetTransactionInput`. */
  readonly input: string;
  /** Such as `GetTransactionOutput`. */
  readonly output: string;
  /** Such as `GetTransactionReply`; only for operations with a reply envelope. */
  readonly reply: string;
  /** Such as `GetTransactionFailure`; only for HTTP operations with failures. */
  readonly failure: string;
  /** Such as `UploadLinesInputItem`; only for operations whose request body is a sequence. */
  readonly inputItem: string;
}

/** Names of the generated types of a GraphQL operation document. */
export interface DocumentTypeNames {
  /** Common prefix of both: `LatestBlock`. */
  readonly stem: string;
  /** Such as `LatestBlockQuery`. */
  readonly result: string;
  /** Such as `LatestBlockQueryVariables`. */
  readonly variables: string;
}

/**
 * Names of the types of one model in generated code, the same in every file.
 *
 * Declarations keep their names. Where the name of a declaration equals one for an operation or a document, the operation's names get a
 * number: `GetBlock2Input`, `GetBlock2Output`, `GetBlock2Reply`.
 */
export interface ContractNames {
  of(operation: Operation): OperationTypeNames;
  ofDocument(document: GraphqlDocument): DocumentTypeNames;
  /** Returns `BlockTransactionsArguments` for a GraphQL field that takes arguments. */
  ofArguments(typeName: string, fieldName: string): string;
}

const namesOfModels = new WeakMap<ApiModel, ContractNames>();

/** Returns the names of the types of a model. */
export function contractNames(model: ApiModel): ContractNames {
  const known = namesOfModels.get(model);
  if (known !== undefined) return known;
  const names = createContractNames(model);
  namesOfModels.set(model, names);
  return names;
}

/** Returns `isBlock` for the type `Block`. */
export function predicateName(typeName: string): string {
  return `is${typeName}`;
}

/** Returns `violationsOfBlock` for the type `Block`. */
export function violationsName(typeName: string): string {
  return `violationsOf${typeName}`;
}

/** Returns `decodeBlock` for the type `Block`. */
export function decoderName(typeName: string): string {
  return `decode${typeName}`;
}

/** Returns `encodeBlock` for the type `Block`. */
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
  // An operation that clients serve may have the same name as one that they call.
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

/** Allocates names with one stem and several suffixes; where one of them is taken, the stem of all gets a number. */
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
