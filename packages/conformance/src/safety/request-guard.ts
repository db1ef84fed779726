import { parseJson } from "../basics/parse-json.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { PlainRequest } from "../contract/exchange.ts";
import { findChangingWord } from "./method-name.ts";
import type { Safety } from "./safety.ts";
import { type DocumentNode, Kind, OperationTypeNode, parse } from "graphql";
import { isRecord } from "@nodewright/api-model";

/**
 * Function that checks each request immediately before it is sent, independent of the plan of its case: the last protection of a node in
 * production. Returns why a request may not be sent; `undefined` when it may.
 */
export type RequestGuard = (request: PlainRequest, operation: string) => string | undefined;

/** Safe methods (RFC 9110, section 9.2.1) that no gateway considers an attack. */
const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export function createRequestGuard(suite: ConformanceSuite, safety: Safety, allowWrites: boolean): RequestGuard {
  const names =
    suite.protocol === "rpc" ? new Map(suite.operations.map(({ method, name }) => [method, name])) : undefined;
  if (allowWrites) {
    return ({ body }, operation) => {
      const called = names === undefined ? [operation] : calledMethods(body).flatMap((one) => names.get(one) ?? []);
      const held = called.map((one) => safety.of(one)).find(({ isDeclaredUnsafe }) => isDeclaredUnsafe === true);
      return held?.reason;
    };
  }
  switch (suite.protocol) {
    case "http": {
      const methods = new Map(suite.operations.map(({ name, method }) => [name, method]));
      return ({ method }, operation) => refusalOfMethod(method, operation, methods, safety);
    }
    case "rpc":
      return ({ body }) => refusalOfCalls(body, names ?? new Map(), safety);
    case "graphql":
      return refusalOfDocument;
    default:
      return suite satisfies never;
  }
}

/**
 * Returns why a method may not be sent. An operation that is safe by its description may be called with its own method, and with no other
 * unsafe one.
 */
function refusalOfMethod(
  method: string,
  operation: string,
  methods: ReadonlyMap<string, string>,
  safety: Safety,
): string | undefined {
  const { isSafe, reason } = safety.of(operation);
  if (methods.get(operation) === method) return isSafe ? undefined : reason;
  return readingMethods.has(method) ? undefined : `${method} may change something`;
}

/**
 * Returns why the calls in a body may not be sent. A body that is not JSON calls nothing. An undescribed method is called only when its
 * name is harmless.
 */
function refusalOfCalls(
  body: PlainRequest["body"],
  names: ReadonlyMap<string, string>,
  safety: Safety,
): string | undefined {
  for (const method of calledMethods(body)) {
    const name = names.get(method);
    if (name !== undefined) {
      const evaluation = safety.of(name);
      if (!evaluation.isSafe) return evaluation.reason;
      continue;
    }
    const changing = findChangingWord(method);
    if (changing !== undefined) return `the method ${method} may change something`;
  }
  return undefined;
}

function calledMethods(body: PlainRequest["body"]): readonly string[] {
  if (body === undefined) return [];
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  const called: string[] = [];
  // Also in bodies that are not JSON: a server may be too lenient.
  for (const [, quoted = ""] of text.matchAll(/"method"\s*:\s*("(?:[^"\\]|\\.)*")/g)) {
    const method = parseJson(quoted);
    if (typeof method === "string") called.push(method);
  }
  return called;
}

/** Returns why a request's GraphQL documents may not be sent, because one may write; `undefined` when none does. */
function refusalOfDocument({ body, query }: PlainRequest): string | undefined {
  const text = typeof body === "string" ? body : Buffer.from(body ?? new Uint8Array()).toString("utf8");
  const documents = [...documentsOfBody(text), ...new URLSearchParams(query).getAll("query")];
  return documents.some(mayChange) ? "a mutation or subscription may change something" : undefined;
}

/** Returns the documents of a body: JSON with one request or several, a form, or the document itself (`application/graphql`). */
function documentsOfBody(text: string): readonly string[] {
  if (text === "") return [];
  const value = parseJson(text);
  if (value === undefined) return [text, ...new URLSearchParams(text).getAll("query")];
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
    isRecord(one) && typeof one["query"] === "string" ? [one["query"]] : [],
  );
}

/** Returns whether a document may write. One with a syntax error must not contain the keywords: a server may be too lenient. */
function mayChange(text: string): boolean {
  let document: DocumentNode;
  try {
    document = parse(text, { noLocation: true, maxTokens: 100_000 });
  } catch {
    return /\b(?:mutation|subscription)\b/.test(text);
  }
  return document.definitions.some(
    (definition) =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      definition.operation !== OperationTypeNode.QUERY &&
      !definition.selectionSet.selections.every((one) => one.kind === Kind.FIELD && one.name.value === "__typename"),
  );
}
