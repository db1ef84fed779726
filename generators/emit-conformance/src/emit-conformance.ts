import {
  type ApiModel,
  camelCase,
  createNameAllocator,
  type ArtefactEmitter,
  type ArtefactResult,
  type Failure,
  type GraphqlDocument,
  type JsonValue,
  type Operation,
  type ResponseHeader,
  resolveType,
  type SecurityScheme,
} from "@nodewright/model";
import {
  type Code,
  type ConstantDeclaration,
  createSourceFile,
  declarationComment,
  importType,
  importValue,
  jsonLiteral,
  listLiteral,
  objectLiteral,
  predicateName,
  type SourceFile,
  stringLiteral,
  updateByPieces,
  violationsName,
} from "@nodewright/output";
import { type Case, changesSomething, documentCases, operationCases, unprovokedFailures } from "./cases.ts";

const runnerModule = "@nodewright/conformance";

/** Emits the conformance suite of an API: every case as data, for the runner of `@nodewright/conformance`. */
export const emitConformance: ArtefactEmitter = {
  name: "conformance",
  emit: ({ model }) => suiteOf(model),
  update(change) {
    const settled = change.settled as SettledContents | undefined;
    const updated = updateByPieces(change, (model) => suiteOf(model, settled).files);
    return "doubt" in updated || settled === undefined ? updated : { ...updated, settled };
  },
};

/** Names of the constants of bodies that failures share, by what they are known by. */
type SettledContents = Readonly<Record<string, string>>;

/** `settled`: where the model is a part of a document, the names of the whole one. */
function suiteOf(model: ApiModel, settled: SettledContents = {}): ArtefactResult {
  const name = `${camelCase(model.name)}Suite`;
  const names = createNameAllocator([name, "operations", "documents"]);
  const contents = failureContents(model, (key) => settled[key] ?? names.allocate("failureContents"));
  const members = suiteMembers(model, contents).map((member) => ({
    ...member,
    constant: names.allocate(`${member.name}Cases`),
  }));
  const file = createSourceFile({
    path: "conformance.ts",
    document: model.document,
    declares: [name, ...contents.map(({ constant }) => constant), ...members.map(({ constant }) => constant)],
  });
  for (const content of contents) addFailureContents(file, content, model);
  for (const { constant, add } of members) add(file, constant);
  addSuite(
    file,
    name,
    model,
    members.map(({ constant }) => constant),
  );
  return {
    files: [file.print()],
    settled: Object.fromEntries(contents.map(({ key, constant }) => [key, constant])),
  };
}

/** An operation or GraphQL document of the suite: a constant of its own. */
interface SuiteMember {
  readonly name: string;
  add(file: SourceFile, constant: string): void;
}

/** A list of bodies, under the name of its constant. */
interface FailureContents {
  readonly key: string;
  readonly constant: string;
  readonly contents: Failure["contents"];
}

interface Surroundings {
  readonly model: ApiModel;
  /** Names of constants by key. */
  readonly contents: ReadonlyMap<string, string>;
}

type Member = readonly [name: string, value: Code];

function suiteMembers(model: ApiModel, lists: readonly FailureContents[]): readonly SuiteMember[] {
  const contents = new Map(lists.map(({ key, constant }) => [key, constant]));
  if (model.protocol === "graphql") {
    // The answers of a subscription are no single one that a case could be held against.
    return model.documents
      .filter(({ root }) => root !== "subscription")
      .map((document) => ({
        name: document.name,
        add: (file, constant) => addDocument(file, constant, document, model),
      }));
  }
  return model.operations.map((operation) => ({
    name: operation.name,
    add: (file, constant) => addOperation(file, constant, operation, { model, contents }),
  }));
}

function addOperation(
  file: SourceFile,
  constant: string,
  operation: Operation,
  { model, contents }: Surroundings,
): void {
  const isHttp = operation.binding.kind === "http";
  const cases = operationCases(operation, model);
  const http: readonly Member[] = isHttp
    ? [
        ["headers", headerChecks(operation, model)],
        ["failures", listLiteral(operation.failures.map((failure) => failureCheck(failure, contents)))],
      ]
    : [];
  const operations = file.use(importValue("./operations.ts", "operations"));
  addConstant(file, {
    operation: operation.name,
    constant,
    type: file.use(importType(runnerModule, isHttp ? "HttpOperationSuite" : "RpcOperationSuite")),
    origin: operation.origin,
    members: [
      ["operation", `${operations}.${operation.name}`],
      ...http,
      ["writes", String(changesSomething(operation))],
      ["unprovoked", jsonLiteral(unprovokedFailures(operation, cases))],
      ["cases", casesLiteral(cases)],
    ],
  });
}

function addDocument(file: SourceFile, constant: string, document: GraphqlDocument, model: ApiModel): void {
  const documents = file.use(importValue("./operations.ts", "documents"));
  addConstant(file, {
    operation: document.name,
    constant,
    type: file.use(importType(runnerModule, "GraphqlDocumentSuite")),
    origin: `${document.root} ${document.name}`,
    members: [
      ["document", `${documents}.${document.name}`],
      ["rootFields", jsonLiteral(document.rootFields)],
      ["writes", String(document.root === "mutation")],
      ["unprovoked", "[]"],
      ["cases", casesLiteral(documentCases(document, model))],
    ],
  });
}

interface ConstantParts {
  readonly operation: string;
  readonly constant: string;
  readonly type: string;
  readonly origin: string;
  readonly members: readonly Member[];
}

