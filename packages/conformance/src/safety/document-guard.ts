import { type DocumentNode, Kind, OperationTypeNode, parse } from "graphql";
import { isRecord } from "@nodewright/api-model";
import { parseJson } from "../basics/parse-json.ts";
import type { PlainRequest } from "../contract/exchange.ts";

/** Returns why a request's GraphQL documents may not be sent, because one may write; `undefined` when none does. */
export function refusalOfDocument({ body, query }: PlainRequest): string | undefined {
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
