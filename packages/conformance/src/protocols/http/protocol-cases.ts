import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import { type CasePlay, type PlannedCase, protocolOperation } from "../../contract/planned-case.ts";
import { showValue } from "../../compare/show-value.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import type { Answer, PlainRequest } from "../../contract/exchange.ts";
import { documentsStatus, isSuccessStatus, judgeAnswer } from "./http-answer.ts";
import { kebabCase } from "../../types/kebab-case.ts";
import { mediaTypeOf } from "../../client/media-type.ts";
import { contentFor } from "./http-body.ts";
import { caseOf, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { anyFindings, detailOf, successFindings } from "./http-expect.ts";
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

function planHead(context: HttpContext, observed: Observation): PlannedCase {
  const { operation, input, request, judged: got } = observed;
  const head: PlainRequest = { ...request, method: "HEAD" };
  return caseOf(context, operation, {
    group: "protocol",
    name: "head",
    rule: httpRules.head,
    expected: "the status and the headers of GET, without content",
    requests: 2,
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
      const lengths = await lengthFindings(play, observation, observed);
      // Headers are those of GET, where they were judged already; servers may leave out what costs them to find out.
      return [...found, ...lengths, ...judged.findings.filter(({ rule }) => rule === httpRules.noContent)];
    },
  });
}

/** The length that HEAD tells is that of the answer to the same GET (RFC 9110, section 8.6), which is asked once more for it. */
async function lengthFindings(
  play: CasePlay,
  { operation, judged }: Observation,
  got: Observation,
): Promise<readonly Finding[]> {
  const told = plainLength(judged.answer.headers);
  const first = plainLength(got.judged.answer.headers);
  // What is sent in pieces has no length to compare.
  if (told === undefined || first === undefined || told === first || !isSuccessStatus(judged.answer.status)) return [];
  const again = await play.send(got.request);
  // Nor has what is another each time: equal lengths say nothing of a body with a clock.
  if (plainLength(again.headers) !== first || !hasSameContent(again, got.judged.answer)) return [];
  const message = "HEAD has another Content-Length than GET";
  return [{ rule: httpRules.head, message, detail: `${told} instead of ${first}`, ...withPlace(operation.place) }];
}

function hasSameContent(left: Answer, right: Answer): boolean {
  return left.isCut === right.isCut && Buffer.compare(left.bytes, right.bytes) === 0;
}

