import { writeLosslessJson } from "../lossless-json.ts";
import type { GraphqlDocumentFacts } from "../operation.ts";
import { apiErrorOf, findJson, readValue } from "./answer.ts";
import { type Caller, createCaller, retryAfterSeconds } from "./caller.ts";
import { GraphqlError, type GraphqlErrorEntry, InvalidResponseError } from "./client-errors.ts";
import type { CallOptions, ClientFacts, GivenClientOptions } from "./client-options.ts";

/** What generated GraphQL clients call. */
export interface GraphqlClient {
  /** Throws `GraphqlError`, partial data in it, `ApiError`, `TransportError`, `TimeoutError`, `InvalidResponseError`, or a signal's reason. */
  call<Variables, Data>(
    document: GraphqlDocumentFacts<Variables, Data>,
    variables: Variables | undefined,
    options: CallOptions | undefined,
  ): Promise<Data>;
}

const headers = {
  accept: "application/graphql-response+json, application/json;q=0.9",
  "content-type": "application/json",
};

export function createGraphqlClient(options: GivenClientOptions, facts: ClientFacts): GraphqlClient {
  const caller = createCaller(options, facts);
  return {
    async call(document, variables, callOptions) {
      const { name, root, text } = document;
      const body = writeLosslessJson({ query: text, variables: variables ?? {} });
      const idempotent = root === "query";
      const call = { operation: name, method: "POST", path: "", headers, body, idempotent };
      const response = await caller.send(call, callOptions);
      const answer = findJson(response, document.output.decode !== undefined);
      if (!isRecord(answer)) throw apiErrorOf(caller, name, [], response);
      const errors = answer["errors"] ?? undefined;
      if (errors !== undefined) {
        const status = { status: response.status, retryAfterSeconds: retryAfterSeconds(response) };
        throw new GraphqlError(name, errorEntries(caller, errors), answer["data"], status);
      }
      if (answer["data"] === undefined) throw new InvalidResponseError(name, "the answer has neither data nor errors");
      return readValue(caller, name, document.output, answer["data"]);
    },
  };
}

function errorEntries(caller: Caller, errors: unknown): readonly GraphqlErrorEntry[] {
  const entries = Array.isArray(errors) ? errors.filter(isRecord) : [];
  return entries.map((entry) => {
    const { redaction } = caller.endpoint;
    const path = entry["path"];
    const extensions = redaction.value(entry["extensions"]);
    return {
      message: typeof entry["message"] === "string" ? redaction.text(entry["message"]) : "",
      ...(Array.isArray(path) ? { path } : {}),
      ...(isRecord(extensions) ? { extensions } : {}),
    };
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
