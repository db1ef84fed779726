import { serverAudits } from "graphql-http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Library, type LibraryReply, serveLibrary } from "../../../testing/graphql-library.ts";
import type { ReceivedResponse, PlainRequest } from "../../../contract/exchange.ts";

import { auditResponse, type AuditCheck, type ProtocolAudit, protocolAudits } from "./protocol-audits.ts";

/** Fault of the next reply; `undefined`: none. */
let fault: ((reply: LibraryReply) => LibraryReply) | undefined;
let library: Library;

beforeAll(async () => {
  library = await serveLibrary({ reply: (reply) => fault?.(reply) ?? reply });
});

afterAll(async () => {
  await library.close();
});

async function send({ method, query, headers, body }: PlainRequest): Promise<ReceivedResponse> {
  const response = await fetch(`${library.url}${query === "" ? "" : `?${query}`}`, {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body: typeof body === "string" ? new TextEncoder().encode(body) : body }),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  let text: string | undefined;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    text = undefined;
  }
  return { status: response.status, headers: new Map(response.headers), bytes, text, isCut: false, milliseconds: 0 };
}

function auditIdOf({ rule }: AuditCheck): string | undefined {
  return /audit (\S+) of graphql-http$/.exec(rule.source)?.[1];
}

const status =
  (wanted: number) =>
  (reply: LibraryReply): LibraryReply => ({ ...reply, status: wanted });
const withType =
  (wanted: string) =>
  (reply: LibraryReply): LibraryReply => ({ ...reply, headers: { ...reply.headers, "content-type": wanted } });
const withBody =
  (change: (body: Record<string, unknown>) => Record<string, unknown>) =>
  (reply: LibraryReply): LibraryReply => ({
    ...reply,
    body: JSON.stringify(change(JSON.parse(String(reply.body)) as Record<string, unknown>)),
  });
const withErrors = withBody((body) => ({ ...body, errors: [{ message: "broken" }] }));
const withData = withBody((body) => ({ ...body, data: null }));
const notUtf8 = (reply: LibraryReply): LibraryReply => ({ ...reply, body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) });

/** Faults for what an audit requires, by its id; all others get a status that they do not accept. */
const faults: Readonly<Record<string, readonly ((reply: LibraryReply) => LibraryReply)[]>> = {
  "22EB": [status(406), withType("application/json")],
  "4655": [status(406), withType("text/html")],
  "47DE": [status(406), withType("text/html")],
  "80D8": [status(406), withType("text/html")],
  "82A3": [notUtf8, withType("application/json; charset=iso-8859-1")],
  "13EE": [status(400), withErrors],
  B8B3: [status(400), withErrors],
  "94B0": [status(400), withErrors],
  "0220": [status(400), withErrors],
  "94B1": [status(400), withErrors],
  "0221": [status(400), withErrors],
  "94B2": [status(400), withErrors],
  "0222": [status(400), withErrors],
  "28B9": [status(400), withErrors],
  D6D5: [status(400), withErrors],
  "6A70": [status(400), withErrors],
  "1B7A": [status(400), withErrors],
  "9C48": [status(200), status(500)],
  "9ABE": [status(200), status(500)],
  B6DC: [status(302)],
  "8764": [status(200)],
  "865D": [status(200)],
  "51FE": [status(200)],
  D586: [withData],
  "5E5B": [withData],
};
/** Statuses that no audit without an entry above accepts. */
const otherwise = [status(418), status(302)];

const checks: readonly (readonly [string, ProtocolAudit, AuditCheck])[] = protocolAudits.flatMap((audit) =>
  audit.checks.flatMap((check): readonly (readonly [string, ProtocolAudit, AuditCheck])[] => {
    const id = auditIdOf(check);
    return id === undefined ? [] : [[id, audit, check]];
  }),
);

describe("protocolAudits", () => {
  it("has a rule for each of the 61 audits of graphql-http", () => {
    const known = serverAudits({ url: "http://127.0.0.1:1" }).map(({ id }) => id);
    expect(known).toHaveLength(61);
    expect(checks.map(([id]) => id).toSorted()).toEqual(known.toSorted());
  });

  it("gives each rule an id of its own, and each request a name", () => {
    const ids = protocolAudits.flatMap((audit) => audit.checks.map(({ rule }) => rule.id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(protocolAudits.map(({ name }) => name)).size).toBe(protocolAudits.length);
  });

  it("has the level that graphql-http has for each, but for mutations by GET and for what a note alone says", () => {
    const own: Readonly<Record<string, string>> = { "9C48": "MUST", "0222": "SHOULD" };
    const levels = new Map(serverAudits({ url: "http://127.0.0.1:1" }).map(({ id, name }) => [id, name.split(" ")[0]]));
    for (const [id, , { rule }] of checks) expect([id, rule.level]).toEqual([id, own[id] ?? levels.get(id)]);
  });

  it.each(checks)("finds nothing wrong with graphql-http by %s", async (_id, audit, check) => {
    fault = undefined;
    expect(check.problemOf(auditResponse(await send(audit.request)))).toBeUndefined();
  });

  it.each(checks)("notices when %s is broken", async (id, audit, check) => {
    for (const one of faults[id] ?? otherwise) {
      fault = one;
      const problem = check.problemOf(auditResponse(await send(audit.request)));
      fault = undefined;
      expect(problem, check.rule.title).toBeTypeOf("string");
    }
  });

  it.each(checks.filter(([id]) => id === "47DE" || id === "80D8"))(
    "finds nothing wrong with the media type of GraphQL where a request does not choose (%s)",
    async (_id, audit, check) => {
      fault = withType("application/graphql-response+json");
      const problem = check.problemOf(auditResponse(await send(audit.request)));
      fault = undefined;
      expect(problem).toBeUndefined();
    },
  );
});
