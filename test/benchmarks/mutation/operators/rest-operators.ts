import type { Random } from "../random.ts";
import {
  type Dispatch,
  headerOf,
  jsonOf,
  type WireAnswer,
  type WireRequest,
  withBody,
  withHeaders,
  withJson,
} from "../wire/message.ts";
import { isObject } from "./json-tree.ts";
import { type Mutant, type Operator, protocolOperation } from "./operator.ts";
import type { RestSubject } from "./rest-subject.ts";
import type { Subject } from "./subject.ts";

type AnswerEdit = (answer: WireAnswer, request: WireRequest) => WireAnswer;

interface RestFault {
  readonly name: string;
  readonly note: string;
  /** Of which answers: the status that the correct server gave. */
  readonly status: number | "any";
  readonly edit: AnswerEdit;
  readonly head?: boolean;
}

/** All statuses that an answer is mistaken for. */
function swapped(
  name: string,
  from: number,
  to: readonly number[],
  body?: (answer: WireAnswer) => WireAnswer,
): readonly RestFault[] {
  return to.map((status) => ({
    name,
    note: `${from} becomes ${status}`,
    status: from,
    edit: (answer) => {
      const changed = { ...answer, status };
      return status === 204 ? { ...changed, headers: {}, body: Buffer.alloc(0) } : (body?.(changed) ?? changed);
    },
  }));
}

const isProblem = (answer: WireAnswer): boolean => isObject(jsonOf(answer));

const onError = (name: string, note: string, edit: (error: Record<string, unknown>) => unknown): readonly RestFault[] =>
  [400, 404].map((status) => ({
    name,
    note: `${note} of ${status}`,
    status,
    edit: (answer) => {
      const error = jsonOf(answer);
      return isObject(error) ? withJson(answer, edit({ ...error })) : answer;
    },
  }));

const text = (name: string, note: string, edit: (body: string) => string): RestFault => ({
  name,
  note,
  status: 200,
  edit: (answer) => withHeaders(withBody(answer, edit(answer.body.toString())), { etag: headerOf(answer, "etag") }),
});

const faults: readonly RestFault[] = [
  ...swapped("success-status", 200, [201, 202, 204, 500, 404, 400, 301]),
  ...swapped("not-found-status", 404, [400, 500, 410, 403]),
  ...swapped("not-found-as-success", 404, [200, 204]),
  ...swapped("not-found-as-empty", 404, [200], (answer) =>
    withJson(withHeaders(answer, { "content-type": "application/json" }), {}),
  ),
  ...swapped("bad-request-status", 400, [404, 500, 401, 418]),
  ...swapped("bad-request-as-success", 400, [200, 204]),
  ...onError("drop-error-member", "a member of the body", (error) =>
    Object.fromEntries(Object.entries(error).slice(1)),
  ),
  ...onError("error-member-type", "the first member's type", (error) =>
    Object.fromEntries(Object.entries(error).map(([key, value], index) => [key, index === 0 ? [value] : value])),
  ),
  ...onError("wrap-error-body", "the body in another one", (error) => ({ error })),
  ...[400, 404].map(
    (status): RestFault => ({
      name: "drop-error-body",
      note: `no body of ${status}`,
      status,
      edit: (answer) => withHeaders(withBody(answer, ""), { "content-type": undefined }),
    }),
  ),
  ...[400, 404].map(
    (status): RestFault => ({
      name: "error-as-html",
      note: `${status} in HTML`,
      status,
      edit: (answer) => withHeaders(withBody(answer, "<html><h1>Error</h1></html>"), { "content-type": "text/html" }),
    }),
  ),
  ...[400, 404].map(
    (status): RestFault => ({
      name: "error-content-type",
      note: `another content type of ${status}`,
      status,
      edit: (answer) => withHeaders(answer, { "content-type": "text/plain" }),
    }),
  ),
  ...["text/html", "text/plain; charset=utf-8", "application/xml", "application/octet-stream"].map(
    (type): RestFault => ({
      name: "change-content-type",
      note: `content type ${type}`,
      status: 200,
      edit: (answer) => withHeaders(answer, { "content-type": type }),
    }),
  ),
  {
    name: "drop-content-type",
    note: "no content type",
    status: 200,
    edit: (answer) => withHeaders(answer, { "content-type": undefined }),
  },
  text("cut-body", "the body ends too early", (body) => body.slice(0, -1)),
  text("empty-body", "no body", () => ""),
  text("broken-json", "a comma too many", (body) => body.replace(/[}\]]$/, ",$&")),
  text("text-before-json", "text before the body", (body) => `OK\n${body}`),
  text("envelope", "the body in another object", (body) => `{"data":${body}}`),
];

