import { isRecord } from "@nodewright/api-model";
import { parseJson } from "../basics/parse-json.ts";

/**
 * Returns the call in a body: `eth_getBalance ["0x1","latest"]` for JSON-RPC; for GraphQL, the document in one line and its variables.
 * Returns `undefined` for any other body.
 */
export function calledIn(body: string): string | undefined {
  const value = parseJson(body);
  if (!isRecord(value)) return undefined;
  const { method, params, query, variables } = value;
  if (typeof method === "string") return params === undefined ? method : `${method} ${JSON.stringify(params)}`;
  if (typeof query !== "string" || query === "") return undefined;
  const text = query.replaceAll(/\s+/g, " ").trim();
  return variables === undefined ? text : `${text} ${JSON.stringify(variables)}`;
}
