// OpenRPC 1.3, section "Method Object".
import {
  camelCase,
  checkExtensions,
  createNameAllocator,
  distinctNames,
  type Example,
  type Failure,
  type JsonValue,
  extensionsFrom,
  readRelations,
  type Operation,
  pascalCase,
  type RpcBinding,
  type Success,
} from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { type MethodPlace, readExamplePairings, readProvocations } from "./example-reader.ts";
import { readContentType, readDocumentation, readParameters } from "./parameter-reader.ts";
import { readLink, resolveLinks } from "./link-reader.ts";
import type { Reading } from "./reading.ts";

const structures = ["by-position", "by-name", "either"] as const;

/** Reads every method of the document, in document order. */
export function readMethods(reading: Reading, document: SourceValue): readonly Operation[] {
  const firstPlaces = new Map<string, SourceValue>();
  const methods = reading.members.list(document, "methods").flatMap((item): readonly NamedMethod[] => {
    const place = reading.documents.resolve(item);
    const name = place && reading.members.requiredText(place, "A method", "name", "It is what callers send as method.");
    if (place === undefined || name === undefined) return [];
    const first = firstPlaces.get(name);
    if (first !== undefined) {
      reading.report("duplicate-method", place.memberSource("name"), {
        method: name,
        line: first.source.line,
      });
      // Read to report its errors, and left out.
      readMethod(reading, { place, name }, "");
      return [];
    }
    firstPlaces.set(name, place);
    return [{ place, name }];
  });
  const chosen = new Map(Object.entries(reading.readOptions.operations ?? {}));
  const wanted = methods.filter(({ name }) => chosen.get(name)?.skip !== true);
  const names = distinctNames(
    wanted.map(({ name }) => {
      const chosenName = chosen.get(name)?.name;
      return { original: name, wanted: chosenName ?? camelCase(name), isChosen: chosenName !== undefined };
    }),
  );
  const operations = wanted.map((method, index) => readMethod(reading, method, names[index] ?? method.name));
  return resolveLinks(reading, operations, firstPlaces);
}

interface NamedMethod {
  readonly place: SourceValue;
  /** Name as clients send it. */
  readonly name: string;
}

function readMethod(reading: Reading, { place, name: methodName }: NamedMethod, name: string): Operation {
  checkExtensions(place, reading.sink);
  const parameterStructure = readStructure(reading, place);
  const parameters = readParameters(reading, place, methodName, parameterStructure === "by-name");
  const method: MethodPlace = { name: methodName, place, parameters };
  const { failures, provocations } = readErrors(reading, method);
  const relations = readRelations(place.member("x-relations")?.items ?? [], reading.sink);
  return {
    name,
    origin: methodName,
    binding: { kind: "rpc", method: methodName, ...(parameterStructure === undefined ? {} : { parameterStructure }) },
    tags: reading.members
      .list(place, "tags")
      .flatMap((tag) => reading.documents.resolve(tag)?.member("name")?.string ?? []),
    parameters,
    successes: [readResult(reading, place, methodName)],
    failures,
    examples: [...readExamplePairings(reading, method), ...provocations],
    links: reading.members.list(place, "links").flatMap((link) => readLink(reading, link, methodName) ?? []),
    ...(relations.length === 0 ? {} : { relations }),
    extensions: extensionsFrom((name) => place.member(name)?.value),
    source: place.source,
    documentation: readDocumentation(reading, place),
  };
}

function readStructure(reading: Reading, place: SourceValue): RpcBinding["parameterStructure"] {
  const text = reading.members.text(place, "paramStructure");
  if (text === undefined) return undefined;
  const structure = structures.find((candidate) => candidate === text);
  if (structure === undefined)
    reading.report("unknown-structure", place.memberSource("paramStructure"), { structure: text });
  return structure;
}

/** Reads the result of a method. A method without a result is called as a notification only, and has no response. */
function readResult(reading: Reading, place: SourceValue, methodName: string): Success {
  const member = place.member("result");
  const { source } = place;
  if (member === undefined) return { status: 200, headers: [], description: "", source };
  const result = reading.documents.resolve(member);
  if (result === undefined) {
    const content = { mediaType: "application/json", form: "json", type: { kind: "any", source } } as const;
    return { status: 200, headers: [], description: "", source, content };
  }
  const description = reading.members.text(result, "description") ?? reading.members.text(result, "summary") ?? "";
  const type = readContentType(reading, result, `The result of ${methodName}`);
  return {
    status: 200,
    headers: [],
    description,
    source: result.source,
    content: { mediaType: "application/json", form: "json", type },
  };
}

function readErrors(
  reading: Reading,
  method: MethodPlace,
): { readonly failures: readonly Failure[]; readonly provocations: readonly Example[] } {
  const names = createNameAllocator();
  const provocations: Example[] = [];
  const failures = reading.members.list(method.place, "errors").flatMap((item) => {
    const error = reading.documents.resolve(item);
    const described = error && readError(reading, error);
    if (error === undefined || described === undefined) return [];
    const { code, message } = described;
    const failure: Failure = {
      name: names.allocate(pascalCase(message)),
      rpcCode: code,
      message,
      ...readData(error),
      contents: [],
      headers: [],
      source: error.source,
    };
    provocations.push(...readProvocations(reading, method, error, failure));
    return [failure];
  });
  return { failures, provocations };
}

/** Keywords of JSON Schema that distinguish a schema from a value that is sent. */
const schemaWords = [
  "$ref",
  "oneOf",
  "anyOf",
  "allOf",
  "properties",
  "items",
  "enum",
  "format",
  "description",
  "title",
];
const schemaTypes: ReadonlySet<unknown> = new Set(["object", "string", "integer", "number", "boolean", "array"]);

/** Returns the object that an error has as its data. Data that is a schema, or a description in words, is ignored. */
function readData(error: SourceValue): { readonly data?: JsonValue } {
  const data = error.member("data");
  if (data === undefined || data.typeName !== "object") return {};
  const isSchema = schemaTypes.has(data.member("type")?.string) || schemaWords.some((word) => data.has(word));
  return isSchema ? {} : { data: data.value as JsonValue };
}

/** Returns the code and the message of an error object. Reports an invalid code and returns undefined. */
export function readError(
  reading: Reading,
  error: SourceValue,
): { readonly code: number; readonly message: string } | undefined {
  checkExtensions(error, reading.sink);
  const code = error.member("code")?.number ?? Number.NaN;
  const message =
    reading.members.requiredText(error, "An error", "message", "It is a short description of the error.") ?? "";
  if (Number.isInteger(code)) return { code, message };
  reading.report("wrong-error-code", error.memberSource("code"), {});
  return undefined;
}
