import { isRecord } from "@nodewright/api-model";
import type { Finding } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { type CasePlay, protocolOperation } from "../../contract/planned-case.ts";
import { shorten, showValue } from "../../compare/show-value.ts";
import type { Answer } from "../../contract/exchange.ts";
import { isImmutable } from "./immutability.ts";
import { findPlainCall, type PlainCall, plainCall, type ProtocolDraft, skipCut } from "./protocol-case.ts";
import { refusedFindings, silenceFindings } from "./protocol-request-cases.ts";
import { askWith, errorCodes, faultText, resultFindings, resultType } from "./rpc-call.ts";
import { judgedMethods, memoryKey, type RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { mediaTypeFindings, readBody, readResponse, type RpcReply, statusFindings } from "./rpc-reply.ts";
import { type RequestId, rpcPost } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";
import { differencesOf, valueFindings } from "./same-answer.ts";

/** Calls in the largest batch. */
const largeBatch = 20;
/** Of one method in it. */
const mostAlike = 3;

/** Section 6: the smallest batch that there is. Where it is refused, no other one is tried. */
export function firstBatchDraft(context: RpcContext, call: PlainCall): ProtocolDraft {
  const members = ["a", 2].map((id) => ({ id, call }));
  const expected = "a list of two results with the ids of their requests, in any order";
  const refuse = (findings: readonly Finding[]): readonly Finding[] => {
    context.state.isBatchRefused = true;
    return findings;
  };
  return batchDraft({ name: "batch", expected, texts: members.map(memberText), refuse }, (elements) =>
    matchFindings(context, elements, members),
  );
}

/** Batches of all kinds. */
export function batchDrafts(context: RpcContext): readonly ProtocolDraft[] {
  const call = findPlainCall(context);
  if (call === undefined || context.state.isBatchRefused) return [];
  const only = [{ id: "only", call }];
  const mixed = [
    { id: "a", call },
    { id: 2, call },
  ];
  const [first = "", second = ""] = mixed.map(memberText);
  return [
    // A list of one call is a batch as well.
    batchDraft(
      {
        name: "batch-of-one",
        expected: "a list of one result with the id of its request",
        texts: only.map(memberText),
      },
      (elements) => matchFindings(context, elements, only),
    ),
    batchDraft(
      {
        name: "mixed-batch",
        rule: rpcRules.batchAnswers,
        expected: "two results and one error -32600, nothing for the notification",
        texts: [first, notificationText(call), "1", second],
      },
      (elements) => {
        const invalid = elements.filter((one) => isRecord(one) && (one["id"] === null || one["id"] === undefined));
        const others = elements.filter((one) => !invalid.includes(one));
        return [...matchFindings(context, others, mixed), ...invalidFindings(context, invalid, 1)];
      },
    ),
    notificationsDraft(call),
    batchDraft(
      {
        name: "batch-of-what-is-no-request",
        rule: rpcRules.batchMember,
        expected: "a list of three errors -32600 with id null",
        texts: ["1", '"x"', "null"],
      },
      (elements) => invalidFindings(context, elements, 3),
    ),
    largeDraft(context),
  ];
}

interface Batch {
  readonly name: string;
  /** That of batches when not given. */
  readonly rule?: Rule;
  readonly expected: string;
  /** Of the members. */
  readonly texts: readonly string[];
  /** Beyond the first one; 0 when not given. */
  readonly furtherRequests?: number;
  /** What is made of the findings where the response is no list; all count when not given. */
  readonly refuse?: (findings: readonly Finding[]) => readonly Finding[];
}

/** A batch whose response is a list, of which `check` finds what is wrong. */
function batchDraft(
  { name, rule = rpcRules.batch, expected, texts, furtherRequests = 0, refuse }: Batch,
  check: (elements: readonly unknown[], play: CasePlay) => readonly Finding[] | Promise<readonly Finding[]>,
): ProtocolDraft {
  const request = rpcPost(batchText(texts));
  return {
    name,
    requests: 1 + furtherRequests,
    rule,
    expected,
    preview: request,
    play: async (play) => {
      const response = await play.send(request, furtherRequests > 0 ? { operations: [protocolOperation] } : {});
      const { findings, elements } = readList(play, response);
      if (elements === undefined) return refuse?.(findings) ?? findings;
      return [...findings, ...(await check(elements, play))];
    },
  };
}

function notificationsDraft(call: PlainCall): ProtocolDraft {
  const request = rpcPost(batchText([notificationText(call), notificationText(call)]));
  return {
    name: "batch-of-notifications",
    rule: rpcRules.notification,
    expected: "no body",
    preview: request,
    play: async (play) => silenceFindings(play, await play.send(request), "a batch of notifications"),
  };
}

/** Many calls at once, whose results have to be those that they have one by one; two of them have the same id. */
function largeDraft(context: RpcContext): ProtocolDraft {
  const members = manyCalls(context).map((call, index) => ({ id: oddIds[index] ?? index, call }));
  return batchDraft(
    {
      name: "large-batch",
      rule: rpcRules.batchSame,
      expected: "for each call the result that it has alone",
      texts: members.map(memberText),
      furtherRequests: 2 * mostRepeated,
      // A server may allow fewer; two it took.
      refuse: (findings) => findings.map((one) => ({ ...one, rule: rpcRules.largeBatch })),
    },
    async (elements, play) => [
      ...matchFindings(context, elements, members),
      ...(await movedFindings(context, play, elements, members)),
    ],
  );
}

/** Calls that are made once more where their result in a batch is another one than alone, to see whether it is the world that moves. */
const mostRepeated = 1;

/** Compares results that may change with what the same call has alone before and after the batch. */
async function movedFindings(
  context: RpcContext,
  play: CasePlay,
  elements: readonly unknown[],
  members: readonly BatchMember[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let repeated = 0;
  for (const { id, call } of members) {
    const { method, input } = call;
    const ofId = elements.filter((element) => isRecord(element) && element["id"] === id);
    const alone = context.memory.get(memoryKey(method, input));
    const [element] = ofId;
    if (ofId.length !== 1 || !isRecord(element) || alone?.kind !== "result" || isImmutable(method, input)) continue;
    const type = resultType(method);
    const found = differencesOf(context, type, alone.value, element["result"]);
    if (!Object.hasOwn(element, "result") || found.length === 0) continue;
    repeated += 1;
    if (repeated > mostRepeated) break;
    let isSteady = true;
    for (let turn = 0; isSteady && turn < 2; turn += 1) {
      const again = await askWith(context, play, method, call.params);
      isSteady =
        again.outcome.kind === "result" && differencesOf(context, type, alone.value, again.outcome.value).length === 0;
    }
    if (!isSteady) continue;
    const subject = `the result of ${method.method} in a batch`;
    findings.push(...valueFindings(found, { rule: rpcRules.batchSame, subject, place: method.place }));
  }
  return distinct(findings);
}

/** Ids of all kinds for the first calls of a large batch; the second 7 is on purpose. */
const oddIds: readonly RequestId[] = ["1", 1, -1, "", 7, 7, "a b", "é", 2 ** 31, "null"];

function manyCalls(context: RpcContext): readonly PlainCall[] {
  const perMethod = judgedMethods(context)
    .filter(({ name }) => context.session.safety.of(name).isSafe)
    .map((method) =>
      context.session.live
        .goodInputsOf(method.name)
        .slice(0, mostAlike)
        .map((input) => plainCall(method, input)),
    );
  const calls: PlainCall[] = [];
  for (let turn = 0; turn < mostAlike; turn += 1) {
    for (const ofMethod of perMethod) {
      const call = ofMethod[turn];
      if (call !== undefined) calls.push(call);
    }
  }
  return calls.slice(0, largeBatch);
}

interface BatchMember {
  readonly id: RequestId;
  readonly call: PlainCall;
}

/** Compares the responses of a batch with its requests, whatever their order. */
function matchFindings(
  context: RpcContext,
  elements: readonly unknown[],
  members: readonly BatchMember[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const left = [...elements];
  // Responses to requests with the same id may be in any order, so each takes the first response that is left.
  for (const { id, call } of members) {
    const index = left.findIndex((element) => isRecord(element) && element["id"] === id);
    if (index === -1) {
      findings.push(
        finding(rpcRules.batchAnswers, "a request of the batch has no response with its id", `id ${showValue(id)}`),
      );
      continue;
    }
    const [element] = left.splice(index, 1);
    const reply = readResponse(element, { members: context.suite.envelope, ids: [id] });
    const isAlone = members.filter((member) => member.id === id).length === 1;
    findings.push(...reply.findings, ...(isAlone ? memberFindings(context, call, reply) : []));
  }
  if (left.length > 0) {
    const detail = left.map((element) => showValue(element)).join(" ");
    findings.push(
      finding(rpcRules.batchAnswers, "the batch has responses that answer none of its requests", shorten(detail, 200)),
    );
  }
  return distinct(findings);
}

/** A call in a batch has the result that it has alone. */
function memberFindings(context: RpcContext, { method, input }: PlainCall, { outcome }: RpcReply): readonly Finding[] {
  const { place } = method;
  const subject = `the result of ${method.method} in a batch`;
  if (outcome.kind === "error") {
    return [finding(rpcRules.batchSame, `${subject} is an error`, faultText(outcome.fault), { place })];
  }
  if (outcome.kind !== "result") return [];
  const broken = resultFindings(context, method, outcome.value);
  const alone = context.memory.get(memoryKey(method, input));
  if (broken.length > 0 || alone?.kind !== "result" || !isImmutable(method, input)) return broken;
  const found = differencesOf(context, resultType(method), alone.value, outcome.value);
  return valueFindings(found, { rule: rpcRules.batchSame, subject, place });
}

function invalidFindings({ suite }: RpcContext, elements: readonly unknown[], wanted: number): readonly Finding[] {
  const expected = { members: suite.envelope, ids: [null], mayLackVersion: suite.envelope === "both" } as const;
  const rule = { rule: rpcRules.batchMember, codes: [errorCodes.invalidRequest] };
  const findings = elements.flatMap((element) => refusedFindings(readResponse(element, expected), rule));
  if (elements.length === wanted) return distinct(findings);
  const message = "the batch has not one error for each member that is no request";
  return distinct([...findings, finding(rpcRules.batchMember, message, `${elements.length} instead of ${wanted}`)]);
}

function readList(
  play: CasePlay,
  answer: Answer,
): { readonly findings: readonly Finding[]; readonly elements?: readonly unknown[] } {
  skipCut(play, answer);
  const body = readBody(answer);
  if ("findings" in body) return { findings: body.findings };
  if (!Array.isArray(body.value)) {
    return { findings: [finding(rpcRules.batch, "the answer to a batch is not a list", showValue(body.value))] };
  }
  return { findings: [...statusFindings(answer), ...mediaTypeFindings(answer)], elements: body.value };
}

function batchText(members: readonly string[]): string {
  return `[${members.join(",")}]`;
}

function memberText({ id, call: { method, params } }: BatchMember): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: method.method, params });
}

function notificationText({ method, params }: PlainCall): string {
  return JSON.stringify({ jsonrpc: "2.0", method: method.method, params });
}

/** One finding of each message. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((one) => [`${one.rule.id} ${one.message}`, one])).values()];
}
