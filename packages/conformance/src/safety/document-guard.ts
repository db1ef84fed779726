import { type DocumentNode, Kind, OperationTypeNode, parse } from "graphql";
import { isRecord } from "@nodewright/api-model";
import { parseJson } from "../basics/parse-json.ts";
import type { PlainRequest } from "../contract/exchange.ts";

/** Why a request's GraphQL documents may not be sent: one may change something. Undefined when none does. */
export function refusalOfDocument({ body, query }: PlainRequest): string | undefined {
  const text = typeof body === "string" ? body : Buffer.from(body ?? new Uint8Array()).toString("utf8");
  const documents = [...documentsOfBody(text), ...new URLSearchParams(query).getAll("query")];
  return documents.some(mayChange) ? "a mutation or subscription may change something" : undefined;
}

/** A body in JSON, of one request or several; a form; or the document itself (`application/graphql`). */
function documentsOfBody(text: string): readonly string[] {
  if (text === "") return [];
  const value = parseJson(text);
  if (value === undefined) return [text, ...new URLSearchParams(text).getAll("query")];
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
    isRecord(one) && typeof one["query"] === "string" ? [one["query"]] : [],
  );
}

/** A text that can't be read has to be free of the words: a server may be less strict than it should be. */
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
