import { gzipSync } from "node:zlib";
import { isObject } from "../operators/json-tree.ts";
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
import type { WorldKind } from "../worlds/world.ts";
import { type JsonStyle, spellJson } from "./json-text.ts";
import type { Variation } from "./variation.ts";

const all: readonly WorldKind[] = ["rest", "rpc", "graphql"];

const afterwards =
  (edit: (answer: WireAnswer, request: WireRequest) => WireAnswer) =>
  (dispatch: Dispatch): Dispatch =>
  async (request) =>
    edit(await dispatch(request), request);

const restyled = (style: JsonStyle) =>
  afterwards((answer, { method }) => {
    const value = jsonOf(answer);
    return value === undefined || method === "HEAD"
      ? answer
      : withHeaders(withBody(answer, spellJson(value, style)), { etag: headerOf(answer, "etag") });
  });

const onJson = (edit: (value: unknown, answer: WireAnswer) => unknown) =>
  afterwards((answer, { method }) => {
    const value = jsonOf(answer);
    return value === undefined || method === "HEAD" ? answer : withJson(answer, edit(value, answer));
  });

const retyped = (type: (given: string) => string) =>
  afterwards((answer) => {
    const given = headerOf(answer, "content-type");
    return given === undefined ? answer : withHeaders(answer, { "content-type": type(given) });
  });

/** Another answer in place of each so manieth one. */
const nowAndThen =
  (period: number, other: (request: WireRequest) => WireAnswer, most = Number.POSITIVE_INFINITY) =>
  (dispatch: Dispatch): Dispatch => {
    let calls = 0;
    let given = 0;
    return async (request) => {
      calls += 1;
      if (calls % period === 0 && given < most) {
        given += 1;
        return other(request);
      }
      return dispatch(request);
    };
  };

const busy = (status: number): WireAnswer => ({
  status,
  headers: { "Content-Type": "text/plain", "Retry-After": "0" },
  body: Buffer.from("later"),
});

const oneSecond = (status: number): WireAnswer => withHeaders(busy(status), { "Retry-After": "1" });

const slowly =
  (milliseconds: (call: number) => number) =>
  (dispatch: Dispatch): Dispatch => {
    let calls = 0;
    return async (request) => {
      calls += 1;
      const answer = await dispatch(request);
      await new Promise((resolve) => setTimeout(resolve, milliseconds(calls)));
      return answer;
    };
  };

/** An object that the documents leave open has another member. */
const openTypes = /^(txid|sku|orderId|reviewId|isbn)$/;

function withExtraMembers(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withExtraMembers);
  }
  if (!isObject(value)) {
    return value;
  }
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withExtraMembers(item)]));
  const names = Object.keys(inner);
  return names.some((name) => openTypes.test(name)) && names.length > 4 && !("amount" in inner)
    ? { ...inner, "x-extra": { since: 3 } }
    : inner;
}

const shuffled = (names: readonly string[]): readonly string[] => names.toReversed();

/** Errors in other words, and more of them where nothing forbids it. */
function otherWords(value: unknown, answer: WireAnswer): unknown {
  if (isObject(value) && isObject(value["error"])) {
    return { ...value, error: { ...value["error"], message: "Das geht so nicht." } };
  }
  if (isObject(value) && Array.isArray(value["errors"])) {
    return {
      ...value,
      errors: value["errors"].map((error: unknown) => (isObject(error) ? { ...error, message: "Nein." } : error)),
    };
  }
  return answer.status >= 400 && isObject(value)
    ? { ...value, ...("detail" in value ? { detail: "¡No!" } : {}), ...("message" in value ? { message: "¡No!" } : {}) }
    : value;
}

function moreErrorData(value: unknown, answer: WireAnswer): unknown {
  if (isObject(value) && isObject(value["error"])) {
    return { ...value, error: { ...value["error"], data: { trace: "0xABCdef", hint: null } } };
  }
  if (isObject(value) && Array.isArray(value["errors"])) {
    return {
      ...value,
      errors: value["errors"].map((error: unknown) =>
        isObject(error) ? { ...error, extensions: { code: "OTHER", requestId: "abc" } } : error,
      ),
    };
  }
  return answer.status >= 400 && isObject(value) ? { ...value, requestId: "0xABC", instance: "/logs/17" } : value;
}

