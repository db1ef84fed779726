import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../case/finding.ts";
import type { PlannedCase } from "../case/planned-case.ts";
import { showValue } from "../compare/show-value.ts";
import type { SuiteHttpOperation } from "../suite/suite.ts";
import type { PlainRequest } from "../wire/exchange.ts";
import { isSuccessStatus, judgeAnswer } from "./http-answer.ts";
import { mediaTypeOf } from "../wire/media-type.ts";
import { caseOf, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { anyFindings, detailOf } from "./http-expect.ts";
import { requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";

/**
 * A method that paths hardly have. Beyond GET, HEAD and OPTIONS nothing is sent without leave, though PROPFIND changes nothing either
 * (RFC 4918, section 9.1): gateways take it for an attack.
 */
function otherMethodOf({ session }: HttpContext): "OPTIONS" | "PROPFIND" {
  return session.options.allowWrites === true ? "PROPFIND" : "OPTIONS";
}

/** What holds for every path of every server: HEAD, methods that it does not have, conditions. */
export function planProtocol(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const observed = wellObserved(context, operation.name)[0];
  if (observed === undefined || operation.method !== "GET") return [];
  return [planHead(context, observed), ...planOtherMethod(context, observed), ...planConditions(context, observed)];
}

function planHead(context: HttpContext, { operation, input, request, judged: got }: Observation): PlannedCase {
  const head: PlainRequest = { ...request, method: "HEAD" };
  return caseOf(context, operation, {
    group: "protocol",
    name: "head",
    rule: httpRules.head,
    expected: "the status and the headers of GET, without content",
    isLive: true,
    play: async (play) => {
      const answer = await play.send(head);
      const judged = judgeAnswer(operation, answer, context.types, "HEAD");
      const observation: Observation = { operation, input, request: head, judged };
      const { status } = answer;
      const where = withPlace(operation.place);
      if ([404, 405, 501].includes(status)) {
        return [{ rule: httpRules.head, message: `HEAD is answered with status ${status}`, ...where }];
      }
      const other =
        status === got.answer.status
          ? []
          : [{ rule: httpRules.head, message: `HEAD is answered with status ${status}`, ...where }];
      const isOther = mediaTypeOf(answer) !== "" && mediaTypeOf(answer) !== mediaTypeOf(got.answer);
      const message = "HEAD has another Content-Type than GET";
      const detail = `${mediaTypeOf(answer)} instead of ${mediaTypeOf(got.answer)}`;
      const found = [...other, ...(isOther ? [{ rule: httpRules.head, message, detail, ...where }] : [])];
      if (status >= 500) return [...anyFindings(context, play, observation)];
      // Headers are those of GET, where they were judged already; servers may leave out what costs them to find out.
      return [...found, ...judged.findings.filter(({ rule }) => rule === httpRules.noContent)];
    },
  });
}

function planOtherMethod(context: HttpContext, { operation, input, request }: Observation): readonly PlannedCase[] {
  const methods = [...context.operations.values()]
    .filter(({ path }) => shapeOf(path) === shapeOf(operation.path))
    .map(({ method }) => method);
  const otherMethod = otherMethodOf(context);
  if (methods.includes("OPTIONS") && otherMethod === "OPTIONS") return [];
  const otherwise = otherMethod === "OPTIONS" ? " where OPTIONS is not answered with a success" : "";
  const one = caseOf(context, operation, {
    group: "protocol",
    name: "other-method",
    rule: httpRules.methodNotAllowed,
    expected: `status 405, Allow naming ${[...new Set(methods)].join(", ")}${otherwise}`,
    play: async (play) => {
      const { body: _body, ...plain } = request;
      const sent: PlainRequest = { ...plain, method: otherMethod };
      const judged = judgeAnswer(operation, await play.send(sent), context.types);
      const observation: Observation = { operation, input, request: sent, judged };
      const { status, headers } = judged.answer;
      const where = withPlace(operation.place);
      if (status === 501 || status === 400) return [];
      if (status >= 500) {
        return anyFindings(context, play, observation).filter(({ rule }) => rule === httpRules.serverError);
      }
      // Any path may have OPTIONS (RFC 9110, section 9.3.7), whatever is described, and gateways answer it in its place.
      const isOptions = otherMethod === "OPTIONS" && status !== 405;
      if (isOptions && (status === 401 || status === 403 || (status < 400 && !headers.has("allow")))) return [];
      if (status !== 405 && !(isOptions && status < 400)) {
        const message = `A method that the path does not have is answered with status ${status}`;
        return [{ rule: httpRules.methodNotAllowed, message, ...detailOf(observation), ...where }];
      }
      const allow = headers.get("allow");
      if (allow === undefined) return [{ rule: httpRules.allow, message: "The 405 has no Allow", ...where }];
      const named = allow.split(",").map((method) => method.trim().toUpperCase());
      const missing = [...new Set(methods)].filter((method) => !named.includes(method));
      if (missing.length === 0) return [];
      const message = `Allow does not name ${missing.join(", ")}`;
      const isNoneNamed = status === 405 && missing.length === new Set(methods).size;
      const rule = isNoneNamed ? httpRules.allow : httpRules.allowNames;
      return [{ rule, message, detail: showValue(allow), ...where }];
    },
  });
  return [one];
}

/** Of answers that have an entity tag. */
function planConditions(context: HttpContext, observed: Observation): readonly PlannedCase[] {
  const { operation, input, request, judged: got } = observed;
  const tag = got.answer.headers.get("etag");
  if (tag === undefined) return [];
  const ask = (
    name: string,
    given: () => string,
    check: (observation: Observation) => readonly Finding[],
  ): PlannedCase =>
    caseOf(context, operation, {
      group: "protocol",
      name,
      rule: httpRules.conditional,
      expected: "status 304 where nothing changed, else the answer",
      isLive: true,
      play: async (play) => {
        const sent: PlainRequest = { ...request, headers: { ...request.headers, "if-none-match": given() } };
        const answer = await play.send(sent);
        const judged = judgeAnswer(operation, answer, context.types);
        const observation: Observation = { operation, input, request: sent, judged };
        if (answer.status >= 500) return anyFindings(context, play, observation);
        return check(observation);
      },
    });
  return [
    ask(
      "same-tag",
      () => tag,
      ({ judged }) => {
        const { status } = judged.answer;
        if (status === 304) return judged.findings.filter(({ rule }) => rule === httpRules.noContent);
        if (!isSuccessStatus(status)) return [unexpected("the entity tag that was given", status)];
        const isSame = judged.answer.headers.get("etag") === tag;
        const message = "The entity tag that was given is answered with the whole answer";
        return isSame ? [{ rule: httpRules.notModified, message, ...withPlace(operation.place) }] : [];
      },
    ),
    ask(
      "other-tag",
      () => '"nodewright-no-such-tag"',
      ({ judged }) => {
        const { status } = judged.answer;
        return isSuccessStatus(status) ? judged.findings : [unexpected("an entity tag that was never given", status)];
      },
    ),
  ];
}

function unexpected(what: string, status: number): Finding {
  return { rule: httpRules.conditional, message: `A condition with ${what} is answered with status ${status}` };
}

/** What belongs to no operation: a path that nothing is at, and a media type that nobody serves. */
export function planUnknownPath(context: HttpContext): readonly PlannedCase[] {
  const request: PlainRequest = { method: "GET", path: "/nosuchpathhere", query: "", headers: {} };
  const catchesAll = context.suite.operations.some(({ path }) => /^\/?\{[^{}]*\}$/.test(path));
  if (catchesAll) return [];
  return [
    {
      id: "(protocol)/protocol/unknown-path",
      operation: "(protocol)",
      group: "protocol",
      rule: httpRules.unknownPath,
      expected: "status 404",
      writes: false,
      requests: 1,
      isLive: false,
      preview: [request],
      play: async (play) => {
        const answer = await play.send(request);
        const { status } = answer;
        if (status === 404 || status === 401 || status === 403) return [];
        const message = `A path that nothing is at is answered with status ${status}`;
        if (status >= 500) return [{ rule: httpRules.serverError, message }];
        // A page for people, from what stands before the interface, is no answer of it.
        const isOfInterface = isSuccessStatus(status) && /[/+]json$/.test(mediaTypeOf(answer));
        return [{ rule: isOfInterface ? httpRules.inventedPath : httpRules.unknownPath, message }];
      },
    },
  ];
}

/** Of one operation: a media type that it can't serve. */
export function planAccept(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const observed = wellObserved(context, operation.name)[0];
  if (observed === undefined || operation.method !== "GET") return [];
  const isFirst = [...context.operations.values()].find(({ method }) => method === "GET") === operation;
  if (!isFirst) return [];
  const request = requestOf(operation, { ...observed.input, accept: "application/x-nodewright" });
  if (request === undefined) return [];
  return [
    caseOf(context, operation, {
      group: "negative",
      name: "accept-nothing-known",
      rule: httpRules.accept,
      expected: "status 406, or a documented answer",
      play: async (play) => {
        const judged = judgeAnswer(operation, await play.send(request), context.types);
        const observation: Observation = { operation, input: observed.input, request, judged };
        const { status } = judged.answer;
        if (status === 406 || status === 415) return [];
        if (status >= 500) return anyFindings(context, play, observation);
        const message = `A media type that is not served is answered with status ${status}`;
        return isSuccessStatus(status) ? [] : [{ rule: httpRules.accept, message, ...detailOf(observation) }];
      },
    }),
  ];
}

/** A path without the names of its holes. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}
