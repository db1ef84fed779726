import type { RpcParams } from "./rpc-request.ts";
import type { RpcOutcome } from "./rpc-reply.ts";
import type { CaseGroup, CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Finding } from "../contract/finding.ts";
import type { Rule } from "../contract/rule.ts";
import { Examples } from "../properties/example.ts";
import { matchesAny } from "../basics/name-pattern.ts";
import type { Session } from "../session/session.ts";
import type { RpcSuite, SuiteRpcMethod } from "../suite/suite.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { type Input, type ParamsStyle, paramsOf } from "./rpc-params.ts";
import { requestText, rpcPost } from "./rpc-request.ts";

/** Calls of one method that say nearly all that there is to say. */
const usualCalls = 33;
/** Calls that a short document may share among its methods, and the most of one of them: the rest is for the rules of the protocol. */
const sharedCalls = 264;
const mostCalls = 50;

/** What the stages of one run share. */
export interface RpcContext {
  /** Replaced when the target is found to take parameters by name alone. */
  suite: RpcSuite;
  readonly session: Session;
  readonly examples: Examples;
  /** Further checks of every result that is of its type: relations within one answer. */
  readonly resultChecks: readonly ResultCheck[];
  /** Method → why it can't be judged. */
  readonly missing: Map<string, string>;
  /** Methods that have answered something else than that they are not there. */
  readonly present: Set<string>;
  /** Those of them that did not only refuse parameters. */
  readonly offered: Set<string>;
  /** What calls were answered, the last ones of each: by method and parameters. */
  readonly memory: Map<string, RpcOutcome>;
  /** Ways of writing parameters that the target does not take. */
  readonly refusedStyles: Set<ParamsStyle>;
  /** Ways of writing parameters that some method took. */
  readonly takenStyles: Set<ParamsStyle>;
  /** Methods that refused a way of writing their parameters. */
  readonly refusingMethods: Set<string>;
  /** What changes while a run goes on. */
  readonly state: { isBatchRefused: boolean; isKeyAsked: boolean; takesPositions: boolean };
  /** Method → calls planned so far. */
  readonly planned: Map<string, number>;
  /** Ids of the cases planned so far. */
  readonly ids: Set<string>;
  /** Good calls that are planned, by method and parameters: some are played later than what is planned after them. */
  readonly plannedCalls: Set<string>;
}

/** A case of a method before it is put into its run. */
export interface CaseDraft {
  readonly group: CaseGroup;
  /** kebab-case, unique among the group's cases of the method. */
  readonly name: string;
  readonly rule: Rule;
  readonly expected: string;
  /** At most; 1 when not given. */
  readonly requests?: number;
  /** Those that a right server is sent; as many as at most when not given. */
  readonly usualRequests?: number;
  readonly isLive?: boolean;
  /** What is sent first, where that is known. */
  readonly input?: Input;
  readonly params?: RpcParams;
  play(play: CasePlay): Promise<readonly Finding[]>;
}

/** What has to hold within a result, given what was asked for. */
export type ResultCheck = (
  context: RpcContext,
  method: SuiteRpcMethod,
  input: Input,
  value: unknown,
) => readonly Finding[];

export function createContext(suite: RpcSuite, session: Session, resultChecks: readonly ResultCheck[]): RpcContext {
  return {
    suite,
    session,
    examples: new Examples(suite.types, session.options.examples),
    resultChecks,
    missing: new Map(),
    present: new Set(),
    offered: new Set(),
    memory: new Map(),
    refusedStyles: new Set(),
    takenStyles: new Set(),
    refusingMethods: new Set(),
    state: { isBatchRefused: false, isKeyAsked: false, takesPositions: false },
    planned: new Map(),
    ids: new Set(),
    plannedCalls: new Set(),
  };
}

/** Parameters beyond which a method has no more calls for it, and methods beyond which all have as many. */
const manyParameters = 6;
const manyMethods = 12;