/** Correct servers in other clothes: none of them may be blamed. */
export const variations: readonly Variation[] = [
  { name: "as-it-is", kinds: all },
  {
    name: "extra-members",
    kinds: ["rest", "rpc"],
    wrap: onJson((value, answer) => (answer.status === 200 ? withExtraMembers(value) : value)),
  },
  { name: "reordered-members", kinds: all, wrap: restyled({ order: shuffled }) },
  { name: "white-space", kinds: all, wrap: restyled({ space: " \n\t" }) },
  {
    name: "escaped-text",
    kinds: all,
    wrap: restyled({
      // RFC 8259, section 7: what lies beyond the basic plane is escaped as its two surrogates.
      string: (value) =>
        `"${Array.from({ length: value.length }, (_none, index) => `\\u${value.charCodeAt(index).toString(16).padStart(4, "0")}`).join("")}"`,
    }),
  },
  {
    name: "escaped-slashes",
    kinds: all,
    wrap: restyled({ string: (value) => JSON.stringify(value).replaceAll("/", "\\/") }),
  },
  {
    name: "numbers-with-fraction",
    kinds: all,
    wrap: restyled({ number: withFraction }),
  },
  {
    name: "numbers-with-exponent",
    kinds: all,
    wrap: restyled({ number: (value) => (Number.isSafeInteger(value) ? `${value}E+00` : String(value)) }),
  },
  {
    name: "trailing-newline",
    kinds: all,
    wrap: afterwards((answer, { method }) =>
      method === "HEAD" || answer.body.length === 0
        ? answer
        : withHeaders(withBody(answer, `${answer.body}\r\n`), { etag: headerOf(answer, "etag") }),
    ),
  },
  { name: "no-charset", kinds: all, wrap: retyped((type) => type.replace(/;.*/, "")) },
  { name: "charset", kinds: all, wrap: retyped((type) => `${type.replace(/;.*/, "")};charset="UTF-8"`) },
  {
    name: "content-type-case",
    kinds: all,
    wrap: retyped((type) => type.replace(/^[^;]*/, (media) => media.toUpperCase()).replace("charset", "Charset")),
  },
  {
    name: "content-type-parameters",
    kinds: all,
    wrap: retyped((type) => `${type.replace(/;.*/, "")} ; version=2 ; charset=utf-8`),
  },
  {
    name: "header-case",
    kinds: all,
    wrap: afterwards((answer) => ({
      ...answer,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value], index) => [
          index % 2 === 0 ? name.toUpperCase() : name.toLowerCase(),
          value,
        ]),
      ),
    })),
  },
  {
    name: "extra-headers",
    kinds: all,
    wrap: afterwards((answer) =>
      withHeaders(answer, {
        Server: "strange/1.0",
        "X-Request-Id": "5f2b",
        "X-Frame-Options": "DENY",
        Vary: "Accept, Accept-Encoding",
        "Set-Cookie": ["a=1; Path=/", "b=2; HttpOnly"],
        "Strict-Transport-Security": "max-age=1",
        Date: "Tue, 15 Nov 1994 08:12:31 GMT",
      }),
    ),
  },
  {
    name: "gzip",
    kinds: all,
    wrap: afterwards((answer, request) =>
      /gzip/.test(request.headers["accept-encoding"] ?? "") && answer.body.length > 0 && request.method !== "HEAD"
        ? {
            ...withHeaders(answer, {
              "Content-Encoding": "gzip",
              Vary: "Accept-Encoding",
              "content-length": undefined,
            }),
            body: gzipSync(answer.body),
          }
        : answer,
    ),
  },
  {
    name: "chunked",
    kinds: all,
    write: (response, body) => {
      const middle = Math.floor(body.length / 2);
      response.write(body.subarray(0, middle));
      setImmediate(() => response.end(body.subarray(middle)));
    },
  },
  { name: "connection-close", kinds: all, wrap: afterwards((answer) => withHeaders(answer, { Connection: "close" })) },
  {
    name: "one-request-per-connection",
    kinds: all,
    configure: (server) => {
      server.maxRequestsPerSocket = 1;
      server.keepAliveTimeout = 1;
    },
  },
  { name: "busy-now-and-then", kinds: all, wrap: nowAndThen(13, () => busy(429)) },
  { name: "busy-for-a-second", kinds: all, wrap: nowAndThen(60, () => oneSecond(429), 1) },
  { name: "unavailable-once", kinds: all, wrap: nowAndThen(7, () => oneSecond(503), 1) },
  { name: "slow", kinds: all, wrap: slowly(() => 15) },
  { name: "late-answers-in-turn", kinds: all, wrap: slowly((call) => (call % 5 === 0 ? 60 : 0)) },
  { name: "other-error-texts", kinds: all, wrap: onJson(otherWords) },
  { name: "more-error-data", kinds: all, wrap: onJson(moreErrorData) },
  {
    name: "batch-order",
    kinds: ["rpc"],
    wrap: onJson((value) => (Array.isArray(value) ? value.toReversed() : value)),
  },
  {
    name: "http-status-of-errors",
    kinds: ["rpc"],
    wrap: afterwards((answer) => {
      const value = jsonOf(answer);
      const code = isObject(value) && isObject(value["error"]) ? value["error"]["code"] : undefined;
      return code === -32700 || code === -32600 ? { ...answer, status: 400 } : answer;
    }),
  },
  {
    name: "notification-status-202",
    kinds: ["rpc"],
    wrap: afterwards((answer) => (answer.status === 204 ? { ...answer, status: 202 } : answer)),
  },
  {
    name: "notification-status-200",
    kinds: ["rpc"],
    wrap: afterwards((answer) => (answer.status === 204 ? { ...answer, status: 200 } : answer)),
  },
  {
    name: "extensions",
    kinds: ["graphql"],
    wrap: onJson((value) => (isObject(value) ? { ...value, extensions: { tracing: { version: 1 }, cost: 3 } } : value)),
  },
  {
    name: "errors-first",
    kinds: ["graphql"],
    wrap: onJson((value) => (isObject(value) && "errors" in value ? { errors: value["errors"], ...value } : value)),
  },
  {
    name: "no-get",
    kinds: ["graphql"],
    wrap: (dispatch) => async (request) =>
      request.method === "GET" ? { status: 405, headers: { Allow: "POST" }, body: Buffer.alloc(0) } : dispatch(request),
  },
  {
    name: "no-head",
    kinds: ["rest"],
    wrap: (dispatch) => async (request) =>
      request.method === "HEAD" ? { status: 405, headers: { Allow: "GET" }, body: Buffer.alloc(0) } : dispatch(request),
  },
  {
    name: "head-without-length",
    kinds: ["rest"],
    wrap: afterwards((answer, { method }) =>
      method === "HEAD" ? withHeaders(answer, { "content-length": undefined }) : answer,
    ),
  },
  {
    name: "other-order-in-maps",
    kinds: ["rest"],
    wrap: onJson((value) =>
      isObject(value) && isObject(value["preferences"])
        ? { ...value, preferences: Object.fromEntries(Object.entries(value["preferences"]).reverse()) }
        : value,
    ),
  },
  {
    name: "optional-members-left-out",
    kinds: ["rest"],
    fits: (world) => world === "rest-shop",
    wrap: onJson((value) => withoutMembers(value, ["attributes", "productCount", "field"])),
  },
  {
    name: "not-modified-unused",
    kinds: ["rest"],
    wrap: afterwards((answer) => withHeaders(answer, { "Last-Modified": "Tue, 15 Nov 1994 12:45:26 GMT", Age: "3" })),
  },
  {
    name: "options-refused",
    kinds: ["rest"],
    wrap: (dispatch) => async (request) =>
      request.method === "OPTIONS"
        ? { status: 405, headers: { Allow: "GET, HEAD" }, body: Buffer.alloc(0) }
        : dispatch(request),
  },
  {
    name: "options-allowed",
    kinds: ["rest"],
    wrap: (dispatch) => async (request) =>
      request.method === "OPTIONS"
        ? {
            status: 204,
            headers: { Allow: "GET, HEAD, OPTIONS", "Access-Control-Allow-Origin": "*" },
            body: Buffer.alloc(0),
          }
        : dispatch(request),
  },
];

/** 3 as 3.0 and 1.5 as 1.50. */
function withFraction(value: number): string {
  const text = String(value);
  if (text.includes("e")) {
    return text;
  }
  return Number.isInteger(value) ? (Number.isSafeInteger(value) ? `${text}.0` : text) : `${text}0`;
}

function withoutMembers(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withoutMembers(item, names));
  }
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => !names.includes(name))
          .map(([name, item]) => [name, withoutMembers(item, names)]),
      )
    : value;
}
