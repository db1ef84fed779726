import { canonicalText, isRecord } from "@nodewright/api-model";
import type { Finding } from "../../contract/finding.ts";
import { defaultProperty } from "../../properties/default.ts";
import { steadyProperty } from "../../properties/steady.ts";
import { membersOf } from "../../compare/member-facts.ts";
import { showValue } from "../../compare/show-value.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { SeenAnswer } from "../../live/live-values.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import { requiredOf } from "./good-inputs.ts";
import { isHash } from "./immutability.ts";
import { listPropertyDrafts, relationDraftsOf, valuePropertyDrafts } from "./property-drafts.ts";
import { ask } from "./rpc-call.ts";
import { type CaseDraft, judgedMethods, memoryKey, type RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { rpcRules } from "./rpc-rules.ts";
import { isSame } from "./same-answer.ts";
import { checkDrafts } from "./check-relations.ts";
import { countDrafts } from "./count-relations.ts";
import { leastDrafts } from "./effect-relations.ts";
import { headDrafts } from "./head-relations.ts";
import { parentDrafts } from "./parent-relations.ts";

/** What has to hold between answers, as far as names and types tell; the most telling first. */
export function* relationDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  yield* valuePropertyDrafts(context, method, steadyProperty);
  yield* listPropertyDrafts(context, method);
  yield* countDrafts(context, method);
  yield* headDrafts(context, method);
  yield* leastDrafts(context, method);
  yield* checkDrafts(context, method);
  yield* parentDrafts(context, method);
  yield* valuePropertyDrafts(context, method, defaultProperty);
  yield* relationDraftsOf(context).get(method.name) ?? [];
  yield* listedDrafts(context, method);
  yield* differentDrafts(context, method);
}

/** Hashes in a list are those of things that are there. */
function* listedDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const [parameter, ...others] = requiredOf(method);
  const known = context.session.live.goodInputsOf(method.name)[0];
  if (parameter === undefined || others.length > 0 || known === undefined) return;
  const wanted = plainName(parameter.name).replace(/(?:hash|id)$/, "");
  if (wanted === "") return;
  for (const other of judgedMethods(context)) {
    for (const answer of context.session.live.answersOf(other.name)) {
      const last = lastListed(answer, wanted, context.suite.types);
      if (last === undefined || context.memory.has(memoryKey(method, { ...known, [parameter.property]: last })))
        continue;
      const input = { ...known, [parameter.property]: last };
      yield {
        group: "relation",
        name: `listed-in-${other.name}`,
        rule: rpcRules.listed,
        expected: `what the last hash in the answer of ${other.method} names`,
        isLive: true,
        input,
        play: async (play): Promise<readonly Finding[]> => {
          const reply = await ask(context, play, method, input);
          if (reply.outcome.kind !== "result" || reply.outcome.value !== null) return reply.findings;
          const message = `there is nothing under a hash that ${other.method} lists`;
          return [...reply.findings, finding(rpcRules.listed, message, undefined, { place: method.place })];
        },
      };
      return;
    }
  }
}

/** The last of a list of hashes whose name begins as the parameter's does: `tx` or `transactions` for `txid`, `transactionHash`. */
function lastListed({ value, type }: SeenAnswer, wanted: string, types: SuiteTypes): string | undefined {
  if (!isRecord(value)) return undefined;
  for (const { name } of membersOf(type, types)) {
    const items = value[name];
    const plain = plainName(name);
    if (!Array.isArray(items) || !(plain.startsWith(wanted) || wanted.startsWith(plain))) continue;
    const last: unknown = items.at(-1);
    if (isHash(last)) return last;
  }
  return undefined;
}

/** Two hashes name two things: a method that answers both alike does not look at them. */
function* differentDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const answers = context.session.live.answersOf(method.name);
  const [parameter, ...others] = requiredOf(method);
  if (parameter === undefined || others.length > 0 || answers.length < 2) return;
  const isHeight = /(?:height|number)$/.test(plainName(parameter.name));
  const pair = findAlike(answers, parameter, isHeight);
  if (pair === undefined) return;
  yield {
    group: "relation",
    name: "different",
    rule: isHeight ? rpcRules.differentHashes : rpcRules.different,
    expected: `another answer for another ${parameter.name}`,
    requests: 2,
    isLive: true,
    input: pair[0].input,
    play: async (play): Promise<readonly Finding[]> => {
      const first = await ask(context, play, method, pair[0].input);
      const second = await ask(context, play, method, pair[1].input);
      if (first.outcome.kind !== "result" || second.outcome.kind !== "result") return second.findings;
      if (!isSame(context, method, first.outcome.value, second.outcome.value)) return second.findings;
      const rule = isHeight ? rpcRules.differentHashes : rpcRules.different;
      const message = `two different values of ${parameter.name} have the same answer`;
      return [...second.findings, finding(rule, message, showValue(first.outcome.value), { place: parameter.place })];
    },
  };
}

/** Two answers to different hashes or heights that are alike and say something. */
function findAlike(
  answers: readonly SeenAnswer[],
  parameter: SuiteParameter,
  isHeight: boolean,
): readonly [SeenAnswer, SeenAnswer] | undefined {
  const seen = new Map<string, SeenAnswer>();
  for (const answer of answers) {
    const asked = answer.input[parameter.property];
    if (isHeight ? !isHash(answer.value) || typeof asked !== "number" : !isHash(asked) || !isRecord(answer.value))
      continue;
    const text = canonicalText(answer.value);
    const known = seen.get(text);
    if (known !== undefined && known.input[parameter.property] !== asked) return [known, answer];
    seen.set(text, answer);
  }
  return undefined;
}
