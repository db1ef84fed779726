import type { PageEndpoint } from "../src/page-configuration.ts";

/** What GraphiQL wants to have asked. */
export interface Question {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}

export interface Answer {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** What GraphiQL shows: what was answered, or a GraphQL error in its place. */
  readonly body: object;
  /** Why there is no data, where the reason is no mistake in the question. */
  readonly problem?: string;
}

/** Asks an endpoint with a key, which goes into a header and nowhere else. Never throws. */
export async function ask(endpoint: PageEndpoint, key: string, question: Question): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(endpoint.url, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify(question),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      redirect: "error",
    });
  } catch {
    return unanswered(0, `${endpoint.url} can't be reached from this browser.`);
  }
  return await readResponse(response);
}

async function readResponse(response: Response): Promise<Answer> {
  const { status } = response;
  const body = parse(await response.text().catch(() => ""));
  if (body === undefined) return unanswered(status, `The answer has status ${status} and is no JSON.`);
  if (status < 400 || status === 400) return { status, body };
  return { status, body, problem: `${status}: ${firstMessage(body) ?? "refused"}` };
}

function unanswered(status: number, message: string): Answer {
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
