import {
  type ApiModel,
  type ArtefactEmitter,
  camelCase,
  createNameAllocator,
  type PiecedFile,
} from "@nodewright/model";
import {
  type Code,
  createSourceFile,
  dataLiteral,
  declarationComment,
  importType,
  lines,
  listLiteral,
  lowerFirst,
  objectLiteral,
  type SourceFile,
  stringLiteral,
  templateText,
  updateByPieces,
} from "@nodewright/output";
import type { ConformanceSuite } from "@nodewright/conformance/suite";
import { type SharedParts, sharedParts } from "./shared-parts.ts";
import { pointerPlaces } from "./suite/places.ts";
import { createSuite } from "./suite/create-suite.ts";

const runnerModule = "@nodewright/conformance";
const schemaConstant = "schemaText";

/** Emits the conformance suite of an API, which is all data, for the runner of `@nodewright/conformance`. */
export const emitConformance: ArtefactEmitter = {
  name: "conformance",
  emit: ({ model }) => ({ files: [suiteFile(model)] }),
  update: (change) => updateByPieces(change, (model) => [suiteFile(model)]),
};

/** A part of the suite that is a separate constant. */
interface SuitePart {
  /** Key of the file's piece: the name of an operation, or that of a type or part after its kind. */
  readonly piece: string;
  readonly constant: string;
  /** Name of a type of the runner. */
  readonly type: string;
  readonly origin: string;
  readonly value: Code;
}

function suiteFile(model: ApiModel): PiecedFile {
  const suite = createSuite(model, pointerPlaces(model.document));
  const name = `${camelCase(model.name)}Suite`;
  const names = createNameAllocator([name, schemaConstant]);
  const types = typeParts(suite, (wanted) => names.allocate(wanted));
  const shared = sharedParts(suite, (wanted) => names.allocate(wanted));
  const members = memberParts(suite, shared, (wanted) => names.allocate(wanted));
  const parts = [...types, ...sharedConstants(shared), ...members];
  const file = createSourceFile({
    path: "conformance.ts",
    document: model.document,
    declares: [name, schemaConstant, ...parts.map(({ constant }) => constant)],
  });
  if (suite.protocol === "graphql") addSchema(file, suite.schema);
  for (const part of parts) addPart(file, part);
  addSuite(file, name, suite, {
    types: objectLiteral(Object.keys(suite.types).map((type, index) => [type, types[index]?.constant ?? ""])),
    members: listLiteral(members.map(({ constant }) => constant)),
  });
  return file.print();
}

type Allocate = (wanted: string) => string;

function typeParts({ types }: ConformanceSuite, allocate: Allocate): readonly SuitePart[] {
  return Object.entries(types).map(([name, type]) => ({
    piece: `type ${name}`,
    constant: allocate(`${lowerFirst(name)}Type`),
    type: "SuiteType",
    origin: type.place ?? name,
    value: dataLiteral(type),
  }));
}

function sharedConstants({ parts }: SharedParts): readonly SuitePart[] {
  return parts.map(({ constant, type, place, value }) => ({
    piece: `part ${constant}`,
    constant,
    type,
    origin: place,
    value: dataLiteral(value),
  }));
}

function memberParts(suite: ConformanceSuite, { constants }: SharedParts, allocate: Allocate): readonly SuitePart[] {
  if (suite.protocol === "graphql") {
    return suite.documents.map((document) => ({
      piece: document.name,
      constant: allocate(`${document.name}Document`),
      type: "SuiteGraphqlDocument",
      origin: `${document.root} ${document.name}`,
      value: dataLiteral(document),
    }));
  }
  const type = suite.protocol === "http" ? "SuiteHttpOperation" : "SuiteRpcMethod";
  return suite.operations.map((operation) => ({
    piece: operation.name,
    constant: allocate(`${operation.name}Operation`),
    type,
    origin: operation.origin,
    value: dataLiteral(operation, constants),
  }));
}

function addPart(file: SourceFile, { piece, constant, type, origin, value }: SuitePart): void {
  file.add(
    {
      kind: "constant",
      name: constant,
      isExported: false,
      comment: declarationComment(undefined, origin),
      type: file.use(importType(runnerModule, type)),
      value,
    },
    piece,
  );
}

/** Adds the schema line by line, like its file: locations in it are those of the file. */
function addSchema(file: SourceFile, text: string): void {
  file.add({
    kind: "constant",
    name: schemaConstant,
    isExported: false,
    comment: { prose: ["The schema, as written in its document."], tags: [] },
    type: "string",
    value: ["`", lines(text.split("\n").map(templateText)), "`"],
  });
}

interface SuiteParts {
  readonly types: Code;
  /** Operations or documents. */
  readonly members: Code;
}

function addSuite(file: SourceFile, name: string, suite: ConformanceSuite, { types, members }: SuiteParts): void {
  file.add({
    kind: "constant",
    name,
    isExported: true,
    comment: declarationComment({ summary: `Conformance suite of ${suite.title}.` }, suite.source),
    type: file.use(importType(runnerModule, "ConformanceSuite")),
    value: objectLiteral([
      ["format", String(suite.format)],
      ["protocol", stringLiteral(suite.protocol)],
      ["name", stringLiteral(suite.name)],
      ["title", stringLiteral(suite.title)],
      ["version", stringLiteral(suite.version)],
      ["source", stringLiteral(suite.source)],
      ["security", dataLiteral(suite.security)],
      ...(suite.protocol === "rpc" ? [["envelope", stringLiteral(suite.envelope)] as const] : []),
      ...(suite.protocol === "graphql"
        ? [["schema", schemaConstant] as const, ["scalars", dataLiteral(suite.scalars)] as const]
        : []),
      ["types", types],
      [suite.protocol === "graphql" ? "documents" : "operations", members],
    ]),
  });
}