/** Calls of one method: each has its share, in a short document those with more parameters a greater one. */
function sharedCallsOf({ operations }: RpcSuite, { parameters }: SuiteRpcMethod): number {
  const weightOf = ({ length }: SuiteRpcMethod["parameters"]): number => 4 + Math.min(length, manyParameters);
  const mean = operations.reduce((sum, one) => sum + weightOf(one.parameters), 0) / operations.length;
  const usual = Math.min(mostCalls, Math.max(usualCalls, Math.floor(sharedCalls / operations.length)));
  if (operations.length > manyMethods) return usual;
  return Math.min(mostCalls, Math.floor((usual * weightOf(parameters)) / mean));
}

/** The calls of one method that are left when `share` (0 to 1) of all that are allowed may be used. */
function callsLeft({ planned, session, suite }: RpcContext, method: SuiteRpcMethod, share: number): number {
  const { maxCallsPerOperation } = session.options;
  const calls =
    maxCallsPerOperation === undefined
      ? Math.min(session.callsPerOperation, sharedCallsOf(suite, method))
      : session.callsPerOperation;
  return Math.floor(calls * share) - (planned.get(method.name) ?? 0);
}

/**
 * Makes cases of drafts, in their order, as long as calls are left for them. Names that are there already are left out: later stages
 * may come to the same case on another way.
 */
export function planCases(
  context: RpcContext,
  method: SuiteRpcMethod,
  drafts: Iterable<CaseDraft>,
  share: number,
): readonly PlannedCase[] {
  let left = callsLeft(context, method, share);
  const cases: PlannedCase[] = [];
  for (const draft of drafts) {
    const { requests = 1, usualRequests = requests } = draft;
    const id = `${method.name}/${draft.group}/${draft.name}`;
    if (context.ids.has(id)) continue;
    if (usualRequests > left) {
      // What a later stage has more calls for is no loss yet.
      context.session.leaveOut?.(method.name, id);
      continue;
    }
    context.ids.add(id);
    if (draft.group === "live" && draft.input !== undefined) context.plannedCalls.add(memoryKey(method, draft.input));
    left -= usualRequests;
    context.planned.set(method.name, (context.planned.get(method.name) ?? 0) + usualRequests);
    cases.push(caseOf(context, method, id, draft));
  }
  return cases;
}

function caseOf(context: RpcContext, method: SuiteRpcMethod, id: string, draft: CaseDraft): PlannedCase {
  const { group, rule, expected, requests = 1, isLive = false, input, params } = draft;
  const sent = params ?? (input === undefined ? undefined : paramsOf(method, input));
  return {
    id,
    operation: method.name,
    group,
    rule,
    expected,
    writes: !context.session.safety.of(method.name).isSafe,
    requests,
    isLive,
    ...(sent === undefined ? {} : { preview: [rpcPost(requestText({ method: method.method, params: sent, id }))] }),
    play: async (play) => {
      const reason = context.missing.get(method.name);
      if (reason !== undefined) play.skip(reason);
      return await draft.play(play);
    },
  };
}

/** Whether a run allows that the method is not there. */
export function mayBeMissing({ session }: RpcContext, method: SuiteRpcMethod): boolean {
  const names = [method.name, method.origin, method.method, ...method.tags];
  if (matchesAny(session.options.mayBeMissing, names)) return true;
  const isOff = method.marks.disabledByDefault || method.marks.nodeControl;
  return isOff && !matchesAny(session.options.enabled, names);
}

/** Methods whose answers are judged: those that nothing is known against. */
export function judgedMethods({ suite, missing }: RpcContext): readonly SuiteRpcMethod[] {
  return suite.operations.filter((method) => !missing.has(method.name));
}

/** Names a call in the memory. */
export function memoryKey(method: SuiteRpcMethod, input: Input): string {
  return `${method.name} ${canonicalText(input)}`;
}
