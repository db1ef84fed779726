import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import type { ReadyNode } from "../support/service.ts";
import { isJsonObject, parseExactJson } from "./exact-json.ts";

/** A call of both nodes. */
export interface ComparedCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What came of a question: a result, an error, or what a node does in place of a response. */
export type ComparedAnswer =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  /** An empty line where an answer belongs. */
  | { readonly kind: "empty" }
  /** The connection ended without one. */
  | { readonly kind: "none" };

/** Answers calls in their order. */
export type Asked = (calls: readonly ComparedCall[]) => Promise<readonly ComparedAnswer[]>;

/** Calls a node, many calls in a request, and each by itself where a request of many is not answered. */
export function askingNode({ url, user, password }: BitcoinProgram): Asked {
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
  const ask: Asked = async (calls) => {
    const [only] = calls;
    if (only === undefined) return [];
    if (calls.length === 1) return [await askOne(url, headers, only)];
    const batch = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const text = await post(url, headers, batch);
    const answers = text === undefined ? undefined : readBatch(text, calls.length);
    if (answers !== undefined) return answers;
    // One of them made it fall silent: both halves, until that one is alone.
    const half = Math.ceil(calls.length / 2);
    return [...(await ask(calls.slice(0, half))), ...(await ask(calls.slice(half)))];
  };
  return ask;
}

/** Asks a node of this service, all calls in one request where they may be. Throws when it does not answer one of them. */
export function askingService({ endpoint, apikey }: ReadyNode): Asked {
  const ask: Asked = async (calls) => {
    if (calls.length === 0) return [];
    const alone = calls.length === 1 ? -1 : calls.findIndex(({ method }) => method === oneAtATime);
    if (alone !== -1)
      return [
        ...(await ask(calls.slice(0, alone))),
        ...(await ask(calls.slice(alone, alone + 1))),
        ...(await ask(calls.slice(alone + 1))),
      ];
    const batch = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const text = (await post(endpoint, { "x-api-key": apikey }, batch)) ?? "";
    const answers = readBatch(text, calls.length);
    if (answers?.some(isOverBudget) === true && calls.length > 1) {
      const half = Math.ceil(calls.length / 2);
      return [...(await ask(calls.slice(0, half))), ...(await ask(calls.slice(half)))];
    }
    if (answers === undefined) throw new Error(`The service does not answer a batch: ${text.slice(0, 200)}`);
    return answers;
  };
  return ask;
}

/** Whether a member of a batch had no room left beside the others. */
function isOverBudget(answer: ComparedAnswer): boolean {
  return answer.kind === "error" && answer.code === -32600 && answer.message.startsWith("The responses of the batch");
}

/** A caller's second verification is refused while one is under way. */
const oneAtATime = "verifychain";

/** Asks a node of this service one call with its parameters by name. */
export async function askByName(
  { endpoint, apikey }: ReadyNode,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<ComparedAnswer> {
  const text = await post(endpoint, { "x-api-key": apikey }, { jsonrpc: "2.0", id: 0, method, params });
  return readResponse(parseExactJson(text ?? ""));
}

type Headers = Readonly<Record<string, string>>;

async function askOne(url: string, headers: Headers, { method, params }: ComparedCall): Promise<ComparedAnswer> {
  const text = await post(url, headers, { jsonrpc: "2.0", id: 0, method, params });
  if (text === undefined) return { kind: "none" };
  return text.trim() === "" ? { kind: "empty" } : readResponse(parseExactJson(text));
}

async function post(url: string, headers: Headers, body: unknown): Promise<string | undefined> {
  const init = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(url, init).catch((error: unknown) => {
    if (error instanceof TypeError && isClosed(error.cause)) return undefined;
    throw error;
  });
  return await response?.text();
}

/** Whether the other side ended the connection; a node that is not there at all is no such answer. */
function isClosed(cause: unknown): boolean {
  const code = isJsonObject(cause) ? cause["code"] : undefined;
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

/** `undefined`: one of them has no answer. */
function readBatch(text: string, count: number): readonly ComparedAnswer[] | undefined {
  if (text.trim() === "") return undefined;
  const batch = parseExactJson(text);
  return Array.isArray(batch) && batch.length === count ? batch.map(readResponse) : undefined;
}

function readResponse(answer: unknown): ComparedAnswer {
  if (!isJsonObject(answer)) throw new Error(`This is no answer: ${JSON.stringify(answer)}`);
  const { result, error } = answer;
  if (!isJsonObject(error)) return { kind: "result", result };
  return { kind: "error", code: Number(JSON.stringify(error["code"])), message: String(error["message"]) };
}
