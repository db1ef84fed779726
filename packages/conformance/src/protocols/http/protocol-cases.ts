import type { Rule } from "../../contract/rule.ts";
import { shapeOf } from "../../compare/served-operations.ts";
import { showValue } from "../../compare/show-value.ts";
import type { ReceivedResponse, PlainRequest } from "../../contract/exchange.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import { type CaseDraft, type CasePlay, type PlannedCase, protocolCase } from "../../contract/planned-case.ts";
import { kebabCase } from "@nodewright/api-values";
import { planConditions } from "./conditional-cases.ts";
import { detailOf, documentsStatus, isSuccessStatus } from "./classify-response.ts";
import { contentFor, mediaTypeOf } from "../../client/read-content.ts";
import { type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import type { HttpOperation } from "./http-operation.ts";
import { contentOf, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { faultOf, hasSameContent, variantOf, withHeaders } from "./variant-case.ts";

/** Plans checks for every path of every server: HEAD, unsupported methods, conditional requests, media types. */
export function planProtocol({ context, source: operation }: HttpOperation): readonly CaseDraft[] {
  const observed = wellObserved(context, operation.name)[0];
  if (observed === undefined || operation.method !== "GET") return [];
  return [
    planHead(context, observed),
    ...planOtherMethod(context, observed),
    ...planConditions(context, observed),
    ...planOffered(context, observed),
  ];
}

function planHead(context: HttpContext, from: Observation): CaseDraft {
  const rule = httpRules.head;
  return variantOf(context, from, {
    name: "head",
    rule,
    expected: "the status and the headers of GET, without content",
    requests: 2,
    isLive: true,
    request: { ...from.request, method: "HEAD" },
    check: async ({ checked: { response, findings } }, play) => {
      const { status } = response;
      const other = faultOf(from, rule, `HEAD has the status ${status}`);
      if ([404, 405, 501].includes(status)) {
        const first = await headOfFirst(context, from, play);
        if (first === status) play.skip("Another operation reports that HEAD has this status");
        return [other];
      }
      if (status >= 500) return findings;
      const [own, given] = [mediaTypeOf(response), mediaTypeOf(from.checked.response)];
      const type = faultOf(from, rule, "HEAD has another Content-Type than GET", `${own} instead of ${given}`);
      return [
        ...(status === from.checked.response.status ? [] : [other]),
        ...(own === "" || own === given ? [] : [type]),
        ...(await lengthFindings(play, response, from)),
        // Headers were checked with the GET already; servers may omit those that are expensive to compute for HEAD.
        ...findings.filter((one) => one.rule === httpRules.noContent),
      ];
    },
  });
}

/** Returns the status of HEAD for the first operation, which reports a status that all operations share; undefined for that one itself. */
async function headOfFirst(context: HttpContext, from: Observation, play: CasePlay): Promise<number | undefined> {
  const gets = [...context.operations.values()].filter(({ method }) => method === "GET");
  const first = gets.flatMap(({ name }) => wellObserved(context, name).slice(0, 1))[0];
  if (first === undefined || first.operation === from.operation) return undefined;
  return (await play.send({ ...first.request, method: "HEAD" })).status;
}

/** Checks that the `Content-Length` of HEAD is that of the same GET (RFC 9110, section 8.6), which is repeated once. */
async function lengthFindings(play: CasePlay, head: ReceivedResponse, got: Observation): Promise<readonly Finding[]> {
  const reported = plainLength(head.headers);
  const first = plainLength(got.checked.response.headers);
  // A chunked response has no length to compare.
  if (reported === undefined || first === undefined || reported === first || !isSuccessStatus(head.status)) return [];
  const again = await play.send(got.request);
  // A body that changes each time, as with a clock, has no comparable length either.
  if (plainLength(again.headers) !== first || !hasSameContent(again, got.checked.response)) return [];
  return [faultOf(got, httpRules.head, "HEAD has another Content-Length than GET", `${reported} instead of ${first}`)];
}

/** Returns the length of an uncompressed response: compression on the fly makes it known only at the end. */
function plainLength(headers: ReadonlyMap<string, string>): string | undefined {
  return headers.has("content-encoding") ? undefined : headers.get("content-length");
}

/**
 * Plans a request with a method that paths rarely have. Nothing beyond GET, HEAD and OPTIONS is sent without permission. PROPFIND is safe
 * as well (RFC 4918, section 9.1), but gateways consider it an attack.
 */
function planOtherMethod(context: HttpContext, from: Observation): readonly CaseDraft[] {
  const own = [...context.operations.values()].filter(({ path }) => shapeOf(path) === shapeOf(from.operation.path));
  const methods: readonly string[] = [...new Set(own.map(({ method }) => method))];
  const method = context.session.options.allowWrites === true ? "PROPFIND" : "OPTIONS";
  if (methods.includes(method)) return [];
  const otherwise = method === "OPTIONS" ? " where OPTIONS does not succeed" : "";
  const { body: _body, ...plain } = from.request;
  const variant = variantOf(context, from, {
    name: "other-method",
    rule: httpRules.methodNotAllowed,
    expected: `status 405, Allow naming ${methods.join(", ")}${otherwise}`,
    request: { ...plain, method },
    check: ({ checked }) => {
      const { status, headers } = checked.response;
      if (status === 501 || status === 400) return [];
      if (status >= 500) return checked.findings.filter(({ rule }) => rule === httpRules.serverError);
      // Any path may support OPTIONS (RFC 9110, section 9.3.7), documented or not, and gateways respond in its place.
      const isOptions = method === "OPTIONS" && status !== 405;
      if (isOptions && (status === 401 || status === 403 || (status < 400 && !headers.has("allow")))) return [];
      if (status !== 405 && !(isOptions && status < 400)) {
        const message = `A method that the path does not have results in the status ${status}`;
        return [faultOf(from, httpRules.methodNotAllowed, message, detailOf(checked.response))];
      }
      const allow = headers.get("allow");
      if (allow === undefined) return [faultOf(from, httpRules.allow, "The 405 has no Allow")];
      const named = allow.split(",").map((one) => one.trim().toUpperCase());
      const missing = methods.filter((one) => !named.includes(one));
      if (missing.length === 0) return [];
      const rule = status === 405 && missing.length === methods.length ? httpRules.allow : httpRules.allowNames;
      return [faultOf(from, rule, `Allow does not name ${missing.join(", ")}`, showValue(allow))];
    },
  });
  return [variant];
}

/** Plans a request to a path that does not exist; it belongs to no operation. */
export function planUnknownPath(context: HttpContext): readonly PlannedCase[] {
  const request: PlainRequest = { method: "GET", path: "/nosuchpathhere", query: "", headers: {} };
  const catchesAll = context.suite.operations.some(({ path }) => /^\/?\{[^{}]*\}$/.test(path));
  if (catchesAll) return [];
  return [
    protocolCase({
      name: "unknown-path",
      group: "protocol",
      rule: httpRules.unknownPath,
      expected: "status 404",
      preview: [request],
      play: async (play) => {
        const response = await play.send(request);
        const { status } = response;
        if (status === 404 || status === 401 || status === 403) return [];
        const message = `A path that does not exist results in the status ${status}`;
        if (status >= 500) return [{ rule: httpRules.serverError, message }];
        // An HTML page of a server in front of the API is not a response of the API.
        const isOfInterface = isSuccessStatus(status) && /[/+]json$/.test(mediaTypeOf(response));
        return [{ rule: isOfInterface ? httpRules.inventedPath : httpRules.unknownPath, message }];
      },
    }),
  ];
}

/** Plans a request for each further media type of a documented success, as the only accepted one. */
function planOffered(context: HttpContext, from: Observation): readonly CaseDraft[] {
  const { successes, parameters } = from.operation;
  const contents = successes
    .filter(({ status }) => status === from.checked.documented)
    .flatMap(({ content }) => (content === undefined || content.mediaType.includes("*") ? [] : [content]));
  const isChosen = parameters.some(({ name }) => /^(?:format|accept|output|alt|type)$/i.test(name));
  if (contents.length < 2 || isChosen) return [];
  return contents.map((content) =>
    variantOf(context, from, {
      name: `offered-${kebabCase(content.mediaType)}`,
      rule: httpRules.offered,
      expected: `a success of ${content.mediaType}`,
      isLive: true,
      request: withHeaders(from, { accept: content.mediaType }),
      check: (observation) => {
        const { kind, response, findings } = observation.checked;
        if (kind !== "success") return successFindings(observation, httpRules.offered);
        const served = mediaTypeOf(response);
        if (contentFor([content], served) !== undefined) return findings;
        // A server may ignore `Accept` (RFC 9110, section 12.5.1), unless its `Vary` names it.
        const isNegotiated = /(?:^|,)\s*accept\s*(?:,|$)/i.test(response.headers.get("vary") ?? "");
        const rule = isNegotiated ? httpRules.offered : httpRules.offeredHeuristic;
        const message = `${content.mediaType} is accepted, and another media type is served`;
        return [...findings, faultOf(from, rule, message, served)];
      },
    }),
  );
}

/** Plans a request for a media type that no server supports, for one operation and for those with a documented 406. */
export function planAccept({ context, source: operation }: HttpOperation): readonly CaseDraft[] {
  const observed = wellObserved(context, operation.name)[0];
  if (observed === undefined || operation.method !== "GET") return [];
  const isFirst = [...context.operations.values()].find(({ method }) => method === "GET") === operation;
  if (!isFirst && !documentsStatus(operation, 406)) return [];
  const request = requestOf(operation, { ...observed.input, accept: "application/x-nodewright" });
  if (request === undefined) return [];
  const variant = variantOf(context, observed, {
    group: "negative",
    name: "accept-nothing-known",
    rule: httpRules.accept,
    expected: "status 406, or a documented response",
    request,
    check: ({ checked }) => {
      const { status } = checked.response;
      if (status === 406 || status === 415) return [];
      if (status >= 500) return checked.findings;
      const what = "A media type that is not served results in";
      if (!isSuccessStatus(status))
        return [finding(httpRules.accept, `${what} status ${status}`, detailOf(checked.response))];
      const isDocumented = operation.failures.some((failure) => failure.status === 406);
      const message = `${what} a success instead of the documented 406`;
      return isDocumented ? [faultOf(observed, httpRules.documentedAccept, message)] : [];
    },
  });
  return [variant];
}

/** Plans unreadable bodies. */
export function planBrokenBodies({ context, source: operation, base }: HttpOperation): readonly CaseDraft[] {
  const request = base && requestOf(operation, base);
  const content = contentOf(operation, base);
  if (base === undefined || request?.body === undefined || content?.form !== "json") return [];
  const { headers } = request;
  const variants: readonly (readonly [string, Rule, string, PlainRequest])[] = [
    ["body-no-json", httpRules.brokenBody, "A body that is not JSON", { ...request, body: '{"' }],
    [
      "body-other-media-type",
      httpRules.unknownMediaType,
      "A body of another media type",
      { ...request, headers: { ...headers, "content-type": "application/x-nodewright" } },
    ],
  ];
  return variants.map(([name, rule, what, sent]) =>
    variantOf(
      context,
      { operation, input: base },
      {
        group: "negative",
        name,
        rule,
        expected: "a failure of the caller's: 400, 415 or 422",
        request: sent,
        check: ({ checked }) =>
          isSuccessStatus(checked.response.status)
            ? [finding(rule, `${what} is accepted`, detailOf(checked.response), { place: operation.body?.place })]
            : checked.findings,
      },
    ),
  );
}
