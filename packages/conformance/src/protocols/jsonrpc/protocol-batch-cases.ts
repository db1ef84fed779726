import { isRecord } from "@nodewright/api-model";
import { shorten, showValue } from "../../compare/show-value.ts";
import type { ReceivedResponse } from "../../contract/exchange.ts";
import { type Finding, finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { isPermanent } from "./good-inputs.ts";
import {
  callText,
  findPlainCall,
  type PlainCall,
  plainCalls,
  type ProtocolDraft,
  type RequestCase,
  requestDraft,
} from "./protocol-case.ts";
import { refusedFindings, draftWithoutResponse } from "./protocol-request-cases.ts";
import { sameValueFindings } from "../../properties/value-findings.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { resultTypeOf } from "../../suite/result-type.ts";
import { callWith, errorCodes, faultText, resultFindings } from "./rpc-call.ts";
import { memoryKey, type RpcContext } from "./rpc-context.ts";
import { mediaTypeFindings, readBody, readResponse, type RpcReply, statusFindings } from "./rpc-reply.ts";
import { type RequestId, rpcPost } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Number of calls in the largest batch. */
const largeBatch = 20;
/** Maximum number of calls of one method in it. */
const mostAlike = 3;
/** Number of calls that are repeated alone when their result in a batch differs, to find out whether the data changes. */
const mostRepeated = 1;
/** Ids of all kinds for the first calls of a large batch; the second 7 is intentional. */
const oddIds: readonly RequestId[] = ["1", 1, -1, "", 7, 7, "a b", "é", 2 ** 31, "null"];

interface BatchMember {
  readonly id: RequestId;
  readonly call: PlainCall;
}

/** Plans the smallest possible batch (section 6). When it is refused, no other batch is sent. */
export function firstBatchDraft(context: RpcContext, call: PlainCall): ProtocolDraft {
  const members = ["a", 2].map((id) => ({ id, call }));
  return batchDraft({
    name: "batch",
    expected: "a list of two results with the ids of their requests, in any order",
    texts: members.map(memberText),
    refuse: (findings) => {
      context.state.isBatchRefused = true;
      return findings;
    },
    check: (elements) => matchFindings(context, elements, members),
  });
}

/** Plans batches of all kinds. */
export function batchDrafts(context: RpcContext): readonly ProtocolDraft[] {
  const call = findPlainCall(context);
  if (call === undefined || context.state.isBatchRefused) return [];
  const only = [{ id: "only", call }];
  const mixed = ["a", 2].map((id) => ({ id, call }));
  const [first = "", second = ""] = mixed.map(memberText);
  const notification = callText(call);
  return [
    // An array of one call is a batch as well.
    batchDraft({
      name: "batch-of-one",
      expected: "a list of one result with the id of its request",
      texts: only.map(memberText),
      check: (elements) => matchFindings(context, elements, only),
    }),
    batchDraft({
      name: "mixed-batch",
      rule: rpcRules.batchResponses,
      expected: "two results and one error -32600, nothing for the notification",
      texts: [first, notification, "1", second],
      check: async (elements) => {
        const invalid = elements.filter((one) => isRecord(one) && (one["id"] ?? null) === null);
        const others = elements.filter((one) => !invalid.includes(one));
        return [...(await matchFindings(context, others, mixed)), ...invalidFindings(context, invalid, 1)];
      },
    }),
    draftWithoutResponse("batch-of-notifications", "a batch of notifications", `[${notification},${notification}]`),
    batchDraft({
      name: "batch-of-what-is-no-request",
      rule: rpcRules.batchMember,
      expected: "a list of three errors -32600 with id null",
      texts: ["1", '"x"', "null"],
      check: (elements) => invalidFindings(context, elements, 3),
    }),
    largeDraft(context),
  ];
}

interface Batch extends Pick<RequestCase, "name" | "expected" | "requests">, Partial<Pick<RequestCase, "rule">> {
  /** Serialized members. */
  readonly texts: readonly string[];
  /** Maps the findings of a response that is not an array; all are kept when it is absent. */
  readonly refuse?: (findings: readonly Finding[]) => readonly Finding[];
  check(elements: readonly unknown[], play: CasePlay): readonly Finding[] | Promise<readonly Finding[]>;
}

/** Plans a batch whose response is an array, which `check` validates. */
function batchDraft({ texts, refuse, check, rule = rpcRules.batch, ...one }: Batch): ProtocolDraft {
  return requestDraft({
    ...one,
    rule,
    request: rpcPost(`[${texts.join(",")}]`),
    check: async (response, play) => {
      const { findings, elements } = readList(response);
      if (elements === undefined) return refuse?.(findings) ?? findings;
      return [...findings, ...(await check(elements, play))];
    },
  });
}

/** Plans a batch of many calls, whose results must equal those of single calls; two of them have the same id. */
function largeDraft(context: RpcContext): ProtocolDraft {
  const perMethod = plainCalls(context, mostAlike);
  const calls = Array.from({ length: mostAlike }, (_none, turn) => perMethod.flatMap((own) => own[turn] ?? [])).flat();
  const members = calls.slice(0, largeBatch).map((call, index) => ({ id: oddIds[index] ?? index, call }));
  return batchDraft({
    name: "large-batch",
    rule: rpcRules.batchSame,
    expected: "for each call the result that it has alone",
    texts: members.map(memberText),
    requests: 1 + 2 * mostRepeated,
    // A server may limit batches to fewer calls; it accepted two.
    refuse: (findings) => findings.map((one) => ({ ...one, rule: rpcRules.largeBatch })),
    check: (elements, play) => {
      let left = mostRepeated;
      return matchFindings(context, elements, members, async ({ method, params }, value) => {
        left -= 1;
        if (left < 0) return false;
        for (let turn = 0; turn < 2; turn += 1) {
          const { outcome } = await callWith(context, play, method, params);
          if (outcome.kind !== "result") return false;
          if (sameFindings(context, method, value, outcome.value).length > 0) return false;
        }
        return true;
      });
    },
  });
}

/** Function that returns whether a call with a possibly changing result has the same result before and after a batch. */
type IsSteady = (call: PlainCall, value: unknown) => Promise<boolean>;

/** Compares the responses of a batch with its requests, in any order. */
async function matchFindings(
  context: RpcContext,
  elements: readonly unknown[],
  members: readonly BatchMember[],
  isSteady: IsSteady = async () => false,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const left = [...elements];
  // Responses to requests with the same id may be in any order, so each request takes the first remaining response.
  for (const { id, call } of members) {
    const index = left.findIndex((element) => isRecord(element) && element["id"] === id);
    if (index === -1) {
      const message = "a request of the batch has no response with its id";
      findings.push(finding(rpcRules.batchResponses, message, `id ${showValue(id)}`));
      continue;
    }
    const [element] = left.splice(index, 1);
    const reply = readResponse(element, { members: context.suite.envelope, ids: [id] });
    const isAlone = members.filter((member) => member.id === id).length === 1;
    findings.push(...reply.findings, ...(isAlone ? await memberFindings(context, call, reply, isSteady) : []));
  }
  if (left.length > 0) {
    const detail = left.map((element) => showValue(element)).join(" ");
    const message = "the batch has responses to none of its requests";
    findings.push(finding(rpcRules.batchResponses, message, shorten(detail, 200)));
  }
  return uniqueFindings(findings);
}

/** Checks that a call in a batch has the same result as alone. */
async function memberFindings(
  context: RpcContext,
  call: PlainCall,
  { outcome }: RpcReply,
  isSteady: IsSteady,
): Promise<readonly Finding[]> {
  const { method, input } = call;
  const { place } = method;
  const subject = `the result of ${method.method} in a batch`;
  if (outcome.kind === "error")
    return [finding(rpcRules.batchSame, `${subject} is an error`, faultText(outcome.fault), { place })];
  if (outcome.kind !== "result") return [];
  const broken = resultFindings(context, method, outcome.value);
  const alone = context.memory.get(memoryKey(method, input));
  if (broken.length > 0 || alone?.kind !== "result") return broken;
  const found = sameFindings(context, method, alone.value, outcome.value);
  return found.length > 0 && (isPermanent(method, input) || (await isSteady(call, alone.value))) ? found : [];
}

function sameFindings(
  { suite }: RpcContext,
  method: SuiteRpcMethod,
  alone: unknown,
  value: unknown,
): readonly Finding[] {
  const subject = `the result of ${method.method} in a batch`;
  const rule = { rule: rpcRules.batchSame, subject, place: method.place };
  return sameValueFindings(resultTypeOf(method), [alone, value], suite.types, rule);
}

function invalidFindings({ suite }: RpcContext, elements: readonly unknown[], wanted: number): readonly Finding[] {
  const expected = { members: suite.envelope, ids: [null], mayLackVersion: suite.envelope === "both" } as const;
  const rule = rpcRules.batchMember;
  const findings = elements.flatMap((element) =>
    refusedFindings(readResponse(element, expected), rule, [errorCodes.invalidRequest]),
  );
  const message = "the batch does not have one error for each member that is not a request";
  const counted = elements.length === wanted ? [] : [finding(rule, message, `${elements.length} instead of ${wanted}`)];
  return uniqueFindings([...findings, ...counted]);
}

function readList(response: ReceivedResponse): {
  readonly findings: readonly Finding[];
  readonly elements?: readonly unknown[];
} {
  const body = readBody(response);
  if ("findings" in body) return body;
  if (!Array.isArray(body.value))
    return { findings: [finding(rpcRules.batch, "the response to a batch is not a list", showValue(body.value))] };
  return { findings: [...statusFindings(response), ...mediaTypeFindings(response)], elements: body.value };
}

function memberText({ id, call }: BatchMember): string {
  return callText(call, id);
}
