import type { PageEndpoint } from "../src/page-configuration.ts";

/** A request of GraphiQL (GraphQL over HTTP, section 5.4). */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}

/** Response to a request, or a GraphQL error in its place. */
export interface GraphqlResponse {
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  /** Body that GraphiQL shows. */
  readonly body: object;
  /** Reason why there is no data, unless the request is invalid. */
  readonly problem?: string;
}

/** Sends a request to an endpoint with a key, which goes into a header and nowhere else. Never throws. */
export async function sendQuery(
  endpoint: PageEndpoint,
  key: string,
  request: GraphqlRequest,
): Promise<GraphqlResponse> {
  let response: Response;
  try {
    response = await fetch(endpoint.url, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify(request),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      redirect: "error",
    });
  } catch {
    return failed(0, `${endpoint.url} can't be reached from this browser.`);
  }
  return await readResponse(response);
}

async function readResponse(response: Response): Promise<GraphqlResponse> {
  const { status } = response;
  const body = parse(await response.text().catch(() => ""));
  if (body === undefined) return failed(status, `The response has status ${status} and is not JSON.`);
  if (status < 400 || status === 400) return { status, body };
  return { status, body, problem: `${status}: ${firstMessage(body) ?? "refused"}` };
}

function failed(status: number, message: string): GraphqlResponse {
  return { status, body: { errors: [{ message }] }, problem: message };
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function firstMessage(body: object): string | undefined {
  const errors: unknown = "errors" in body ? body.errors : undefined;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  if (typeof first !== "object" || first === null || !("message" in first)) return undefined;
  return String(first.message);
}
