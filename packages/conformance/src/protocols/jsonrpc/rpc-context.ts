import { canonicalText } from "@nodewright/api-model";
import type { RpcOutcome } from "./rpc-reply.ts";
import type { CaseDraft, CasePlay } from "../../contract/planned-case.ts";
import type { Finding } from "../../contract/finding.ts";
import { Examples } from "../../properties/example.ts";
import { matchesAny } from "../../basics/name-pattern.ts";
import type { Session } from "../../session/session.ts";
import type { RpcSuite, SuiteRpcMethod } from "../../suite/suite.ts";
import type { Input, ParamsStyle } from "./rpc-params.ts";

/** Shared state of the stages of one run. */
export interface RpcContext {
  /** Replaced when the target turns out to accept parameters by name only. */
  suite: RpcSuite;
  readonly session: Session;
  readonly examples: Examples;
  /** Check within every result that matches its type. */
  readonly inspect: ResultCheck;
  /** Method → why it can't be checked. */
  readonly missing: Map<string, string>;
  /** Methods with a response other than that they do not exist. */
  readonly present: Set<string>;
  /** Those of them that did more than refuse parameters. */
  readonly offered: Set<string>;
  /** Latest outcomes of each method's calls, by method and parameters. */
  readonly memory: Map<string, RpcOutcome>;
  /** Ways of writing parameters that the target does not accept. */
  readonly refusedStyles: Set<ParamsStyle>;
  /** Ways of writing parameters that some method accepted. */
  readonly takenStyles: Set<ParamsStyle>;
  /** Methods that refused a way of writing their parameters. */
  readonly refusingMethods: Set<string>;
  /** Flags that change during a run. */
  readonly state: { isBatchRefused: boolean; takesPositions: boolean };
}

/** A check within a result, given its request. */
export type ResultCheck = (
  context: RpcContext,
  method: SuiteRpcMethod,
  input: Input,
  value: unknown,
) => readonly Finding[];

export function createContext(suite: RpcSuite, session: Session, inspect: ResultCheck): RpcContext {
  return {
    suite,
    session,
    examples: new Examples(suite.types, session.options.examples),
    inspect,
    missing: new Map(),
    present: new Set(),
    offered: new Set(),
    memory: new Map(),
    refusedStyles: new Set(),
    takenStyles: new Set(),
    refusingMethods: new Set(),
    state: { isBatchRefused: false, takesPositions: false },
  };
}

/** Wraps the play function of a case: it skips cases of a missing method, and a replay sends what the first play sent. */
export function guardPlay(context: RpcContext, method: SuiteRpcMethod, own: CaseDraft["play"]): CaseDraft["play"] {
  let atStart: readonly ParamsStyle[] | undefined;
  return async (play) => {
    const reason = context.missing.get(method.name);
    if (reason !== undefined) play.skip(reason);
    if (atStart === undefined) atStart = [...context.refusedStyles];
    else stylesOfLooks.set(play, new Set(atStart));
    return await own(play);
  };
}

/** Ways of writing parameters that were known to be refused when a case was first played, for its replays. */
const stylesOfLooks = new WeakMap<CasePlay, Set<ParamsStyle>>();

/**
 * Returns the ways of writing parameters that a case does not use; a replay sends what the first play sent, whatever was found out since.
 */
export function refusedStylesOf({ refusedStyles }: RpcContext, play: CasePlay): Set<ParamsStyle> {
  return stylesOfLooks.get(play) ?? refusedStyles;
}

/** Returns whether a run allows that the method does not exist. */
export function mayBeMissing({ session }: RpcContext, method: SuiteRpcMethod): boolean {
  const names = [method.name, method.origin, method.method, ...method.tags];
  if (matchesAny(session.options.mayBeMissing, names)) return true;
  const isOff = method.extensions.disabledByDefault || method.extensions.nodeControl;
  return isOff && !matchesAny(session.options.enabled, names);
}

/** Returns the methods whose responses are checked: those that are not known to be missing. */
export function checkedMethods({ suite, missing }: RpcContext): readonly SuiteRpcMethod[] {
  return suite.operations.filter((method) => !missing.has(method.name));
}

/** Returns the cache key of a call. */
export function memoryKey(method: SuiteRpcMethod, input: Input): string {
  return `${method.name} ${canonicalText(input)}`;
}
