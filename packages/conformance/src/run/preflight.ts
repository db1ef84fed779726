import { jsonPost } from "../capabilities/target-queries.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import { readRpcReply, rpcOffer } from "../capabilities/offer.ts";
import type { ConformanceSuite, SuiteSuccess } from "../suite/suite.ts";
import type { PlainRequest, ReceivedResponse, RecordedExchange } from "../contract/exchange.ts";
import { Interruption, type InterruptionCause } from "../client/interruption.ts";
import type { Sender } from "../client/sender.ts";

/** Operation name of requests before the first case. */
export const preflightOperation = "(preflight)";

/** Maximum number of requests before the run is reported as inconclusive. */
const maximumRequests = 3;
const madeUpName = "nodewright-conform-asks-for-nothing";

/** Returns why a run would be inconclusive; `undefined` when it would not. */
export async function findObstacle(
  suite: ConformanceSuite,
  probes: readonly PlainRequest[],
  sender: Sender,
): Promise<string | undefined> {
  const obstacles: Obstacle[] = [];
  for (const request of probes) {
    const obstacle = await callOperation(suite, request, sender);
    if (obstacle === undefined) return undefined;
    obstacles.push(obstacle);
    if (obstacle.isFinal === true) return obstacle.sentence;
  }
  const kinds = new Set(obstacles.map(({ kind }) => kind));
  return kinds.size === 1 ? obstacles[0]?.sentence : undefined;
}

interface Obstacle {
  readonly kind: string;
  readonly sentence: string;
  /** Whether further requests would not change it. */
  readonly isFinal?: boolean;
}

/** Returns requests to which any available target responds; the last one is for an undescribed operation. */
export function probesOf(suite: ConformanceSuite, planned: readonly PlannedCase[]): readonly PlainRequest[] {
  const requests = new Map<string, PlainRequest>();
  const open = openOperations(suite);
  const byOpenness = planned.toSorted(
    (one, other) => Number(open.has(other.operation)) - Number(open.has(one.operation)),
  );
  for (const { operation, preview = [], writes } of byOpenness) {
    const [first] = preview;
    if (writes || first === undefined || (suite.protocol === "http" && first.method !== "GET")) continue;
    requests.set(operation, first);
    if (requests.size === maximumRequests - 1) break;
  }
  return [...requests.values(), madeUpRequest(suite)];
}

/** Returns the operations without security: with these, a target that refuses the key can still be checked. */
function openOperations(suite: ConformanceSuite): ReadonlySet<string> {
  const operations = suite.protocol === "http" ? suite.operations : [];
  const open = operations.filter(({ security }) => security?.some((requirement) => requirement.length === 0) === true);
  return new Set(open.map(({ name }) => name));
}

/** Returns a request for an undescribed operation. */
export function madeUpRequest(suite: ConformanceSuite): PlainRequest {
  switch (suite.protocol) {
    case "http":
      return { method: "GET", path: `/${madeUpName}`, query: "", headers: { accept: "application/json" } };
    case "rpc":
      return jsonPost({ jsonrpc: "2.0", id: 1, method: "nodewright_noSuchMethod", params: [] });
    case "graphql":
      return jsonPost({ query: "{ __typename }" });
    default:
      return suite satisfies never;
  }
}

/** Returns the exchange of a request outside of cases; `undefined` when it was not sent. */
export async function exchangeOf(request: PlainRequest, sender: Sender): Promise<RecordedExchange | undefined> {
  let exchange: RecordedExchange | undefined;
  const onRecord = (record: RecordedExchange): void => {
    exchange = record;
  };
  try {
    await sender.send(request, { operation: preflightOperation, writes: false, onRecord });
  } catch (reason) {
    if (!(reason instanceof Interruption)) throw reason;
  }
  return exchange;
}

async function callOperation(
  suite: ConformanceSuite,
  request: PlainRequest,
  sender: Sender,
): Promise<Obstacle | undefined> {
  try {
    const response = await sender.send(request, { operation: preflightOperation, writes: false });
    return obstacleOf(suite, response, sender);
  } catch (reason) {
    if (reason instanceof Interruption) return interruptedBy(reason.why);
    throw reason;
  }
}