/** The length of an answer that is not compressed: packed as one goes, it is known afterwards only. */
function plainLength(headers: ReadonlyMap<string, string>): string | undefined {
  return headers.has("content-encoding") ? undefined : headers.get("content-length");
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

/** Of answers that have an entity tag, or the time of their last change. */
function planConditions(context: HttpContext, observed: Observation): readonly PlannedCase[] {
  const { operation, input, request, judged: got } = observed;
  const tag = got.answer.headers.get("etag");
  const changed = Date.parse(got.answer.headers.get("last-modified") ?? "");
  const ask = (
    name: string,
    given: Readonly<Record<string, string>>,
    check: (observation: Observation, play: CasePlay) => readonly Finding[] | Promise<readonly Finding[]>,
  ): PlannedCase =>
    caseOf(context, operation, {
      group: "protocol",
      name,
      rule: httpRules.conditional,
      expected: "status 304 where nothing changed, else the answer",
      isLive: true,
      play: async (play) => {
        const sent: PlainRequest = { ...request, headers: { ...request.headers, ...given } };
        const answer = await play.send(sent);
        const judged = judgeAnswer(operation, answer, context.types);
        const observation: Observation = { operation, input, request: sent, judged };
        if (answer.status >= 500) return anyFindings(context, play, observation);
        return await check(observation, play);
      },
    });
  const answered =
    (what: string) =>
    (observation: Observation): readonly Finding[] => {
      const { status } = observation.judged.answer;
      return isSuccessStatus(status) ? observation.judged.findings : [unexpected(what, status)];
    };
  const ofTag = (given: string): readonly PlannedCase[] => [
    ask("same-tag", { "if-none-match": given }, async (observation, play) => [
      ...sameTagFindings(observation, given),
      ...(await restlessTagFindings(play, observation)),
    ]),
    ask("other-tag", { "if-none-match": '"nodewright-no-such-tag"' }, answered("an entity tag that was never given")),
  ];
  // Well before the last change that the answer tells of.
  const before = new Date(changed - longBefore);
  const ofTime = (): PlannedCase =>
    ask("changed-since", { "if-modified-since": before.toUTCString() }, answered("a time before the last change"));
  return [...(tag === undefined ? [] : ofTag(tag)), ...(Number.isNaN(before.getTime()) ? [] : [ofTime()])];
}

/** A year, in milliseconds. */
const longBefore = 31_536_000_000;

function sameTagFindings({ operation, judged }: Observation, given: string): readonly Finding[] {
  const { status, headers } = judged.answer;
  const where = withPlace(operation.place);
  if (status === 304) {
    const found = judged.findings.filter(({ rule }) => rule === httpRules.noContent);
    // RFC 9110, section 15.4.5: what a 200 would have had of it.
    const message = "The 304 has no ETag, which the 200 has";
    return headers.has("etag") ? found : [...found, { rule: httpRules.conditional, message, ...where }];
  }
  if (!isSuccessStatus(status)) return [unexpected("the entity tag that was given", status)];
  if (headers.get("etag") !== given) return [];
  const message = "The entity tag that was given is answered with the whole answer";
  return [
    { rule: documentsCondition(operation) ? httpRules.documentedCondition : httpRules.notModified, message, ...where },
  ];
}

/** Responses in a row, each to a request with the entity tag of the one before, after which a tag is taken for one that never stays. */
const restlessReads = 3;

/** A validator that is another in each response says nothing of the content, which is the same in all of them. */
async function restlessTagFindings(
  play: CasePlay,
  { operation, request, judged }: Observation,
): Promise<readonly Finding[]> {
  const tags = new Set([request.headers["if-none-match"]]);
  for (let { answer } = judged; ; ) {
    const tag = answer.headers.get("etag");
    if (!isSuccessStatus(answer.status) || tag === undefined || tags.has(tag)) return [];
    tags.add(tag);
    if (tags.size > restlessReads) break;
    const next = await play.send({ ...request, headers: { ...request.headers, "if-none-match": tag } });
    if (!hasSameContent(next, answer)) return [];
    answer = next;
  }
  const message = "The entity tag is another in each response, though the content is the same";
  return [{ rule: httpRules.tagOfContent, message, detail: [...tags].join(", "), ...withPlace(operation.place) }];
}

/** Whether the description says that the operation looks at conditions. */
function documentsCondition(operation: SuiteHttpOperation): boolean {
  const hasHeader = operation.parameters.some(
    ({ location, name }) => location === "header" && name.toLowerCase() === "if-none-match",
  );
  return hasHeader || documentsStatus(operation, 304);
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
      id: `${protocolOperation}/protocol/unknown-path`,
      operation: protocolOperation,
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

/** Each further media type of a documented success, asked for alone. */
export function planOffered(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const observed = wellObserved(context, operation.name)[0];
  if (observed === undefined || operation.method !== "GET") return [];
  const contents = operation.successes
    .filter(({ status }) => status === observed.judged.success?.status)
    .flatMap(({ content }) => (content === undefined || content.mediaType.includes("*") ? [] : [content]));
  const isChosen = operation.parameters.some(({ name }) => /^(?:format|accept|output|alt|type)$/i.test(name));
  if (contents.length < 2 || isChosen) return [];
  return contents.map((content) =>
    caseOf(context, operation, {
      group: "protocol",
      name: `offered-${kebabCase(content.mediaType)}`,
      rule: httpRules.offered,
      expected: `a success of ${content.mediaType}`,
      isLive: true,
      play: async (play) => {
        const headers = { ...observed.request.headers, accept: content.mediaType };
        const request: PlainRequest = { ...observed.request, headers };
        const judged = judgeAnswer(operation, await play.send(request), context.types);
        const observation: Observation = { ...observed, request, judged };
        if (judged.kind !== "success") return successFindings(context, play, observation, httpRules.offered);
        const served = mediaTypeOf(judged.answer);
        if (contentFor([content], served) !== undefined) return judged.findings;
        // A server may disregard what is asked for (RFC 9110, section 12.5.1), unless it says itself that it looks at it.
        const isNegotiated = /(?:^|,)\s*accept\s*(?:,|$)/i.test(judged.answer.headers.get("vary") ?? "");
        const rule = isNegotiated ? httpRules.offered : httpRules.offeredLikely;
        const message = `${content.mediaType} is asked for, and another media type is served`;
        return [...judged.findings, { rule, message, detail: served, ...withPlace(operation.place) }];
      },
    }),
  );
}

/** Of one operation: a media type that it can't serve. */
export function planAccept(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const observed = wellObserved(context, operation.name)[0];
  if (observed === undefined || operation.method !== "GET") return [];
  const isFirst = [...context.operations.values()].find(({ method }) => method === "GET") === operation;
  if (!isFirst && !documentsStatus(operation, 406)) return [];
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
        if (isSuccessStatus(status) && operation.failures.some((failure) => failure.status === 406)) {
          const accepted = "A media type that is not served is answered with a success instead of the documented 406";
          return [{ rule: httpRules.documentedAccept, message: accepted, ...withPlace(operation.place) }];
        }
        return isSuccessStatus(status) ? [] : [{ rule: httpRules.accept, message, ...detailOf(observation) }];
      },
    }),
  ];
}

/** A path without the names of its holes. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}