function addConstant(file: SourceFile, { operation, constant, type, origin, members }: ConstantParts): void {
  const declaration: ConstantDeclaration = {
    kind: "constant",
    name: constant,
    isExported: false,
    comment: declarationComment(undefined, origin),
    type,
    value: objectLiteral(members),
  };
  file.add(declaration, operation);
}

function addSuite(file: SourceFile, name: string, model: ApiModel, constants: readonly string[]): void {
  const list = listLiteral(constants);
  file.add({
    kind: "constant",
    name,
    isExported: true,
    comment: declarationComment({ summary: `Every conformance case of ${model.title}.` }, model.document),
    type: file.use(importType(runnerModule, "ConformanceSuite")),
    value: objectLiteral([
      ["name", stringLiteral(model.name)],
      ["title", stringLiteral(model.title)],
      ["version", stringLiteral(model.version)],
      ["source", stringLiteral(model.document)],
      ...keyPlacement(model.security),
      ["protocol", stringLiteral(model.protocol)],
      ...(model.protocol === "rpc" ? [["envelope", stringLiteral(model.envelope?.members ?? "one")] as const] : []),
      ...(model.protocol === "graphql" ? [["uncovered", jsonLiteral(uncoveredFields(model))] as const] : []),
      [model.protocol === "graphql" ? "documents" : "operations", list],
    ]),
  });
}

/** The first API key that the document declares. */
function keyPlacement(schemes: readonly SecurityScheme[]): readonly Member[] {
  const scheme = schemes.find(({ kind }) => kind === "api-key");
  return scheme === undefined ? [] : [["key", jsonLiteral({ location: scheme.location, parameter: scheme.parameter })]];
}

/** Root fields that no operation document selects. */
function uncoveredFields({ operations, documents }: ApiModel): readonly string[] {
  const covered = new Set(documents.flatMap(({ root, rootFields }) => rootFields.map((field) => `${root} ${field}`)));
  return operations.flatMap(({ binding }) =>
    binding.kind === "graphql" && binding.root !== "subscription" && !covered.has(`${binding.root} ${binding.field}`)
      ? [binding.field]
      : [],
  );
}

function headerChecks(operation: Operation, model: ApiModel): Code {
  return jsonLiteral(
    operation.successes.map(({ status, headers }) => ({
      status,
      checks: headers.map((header) => headerCheck(header, model)),
    })),
  );
}

function headerCheck({ name, required, type }: ResponseHeader, model: ApiModel): JsonValue {
  const resolved = resolveType(type, model);
  return {
    name: name.toLowerCase(),
    required,
    ...(resolved.kind === "enumeration" ? { values: resolved.values.map(String) } : {}),
    ...(resolved.kind === "string" && resolved.pattern !== undefined ? { pattern: resolved.pattern } : {}),
  };
}

function failureCheck(failure: Failure, contents: Surroundings["contents"]): Code {
  const { name, status, rpcCode } = failure;
  const constant = contents.get(contentsKey(failure));
  return objectLiteral([
    ["name", stringLiteral(name)],
    ...(status === undefined ? [] : [["status", jsonLiteral(status)] as const]),
    ...(rpcCode === undefined ? [] : [["rpcCode", jsonLiteral(rpcCode)] as const]),
    ["contents", constant ?? "[]"],
  ]);
}

/** The bodies that failures have: most operations of an API share one list of them. */
function failureContents(model: ApiModel, nameOf: (key: string) => string): readonly FailureContents[] {
  const failures = model.protocol === "http" ? model.operations.flatMap((operation) => operation.failures) : [];
  const distinct = new Map(failures.map((failure) => [contentsKey(failure), failure]));
  return [...distinct]
    .filter(([, { contents }]) => contents.length > 0)
    .map(([key, { contents }]) => ({ key, contents, constant: nameOf(key) }));
}

/** The same for failures whose bodies are told apart by nothing that is checked. */
function contentsKey({ contents }: Failure): string {
  return JSON.stringify(
    contents.map(({ mediaType, form, type }) => [mediaType, form, type.kind === "reference" ? type.target : null]),
  );
}

function addFailureContents(file: SourceFile, { constant, contents }: FailureContents, model: ApiModel): void {
  const check = file.use(importType(runnerModule, "FailureCheck"));
  file.add({
    kind: "constant",
    name: constant,
    isExported: false,
    comment: { prose: ["Bodies that a failure may have."], tags: [`@generated from ${model.document}`] },
    type: `${check}["contents"]`,
    value: listLiteral(
      contents.map(({ mediaType, form, type }) =>
        objectLiteral([
          ["mediaType", stringLiteral(mediaType)],
          ["form", stringLiteral(form)],
          ...(type.kind === "reference" ? [["value", typeCheck(file, type.target)] as const] : []),
        ]),
      ),
    ),
  });
}

/** The validators of a declaration. */
function typeCheck(file: SourceFile, target: string): Code {
  return objectLiteral([
    ["is", file.use(importValue("./validators.ts", predicateName(target)))],
    ["violationsOf", file.use(importValue("./validators.ts", violationsName(target)))],
  ]);
}

function casesLiteral(cases: readonly Case[]): Code {
  return listLiteral(
    cases.map(({ name, group, input, params, expect }) =>
      jsonLiteral({ name, group, input, ...(params === undefined ? {} : { params }), expect }),
    ),
  );
}
