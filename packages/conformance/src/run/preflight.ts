import type { PlannedCase } from "../contract/planned-case.ts";
import { rpcOffer } from "../capabilities/offer.ts";
import { readRpcReply } from "../capabilities/rpc-reply.ts";
import type { ConformanceSuite, SuiteSuccess } from "../suite/suite.ts";
import type { Answer, PlainRequest, RecordedExchange } from "../contract/exchange.ts";
import { Interruption, type InterruptionCause } from "../client/interruption.ts";
import type { Sender } from "../client/sender.ts";

/** The operation that requests before the first case stand under. */
export const preflightOperation = "(preflight)";

/** Requests that are asked before it is said that nothing can be said. */
const mostRequests = 3;
const madeUpName = "nodewright-conform-asks-for-nothing";

/** Why nothing can be said of a target; undefined when something can. */
export async function findObstacle(
  suite: ConformanceSuite,
  probes: readonly PlainRequest[],
  sender: Sender,
): Promise<string | undefined> {
  const obstacles: Obstacle[] = [];
  for (const request of probes) {
    const obstacle = await ask(suite, request, sender);
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
  /** True: asking for something else changes nothing. */
  readonly isFinal?: boolean;
}

/** Requests that any target answers which is there at all; the last one asks for nothing that is described. */
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
    if (requests.size === mostRequests - 1) break;
  }
  return [...requests.values(), madeUpRequest(suite)];
}

/** Operations that let everybody in: where there are some, a target that refuses the key can be judged by them. */
function openOperations(suite: ConformanceSuite): ReadonlySet<string> {
  const operations = suite.protocol === "http" ? suite.operations : [];
  const open = operations.filter(({ security }) => security?.some((requirement) => requirement.length === 0) === true);
  return new Set(open.map(({ name }) => name));
}

/** A request that asks for nothing that is described. */
export function madeUpRequest(suite: ConformanceSuite): PlainRequest {
  const json = { "content-type": "application/json", accept: "application/json" };
  switch (suite.protocol) {
    case "http":
      return { method: "GET", path: `/${madeUpName}`, query: "", headers: { accept: "application/json" } };
    case "rpc":
      return {
        method: "POST",
        path: "",
        query: "",
        headers: json,
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "nodewright_noSuchMethod", params: [] }),
      };
    case "graphql":
      return { method: "POST", path: "", query: "", headers: json, body: JSON.stringify({ query: "{ __typename }" }) };
    default:
      return suite satisfies never;
  }
}

/** Returns what became of a request that no case is about; undefined where it was not sent. */
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

async function ask(suite: ConformanceSuite, request: PlainRequest, sender: Sender): Promise<Obstacle | undefined> {
  try {
    const answer = await sender.send(request, { operation: preflightOperation, writes: false });
    return obstacleOf(suite, answer, sender);
  } catch (reason) {
    if (reason instanceof Interruption) return interruptedBy(reason.why);
    throw reason;
  }
}

function interruptedBy(why: InterruptionCause): Obstacle {
  switch (why.kind) {
    case "no-answer":
      return {
        kind: why.trouble.kind,
        sentence: `The target can't be reached: ${why.trouble.text}.`,
        isFinal: why.trouble.kind !== "reset" && why.trouble.kind !== "malformed" && why.trouble.kind !== "timeout",
      };
    case "too-large":
      return { kind: why.kind, sentence: `The target's answers go on beyond ${why.limit} bytes.` };
    case "busy":
      return { kind: why.kind, sentence: `The target is too busy: ${why.text}.`, isFinal: true };
    case "ended":
    case "budget":
    case "withheld":
    case "skipped":
      return { kind: why.kind, sentence: `The run ended before anything was answered: ${why.text}.`, isFinal: true };
    default:
      return why satisfies never;
  }
}

function obstacleOf(suite: ConformanceSuite, answer: Answer, sender: Sender): Obstacle | undefined {
  const { status, headers, text = "" } = answer;
  if (status >= 300 && status < 400 && headers.has("location") && !describesRedirects(suite)) {
    return {
      kind: "redirect",
      sentence: `The target redirects (${status}) to ${whereTo(headers.get("location") ?? "", sender)}: give that address if it is the API's.`,
    };
  }
  if (status === 401 || status === 403 || status === 407) return denial(suite, answer, sender);
  if (status === 502 || status === 503 || status === 504) {
    return { kind: `gateway ${status}`, sentence: `A gateway answers in place of the target: ${status}.` };
  }
  // JSON under this type is the API's with a wrong header, which its rules report.
  const isHtml = /^text\/html|^application\/xhtml/i.test(headers.get("content-type") ?? "") && !/^\s*[[{]/.test(text);
  if (isHtml && !describesHtml(suite)) {
    return {
      kind: "html",
      sentence: `The address answers HTML${titleOf(text, sender)}, not the API (status ${status}).`,
    };
  }
  const { error } = (suite.protocol === "rpc" ? readRpcReply(text) : undefined) ?? {};
  return error !== undefined && deniedWords.test(`${error.message} ${error.data}`)
    ? denial(suite, answer, sender)
    : undefined;
}

const deniedWords =
  /\bunauthori[sz]ed\b|\bunauthenticated\b|\b(?:invalid|missing|wrong|unknown) (?:api[ -]?)?(?:key|token)\b|\bauthenticat(?:e|ion)\b|must be authenticated/i;

/** A 403 that says that the one operation is switched off is not about the key. */
function denial(suite: ConformanceSuite, answer: Answer, { hasKey, hasSecretHeaders }: Sender): Obstacle | undefined {
  if (suite.protocol === "rpc" && rpcOffer(answer)?.availability === "disabled") return undefined;
  return {
    kind: "denied",
    sentence: hasKey
      ? `The target refuses the key (${answer.status}).`
      : hasSecretHeaders
        ? `The target refuses the headers that were given (${answer.status}), or wants a key beside them.`
        : `The target wants a key (${answer.status}), and none was given.`,
  };
}

/** Without query, where keys are repeated. */
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
