import type { GraphqlDocument, PageDeclaration, RecordMember, TypeNode } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isScalarType,
  isSpecifiedScalarType,
  type OperationDefinitionNode,
  typeFromAST,
} from "graphql";
import { type CompanionOptions, itemsByOperation, type OperationFile } from "./companion-file.ts";

export interface PageRangeOptions extends CompanionOptions {
  readonly schema: GraphQLSchema;
}

/** An operation, as read and as written in its document. */
export interface ReadOperation {
  readonly document: GraphqlDocument;
  readonly definition: OperationDefinitionNode;
  /** Name as written in the document. */
  readonly name: string;
}

/** Default length of a page: the number of integers in its range. */
const usualLength = 1000;

const knownMembers: ReadonlySet<string> = new Set(["operation", "from", "to", "items", "length", "end"]);

/**
 * Reads which operations are paged: those of `logs.graphql` are listed in `logs.pages.yaml`, a list of `{ operation?, from, to, items,
 * length?, end? }`.
 */
export function withPageRanges(
  options: PageRangeOptions,
  files: readonly OperationFile[],
  operations: readonly ReadOperation[],
): readonly ReadOperation[] {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const items = itemsByOperation(options, files, {
    ending: ".pages.yaml",
    noList: "not-a-range",
    unclaimed: "unclaimed-pages",
  });
  return operations.map((operation) => {
    const given = items.get(operation.name) ?? [];
    for (const { source } of given.slice(1)) options.report("duplicate-pages", source, { operation: operation.name });
    const [pages] = given.map((item) => readPageRange(options, item, operation, byName));
    return pages === undefined ? operation : { ...operation, document: { ...operation.document, pages } };
  });
}

function readPageRange(
  options: PageRangeOptions,
  item: SourceValue,
  operation: ReadOperation,
  operations: ReadonlyMap<string, ReadOperation>,
): PageDeclaration | undefined {
  const { report } = options;
  const [from, to, items] = ["from", "to", "items"].map((name) => pathOf(item.member(name)));
  const strange = item.members.find(([name]) => !knownMembers.has(name));
  if (from === undefined || to === undefined || items === undefined || strange !== undefined) {
    const noPath = ["from", "to", "items"].map((name) => item.member(name)).find((each) => each && !pathOf(each));
    report("not-a-range", strange === undefined ? (noPath ?? item).source : item.keySource(strange[0]), {});
    return undefined;
  }
  if (operation.definition.operation !== "query") {
    report("pages-of-no-query", item.source, { operation: operation.name, root: operation.definition.operation });
    return undefined;
  }
  const length = readLength(report, item);
  const end = readEnd(report, item, operations);
  const areVariables = [from, to].map((path) => checkVariable(options, operation, path));
  const isList = checkItems(report, operation, items);
  if (length === undefined || end === "wrong" || !areVariables.every(Boolean) || !isList) return undefined;
  return { from: from.names, to: to.names, items: items.names, length, ...(end === undefined ? {} : { end }) };
}

interface Path {
  readonly at: SourceValue;
  readonly names: readonly string[];
}

const pathText = /^[_A-Za-z][_0-9A-Za-z]*(?:\.[_A-Za-z][_0-9A-Za-z]*)*$/;

function pathOf(member: SourceValue | undefined): Path | undefined {
  const text = member?.string;
  if (member === undefined || text === undefined || !pathText.test(text)) return undefined;
  return { at: member, names: text.split(".") };
}

function readLength(report: PageRangeOptions["report"], item: SourceValue): number | undefined {
  const given = item.member("length");
  if (given === undefined) return usualLength;
  const { number } = given;
  if (number !== undefined && Number.isSafeInteger(number) && number >= 1) return number;
  report("wrong-page-length", given.source, {});
  return undefined;
}

/** Reads an operation and a path in its response, such as `LatestBlock.block.number`. */
function readEnd(
  report: PageRangeOptions["report"],
  item: SourceValue,
  operations: ReadonlyMap<string, ReadOperation>,
): PageDeclaration["end"] | "wrong" {
  const given = item.member("end");
  if (given === undefined) return undefined;
  const [name = "", ...path] = pathOf(given)?.names ?? [];
  const operation = operations.get(name);
  const isAskable =
    operation?.definition.operation === "query" && !operation.document.variables.some(({ required }) => required);
  const found = operation && nodeAt(operation.document.result, path);
  if (!isAskable || operation === undefined || path.length === 0 || !isLeaf(found)) {
    report("unknown-range-end", given.source, {});
    return "wrong";
  }
  return { document: operation.document.name, path };
}

/** Returns whether a path leads to a variable, or to a member of one, that may be an integer. */
function checkVariable({ schema, report }: PageRangeOptions, operation: ReadOperation, path: Path): boolean {
  const [name = "", ...members] = path.names;
  const variable = operation.definition.variableDefinitions?.find((each) => each.variable.name.value === name);
  let type = variable && (typeFromAST(schema, variable.type as never) as GraphQLInputType | undefined);
  for (const member of members) {
    const object = type && getNullableType(type);
    type = isInputObjectType(object) ? object.getFields()[member]?.type : undefined;
  }
  const facts = { operation: operation.name, path: path.names.join(".") };
  if (type === undefined) {
    report("unknown-range-variable", path.at.source, facts);
    return false;
  }
  const scalar = getNullableType(type);
  if (isScalarType(scalar) && (scalar.name === "Int" || !isSpecifiedScalarType(scalar))) return true;
  report("no-integer-variable", path.at.source, { ...facts, type: String(type) });
  return false;
}

function checkItems(report: PageRangeOptions["report"], { document, name }: ReadOperation, path: Path): boolean {
  if (nodeAt(document.result, path.names)?.kind === "list") return true;
  report("unknown-range-items", path.at.source, { operation: name, path: path.names.join(".") });
  return false;
}

/** Returns the type at a path of response names, ignoring null in unions. */
function nodeAt(result: TypeNode, path: readonly string[]): TypeNode | undefined {
  let node: TypeNode | undefined = present(result);
  for (const name of path) {
    const fields: readonly RecordMember[] = node?.kind === "record" ? node.members : [];
    const type = fields.find((each) => each.name === name)?.type;
    node = type && present(type);
  }
  return node;
}

function present(type: TypeNode): TypeNode {
  if (type.kind !== "union") return type;
  const [only, ...others] = type.members.filter(({ kind }) => kind !== "null");
  return only === undefined || others.length > 0 ? type : only;
}

/** Returns whether a type may be an integer or a string. Custom scalars are references in the model and count as such. */
function isLeaf(node: TypeNode | undefined): boolean {
  return node?.kind === "reference" || node?.kind === "number" || node?.kind === "string";
}
