import type { ApiModel, GraphqlDocument, Operation, PageDeclaration } from "@nodewright/model";
import {
  type Code,
  declarationComment,
  type DocComment,
  group,
  importType,
  importValue,
  indent,
  join,
  line,
  type PropertyCode,
  type SourceFile,
  softline,
  stringLiteral,
  type TypeCode,
  trailingComma,
  genericType,
  memberAccess,
} from "@nodewright/output";
import { negotiatedTypes, contractNames } from "@nodewright/emit-contract/names";

const runtimeModule = "@nodewright/runtime";

/** The members of a client for one operation or GraphQL document. */
export interface ClientMethod {
  /** `Operation.name`, or the name of the document. */
  readonly operation: string;
  /** Member of the client. */
  readonly name: string;
  /** Expression of its facts: `calls.getTransaction`. */
  readonly facts: string;
  readonly input: string;
  /** Name of the output type, not imported yet: where media types are negotiated, the type of the call replaces it. */
  readonly output: string;
  readonly isInputOptional: boolean;
  /** Whether it is a subscription, with responses until the caller ends it. */
  readonly isSubscription?: boolean;
  readonly comment: DocComment;
  /** Type of the runtime for the result of a call, if that depends on its input or options. */
  readonly callType?: TypeCode;
  /** Present for an operation over a range that has pages. */
  readonly rangePages?: RangePagesMethod;
}

interface RangePagesMethod {
  readonly type: TypeCode;
  /** Facts of the operation that returns the end of an open range. */
  readonly end: string | undefined;
}

/** Returns whether the responses of an operation are paged: its document links to the next one. */
export function isPaged({ links }: Operation): boolean {
  return links.some(({ name, status }) => name === "next" && status === undefined);
}

/** Returns the methods of a client, by position of the operation or document. Names are allocated in document order. */
export function clientMethods(
  model: ApiModel,
  allocate: (name: string) => string,
  file: SourceFile,
): readonly ClientMethod[] {
  if (model.protocol === "graphql") return documentMethods(model, allocate, file);
  return model.operations.map((operation) => {
    const { input, output, reply } = contractNames(model).of(operation);
    const isInputOptional = !needsInput(operation);
    const types = { input: typeOf(input, file), output };
    const callType = specialCall(operation, { ...types, reply, isInputOptional }, file);
    return {
      operation: operation.name,
      name: allocate(operation.name),
      facts: memberAccess(file.use(importValue("./calls.ts", "calls")), operation.name),
      ...types,
      isInputOptional,
      comment: declarationComment(operation.documentation, operation.origin),
      ...(callType === undefined ? {} : { callType }),
    };
  });
}

/** Returns the member of the client's interface. `wanted` is the wrapper of the output, unless it always has another one. */
export function methodProperty(
  method: ClientMethod,
  wanted: "Promise" | "AsyncIterable",
  file: SourceFile,
): PropertyCode {
  const result = method.isSubscription === true ? file.use(importType(runtimeModule, "GraphqlSubscription")) : wanted;
  const { operation, name, comment, callType } = method;
  if (callType !== undefined && result === "Promise") return { operation, name, type: callType, comment };
  const parameters = [
    `input${method.isInputOptional ? "?" : ""}: ${method.input}`,
    `options?: ${file.use(importType(runtimeModule, "CallOptions"))}`,
  ];
  return { operation, name, type: functionType(parameters, `${result}<${typeOf(method.output, file)}>`), comment };
}

function documentMethods(
  model: ApiModel,
  allocate: (name: string) => string,
  file: SourceFile,
): readonly ClientMethod[] {
  return model.documents.map((document) => {
    const { variables, result } = contractNames(model).ofDocument(document);
    return {
      operation: document.name,
      name: allocate(document.name),
      facts: memberAccess(file.use(importValue("./operations.ts", "documents")), document.name),
      input: typeOf(variables, file),
      output: result,
      isInputOptional: !document.variables.some(({ required }) => required),
      isSubscription: document.root === "subscription",
      comment: declarationComment(document.documentation, document.name),
      ...(document.pages === undefined ? {} : { rangePages: rangePagesMethod(model, document, document.pages, file) }),
    };
  });
}

function rangePagesMethod(
  model: ApiModel,
  document: GraphqlDocument,
  { items, end }: PageDeclaration,
  file: SourceFile,
): RangePagesMethod {
  const { variables, result } = contractNames(model).ofDocument(document);
  const path = stringLiteral(items.join("."));
  const call = file.use(importType(runtimeModule, "RangePagesCall"));
  return {
    type: genericType(call, [typeOf(variables, file), typeOf(result, file), path]),
    end: end && memberAccess(file.use(importValue("./operations.ts", "documents")), end.document),
  };
}

function typeOf(name: string, file: SourceFile): string {
  return file.use(importType("./types.ts", name));
}

function needsInput({ parameters, body }: Operation): boolean {
  return parameters.some(({ required }) => required) || body?.required === true;
}

interface CallNames {
  readonly input: string;
  /** Name of the output type, not imported yet. */
  readonly output: string;
  readonly reply: string;
  readonly isInputOptional: boolean;
}

/** Returns the types of calls whose response depends on the input's `accept`, or on whether bytes are requested in chunks. */
function specialCall(
  operation: Operation,
  { input, output, reply, isInputOptional }: CallNames,
  file: SourceFile,
): TypeCode | undefined {
  const [usual, ...others] = negotiatedTypes(operation);
  const prefix = isInputOptional ? "Optional" : "";
  const special = (name: string, parameters: readonly string[]): TypeCode =>
    genericType(file.use(importType(runtimeModule, `${prefix}${name}`)), parameters);
  if (usual !== undefined && others.length > 0) {
    return special("NegotiatedCall", [input, typeOf(reply, file), stringLiteral(usual)]);
  }
  const contents = operation.successes.flatMap(({ content }) => content ?? []);
  const isBytes = contents.length > 0 && contents.every(({ form }) => form === "binary");
  return isBytes ? special("BytesCall", [input, typeOf(output, file)]) : undefined;
}

/** Returns `(first: A, second: B) => Result`, one parameter on each line where they do not fit. */
function functionType(parameters: readonly Code[], result: Code): TypeCode {
  const list = indent(softline, join([",", line], parameters), trailingComma);
  return { code: [group("(", list, softline, ")"), " => ", result], form: "keyword" };
}