const headFaults: readonly RestFault[] = [
  {
    name: "head-status",
    note: "HEAD is not found",
    status: 200,
    head: true,
    edit: (answer) => ({ ...answer, status: 404 }),
  },
  { name: "head-fails", note: "HEAD fails", status: 200, head: true, edit: (answer) => ({ ...answer, status: 500 }) },
  {
    name: "head-content-type",
    note: "HEAD says another content type",
    status: 200,
    head: true,
    edit: (answer) => withHeaders(answer, { "content-type": "text/html" }),
  },
];

function mutantOf(subject: Subject, operation: string, fault: RestFault): Mutant {
  const rest = subject as RestSubject;
  return {
    note: fault.note,
    proof: "rule",
    ...(fault.head === true ? { level: "SHOULD" } : {}),
    wrap: (dispatch) => async (request) => {
      const answer = await dispatch(request);
      const asGet = fault.head === true && request.method === "HEAD" ? { ...request, method: "GET" } : request;
      const isMeant = fault.head === true ? request.method === "HEAD" : request.method === "GET";
      return isMeant &&
        rest.operationOf(asGet) === operation &&
        (fault.status === "any" || fault.status === answer.status)
        ? fault.edit(answer, request)
        : answer;
    },
  };
}

function grouped(all: readonly RestFault[]): readonly Operator[] {
  const names = [...new Set(all.map(({ name }) => name))];
  return names.map((name) => ({
    name,
    kinds: ["rest"],
    mutants: (subject, operation, random) =>
      operation === protocolOperation
        ? []
        : random
            .shuffle(all.filter((fault) => fault.name === name))
            .map((fault) => mutantOf(subject, operation, fault)),
  }));
}

const declaredHeaders = (name: string, value: (schema: unknown) => string | undefined): Operator => ({
  name,
  kinds: ["rest"],
  mutants: (subject, operation, random) =>
    random
      .shuffle((subject as RestSubject).headersOf?.(operation) ?? [])
      .flatMap(({ name: header, schema }): Mutant[] => {
        const put = value(schema);
        return name === "break-header" && put === undefined
          ? []
          : [
              mutantOf(subject, operation, {
                name,
                note: `${name} ${header}`,
                status: 200,
                edit: (answer) => withHeaders(answer, { [header]: put }),
              }),
            ];
      }),
});

/** Faults of a server as a whole. */
function whole(name: string, note: string, edit: (dispatch: Dispatch) => Dispatch, level?: "SHOULD"): Operator {
  return {
    name,
    kinds: ["rest"],
    mutants: (_subject: Subject, operation: string, _random: Random) =>
      operation === protocolOperation
        ? [{ note, proof: "rule", wrap: edit, ...(level === undefined ? {} : { level }) }]
        : [],
  };
}

const afterwards =
  (edit: AnswerEdit) =>
  (dispatch: Dispatch): Dispatch =>
  async (request) =>
    edit(await dispatch(request), request);

/** Faults of HTTP answers of an OpenAPI interface. */
export const restOperators: readonly Operator[] = [
  ...grouped([...faults, ...headFaults]),
  declaredHeaders("drop-header", () => undefined),
  declaredHeaders("break-header", (schema) => (isObject(schema) && schema["pattern"] !== undefined ? "?" : undefined)),
  whole(
    "unknown-path-as-success",
    "200 for a path that is not there",
    afterwards((answer, { method, url }) =>
      answer.status === 404 && method === "GET" && /^\/[a-z]+(\/[a-z]+)?$/.test(url) && isProblem(answer)
        ? { ...answer, status: 200 }
        : answer,
    ),
  ),
  whole(
    "unknown-path-fails",
    "500 for a path that is not there",
    afterwards((answer, { url }) =>
      answer.status === 404 && !/(blocks|txs|addresses|products|customers|orders)/.test(url)
        ? { ...answer, status: 500 }
        : answer,
    ),
  ),
  whole(
    "wrong-method-as-success",
    "200 for a method that is not there",
    afterwards((answer) => (answer.status === 405 ? { ...answer, status: 200 } : answer)),
    "SHOULD",
  ),
  whole(
    "wrong-method-fails",
    "500 for a method that is not there",
    afterwards((answer) => (answer.status === 405 ? { ...answer, status: 500 } : answer)),
  ),
  whole(
    "drop-allow-header",
    "no Allow beside 405",
    afterwards((answer) => (answer.status === 405 ? withHeaders(answer, { allow: undefined }) : answer)),
  ),
];
