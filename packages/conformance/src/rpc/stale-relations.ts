import type { CasePlay } from "../contract/planned-case.ts";
import type { Finding } from "../contract/finding.ts";
import type { SuiteRpcMethod } from "../suite/suite.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { ask } from "./rpc-call.ts";
import { type CaseDraft, memoryKey, type RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import type { Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Answers that say too little to be told from each other by chance. */
const plainAnswers: ReadonlySet<string> = new Set(["null", "[]", "{}", '""', "undefined"]);

/** Two calls in turn: each keeps its own answer. */
export function* staleDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const pair = differingInputs(context, method);
  if (pair === undefined) return;
  const [first, second] = pair;
  yield {
    group: "relation",
    name: "in-turn",
    rule: rpcRules.ownAnswer,
    expected: "that neither of two calls in turn has the answer of the other",
    requests: 20,
    usualRequests: 4,
    // It looks twice itself: what comes and goes with each call would not fail when it is played again.
    isLive: false,
    input: first,
    play: async (play) => {
      const findings: Finding[] = [];
      // What happens twice is no chance.
      for (let round = 0; round < 2; round += 1) {
        if (!(await isMixedUp(context, play, method, [first, second, second, first], findings))) return findings;
      }
      if (!(await isSteady(context, play, method, pair))) return findings;
      const text = "the answer of one call is given to another one, which has another answer at other times";
      return [...findings, finding(rpcRules.ownAnswer, text, undefined, { place: method.place })];
    },
  };
}

/** Whether a call that is made in a row with others has two answers, one of which another call has too. */
async function isMixedUp(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  row: readonly Input[],
  findings: Finding[],
): Promise<boolean> {
  const given = new Map<string, Set<string>>();
  for (const input of context.session.live.goodInputsOf(method.name)) {
    const key = memoryKey(method, input);
    const known = context.memory.get(key);
    if (known?.kind === "result") given.set(key, new Set([canonicalText(known.value)]));
  }
  const asked = new Map<string, Set<string>>();
  for (const input of row) {
    const reply = await ask(context, play, method, input);
    findings.splice(0, findings.length, ...reply.findings);
    if (reply.outcome.kind !== "result") return false;
    const key = memoryKey(method, input);
    asked.set(key, (asked.get(key) ?? new Set<string>()).add(canonicalText(reply.outcome.value)));
  }
  return [...asked].some(([key, own]) => {
    if (own.size < 2) return false;
    const others = [...given, ...asked].filter(([other]) => other !== key).flatMap(([, texts]) => [...texts]);
    return [...own].some((text) => !plainAnswers.has(text) && others.includes(text));
  });
}

/** Calls in a row, the first of which may have what was asked before. */
const rowLength = 6;

/** Whether each of two calls has an answer of its own while nothing else is asked for: others are drawn by lot, or move by themselves. */
async function isSteady(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  pair: readonly [Input, Input],
): Promise<boolean> {
  const steady: string[] = [];
  for (const input of pair) {
    const texts: string[] = [];
    for (let call = 0; call < rowLength; call += 1) {
      const { outcome } = await ask(context, play, method, input);
      if (outcome.kind !== "result") return false;
      texts.push(canonicalText(outcome.value));
    }
    const [, ...rest] = texts;
    if (new Set(rest).size > 1) return false;
    steady.push(...rest.slice(0, 1));
  }
  return new Set(steady).size === pair.length;
}

/** Two good inputs with different answers that say something. */
function differingInputs(context: RpcContext, method: SuiteRpcMethod): readonly [Input, Input] | undefined {
  const answers = context.session.live.goodInputsOf(method.name).flatMap((input) => {
    const outcome = context.memory.get(memoryKey(method, input));
    const text = outcome?.kind === "result" ? canonicalText(outcome.value) : "null";
    return plainAnswers.has(text) ? [] : [{ input, text }];
  });
  const [first] = answers;
  const second = answers.find(({ text }) => text !== first?.text);
  return first === undefined || second === undefined ? undefined : [first.input, second.input];
}
