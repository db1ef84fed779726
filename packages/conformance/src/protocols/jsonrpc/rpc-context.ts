import { canonicalText } from "@nodewright/api-model";
import type { RpcOutcome } from "./rpc-reply.ts";
import type { CaseDraft, CasePlay } from "../../contract/planned-case.ts";
import type { Finding } from "../../contract/finding.ts";
import { Examples } from "../../properties/example.ts";
import { matchesAny } from "../../basics/name-pattern.ts";
import type { Session } from "../../session/session.ts";
import type { RpcSuite, SuiteRpcMethod } from "../../suite/suite.ts";
import type { Input, ParamsStyle } from "./rpc-params.ts";

/** What the stages of one run share. */
export interface RpcContext {
  /** Replaced when the target is found to take parameters by name alone. */
  suite: RpcSuite;
  readonly session: Session;
  readonly examples: Examples;
  /** Checks what is within every result that is of its type. */
  readonly inspect: ResultCheck;
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
  readonly state: { isBatchRefused: boolean; takesPositions: boolean };
}

/** What has to hold within a result, given what was asked for. */
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

/** Returns what is played of a case: nothing of a method that is not there; when it is played again, it sends what it sent first. */
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

/** Of cases that are played again: the ways of writing parameters that were known to be refused when they were played first. */
const stylesOfLooks = new WeakMap<CasePlay, Set<ParamsStyle>>();

/** Ways of writing parameters that a case does not use; when it is played again, it sends what it sent first, whatever it has found out. */
export function refusedStylesOf({ refusedStyles }: RpcContext, play: CasePlay): Set<ParamsStyle> {
  return stylesOfLooks.get(play) ?? refusedStyles;
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
