// OpenAPI 3.1, sections 4.8.8 (Paths Object) to 4.8.10 (Operation Object).
import {
  camelCase,
  checkMarks,
  type Documentation,
  type HttpBinding,
  kebabCase,
  type Link,
  type JsonValue,
  marksFrom,
  type Operation,
  type Success,
} from "@nodewright/model";
import type { Located } from "@nodewright/source";
import { readRequestBody } from "./content-reader.ts";
import { pairExamples } from "./example-cases.ts";
import { readParameters } from "./parameter-reader.ts";
import type { Reading } from "./reading.ts";
import { type Answers, readAnswers } from "./response-reader.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** Every operation of the document, in document order. */
export function readOperations(reading: Reading, document: Located): readonly Operation[] {
  const paths = document.member("paths");
  const operations: Operation[] = [];
  const originById = new Map<string, string>();
  const originByShape = new Map<string, string>();
  for (const [path, item] of paths?.members ?? []) {
    if (path.startsWith("x-")) continue;
    const keySource = paths?.keySource(path) ?? item.source;
    if (!path.startsWith("/")) reading.report("path-without-slash", keySource, { path });
    const shape = path.replaceAll(/\{[^}]*\}/g, "{}");
    const firstUse = originByShape.get(shape);
    if (firstUse !== undefined) reading.report("duplicate-path", keySource, { path, firstUse });
    originByShape.set(shape, path);
    const pathItem = reading.documents.resolve(item);
    if (pathItem === undefined) continue;
    for (const [method, place] of pathItem.members) {
      const known = methods.find((candidate) => candidate === method);
      if (known !== undefined)
        operations.push(readOperation(reading, { path, pathItem, place, method: known, originById }));
    }
  }
  reportUnknownTargets(reading, operations);
  return operations;
}

interface OperationPlace {
  readonly path: string;
  readonly pathItem: Located;
  readonly place: Located;
  readonly method: (typeof methods)[number];
  readonly originById: Map<string, string>;
}

function readOperation(reading: Reading, { path, pathItem, place, method, originById }: OperationPlace): Operation {
  checkMarks(place, reading.sink);
  const binding: HttpBinding = { kind: "http", method: method.toUpperCase() as HttpBinding["method"], path };
  const origin = `${binding.method} ${path}`;
  const name = readName(reading, place, origin, originById);
  const parameters = readParameters(reading, pathItem, place, path);
  const body = readRequestBody(reading, place);
  const answers = readAnswers(reading, place);
  return {
    name,
    origin,
    binding,
    tags: reading.members.list(place, "tags").flatMap((tag) => tag.string ?? []),
    parameters: parameters.map(({ parameter }) => parameter),
    ...(body === undefined ? {} : { body: body.body }),
    successes: atLeastOne(reading, answers, origin, place),
    failures: answers.failures,
    examples: pairExamples(reading, { origin, parameters, body, answers }),
    links: answers.links.flatMap(([linkName, link]) => readLink(reading, linkName, link) ?? []),
    marks: marksFrom((mark) => place.member(mark)?.value),
    source: place.source,
    documentation: readDocumentation(reading, place),
  };
}

function readName(reading: Reading, place: Located, origin: string, originById: Map<string, string>): string {
  const operationId = reading.members.text(place, "operationId");
  const name = camelCase(operationId ?? kebabCase(origin));
  if (operationId === undefined) reading.report("missing-operation-id", place.source, { origin, name });
  const firstUse = originById.get(name);
  if (firstUse !== undefined) {
    reading.report("duplicate-operation-id", place.member("operationId")?.source ?? place.source, {
      operationId: operationId ?? name,
      firstUse,
    });
  }
  originById.set(name, origin);
  return name;
}

function atLeastOne(
  reading: Reading,
  answers: Answers,
  origin: string,
  place: Located,
): readonly [Success, ...Success[]] {
  const [first, ...others] = answers.successes;
  if (first !== undefined) return [first, ...others];
  reading.report("no-success", place.member("responses")?.source ?? place.source, { origin });
  return [{ status: 200, headers: [], description: "", source: place.source }];
}

function readDocumentation(reading: Reading, place: Located): Documentation {
  const summary = reading.members.text(place, "summary");
  const description = reading.members.text(place, "description");
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(place.member("deprecated")?.boolean === true ? { deprecated: true } : {}),
  };
}

/** Section 4.8.20: Link Object, by operationId. */
function readLink(reading: Reading, name: string, item: Located): Link | undefined {
  const place = reading.documents.resolve(item);
  const operationId = place?.member("operationId")?.string;
  if (place === undefined || operationId === undefined) return undefined;
  const inputs = Object.fromEntries(
    (place.member("parameters")?.members ?? []).map(([parameter, value]) => [
      camelCase(parameter.replace(/^(path|query|header)\./, "")),
      value.value as JsonValue,
    ]),
  );
  const description = reading.members.text(place, "description");
  return {
    name,
    operation: camelCase(operationId),
    inputs,
    source: item.source,
    ...(description === undefined ? {} : { description }),
  };
}

/** Reports links that lead to no operation, once all operations are known. */
function reportUnknownTargets(reading: Reading, operations: readonly Operation[]): void {
  const names = new Set(operations.map(({ name }) => name));
  for (const operation of operations) {
    for (const link of operation.links) {
      if (!names.has(link.operation)) {
        reading.report("unknown-link-target", link.source, {
          name: link.name,
          operationId: link.operation,
        });
      }
    }
  }
}