function interruptedBy(why: InterruptionCause): Obstacle {
  switch (why.kind) {
    case "no-response":
      return {
        kind: why.trouble.kind,
        sentence: `The target can't be reached: ${why.trouble.text}.`,
        isFinal: why.trouble.kind !== "reset" && why.trouble.kind !== "malformed" && why.trouble.kind !== "timeout",
      };
    case "too-large":
      return { kind: why.kind, sentence: `The target's responses exceed ${why.limit} bytes.` };
    case "busy":
      return { kind: why.kind, sentence: `The target is too busy: ${why.text}.`, isFinal: true };
    case "ended":
    case "budget":
    case "withheld":
    case "skipped":
      return { kind: why.kind, sentence: `The run ended before the first response: ${why.text}.`, isFinal: true };
    default:
      return why satisfies never;
  }
}

function obstacleOf(suite: ConformanceSuite, response: ReceivedResponse, sender: Sender): Obstacle | undefined {
  const { status, headers, text = "" } = response;
  if (status >= 300 && status < 400 && headers.has("location") && !describesRedirects(suite)) {
    return {
      kind: "redirect",
      sentence: `The target redirects (${status}) to ${whereTo(headers.get("location") ?? "", sender)}: give that address if it is the API's.`,
    };
  }
  if (status === 401 || status === 403 || status === 407) return denial(suite, response, sender);
  if (status === 502 || status === 503 || status === 504) {
    return { kind: `gateway ${status}`, sentence: `A gateway responds in place of the target: ${status}.` };
  }
  // JSON with this media type is the API's own with a wrong header, which a rule reports.
  const isHtml = /^text\/html|^application\/xhtml/i.test(headers.get("content-type") ?? "") && !/^\s*[[{]/.test(text);
  if (isHtml && !describesHtml(suite)) {
    return {
      kind: "html",
      sentence: `The address returns HTML${titleOf(text, sender)}, not the API (status ${status}).`,
    };
  }
  const { error } = (suite.protocol === "rpc" ? readRpcReply(text) : undefined) ?? {};
  return error !== undefined && deniedWords.test(`${error.message} ${error.data}`)
    ? denial(suite, response, sender)
    : undefined;
}

const deniedWords =
  /\bunauthori[sz]ed\b|\bunauthenticated\b|\b(?:invalid|missing|wrong|unknown) (?:api[ -]?)?(?:key|token)\b|\bauthenticat(?:e|ion)\b|must be authenticated/i;

/** Returns the obstacle of a refused key; a 403 that reports a disabled operation is not one. */
function denial(
  suite: ConformanceSuite,
  response: ReceivedResponse,
  { hasKey, hasSecretHeaders }: Sender,
): Obstacle | undefined {
  if (suite.protocol === "rpc" && rpcOffer(response)?.availability === "disabled") return undefined;
  return {
    kind: "denied",
    sentence: hasKey
      ? `The target refuses the key (${response.status}).`
      : hasSecretHeaders
        ? `The target refuses the given headers (${response.status}), or requires a key in addition.`
        : `The target wants a key (${response.status}), and none was given.`,
  };
}

/** Returns a redirect's destination without its query, where servers repeat keys. */
function whereTo(location: string, { mask }: Sender): string {
  return mask.mask(location.replace(/[?#].*$/s, "")).slice(0, 200);
}

function titleOf(text: string, { mask }: Sender): string {
  const title = /<title[^>]*>([^<]{1,80})/i.exec(text)?.[1]?.trim();
  return title === undefined || title === "" ? "" : ` ("${mask.mask(title)}")`;
}

function describesRedirects(suite: ConformanceSuite): boolean {
  return httpSuccesses(suite).some(({ status }) => /^3(?:XX|\d\d)$/.test(String(status)));
}

function describesHtml(suite: ConformanceSuite): boolean {
  return httpSuccesses(suite).some(({ content }) => /html|\*\/\*/.test(content?.mediaType ?? ""));
}

function httpSuccesses(suite: ConformanceSuite): readonly SuiteSuccess[] {
  return suite.protocol === "http" ? suite.operations.flatMap(({ successes }) => successes) : [];
}
