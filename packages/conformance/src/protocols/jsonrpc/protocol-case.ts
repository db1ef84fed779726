import type { Finding } from "../../contract/finding.ts";
import { type CaseGroup, type CasePlay, type PlannedCase, protocolOperation } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import type { Answer, PlainRequest } from "../../contract/exchange.ts";
import { judgedMethods, type RpcContext } from "./rpc-context.ts";
import { type Input, paramsOf } from "./rpc-params.ts";
import type { RpcParams } from "./rpc-request.ts";

/** A case that belongs to no method. */
export interface ProtocolDraft {
  readonly name: string;
  /** `protocol` when not given. */
  readonly group?: CaseGroup;
  /** `protocolOperation` when not given. */
  readonly operation?: string;
  readonly rule: Rule;
  readonly expected: string;
  /** At most; 1 when not given. */
  readonly requests?: number;
  readonly preview: PlainRequest;
  play(play: CasePlay): Promise<readonly Finding[]>;
}

/** A call that is known to be answered with a result. */
export interface PlainCall {
  readonly method: SuiteRpcMethod;
  readonly input: Input;
  readonly params: RpcParams;
  /** True when nothing stands in its `params`. */
  readonly isEmpty: boolean;
}

/** Makes a case of a draft. */
export function protocolCase({
  operation = protocolOperation,
  name,
  group = "protocol",
  rule,
  expected,
  requests = 1,
  preview,
  play,
}: ProtocolDraft): PlannedCase {
  return {
    id: `${operation}/${group}/${name}`,
    operation,
    group,
    rule,
    expected,
    writes: false,
    requests,
    isLive: false,
    preview: [preview],
    play,
  };
}

/** The simplest call that was answered with a result, for what has to hold of all calls. */
export function findPlainCall(context: RpcContext): PlainCall | undefined {
  const calls = judgedMethods(context)
    .filter(({ name }) => context.session.safety.of(name).isSafe)
    .flatMap((method) =>
      context.session.live
        .goodInputsOf(method.name)
        .slice(0, 1)
        .map((input) => plainCall(method, input)),
    );
  return calls.toSorted((left, right) => sizeOf(left) - sizeOf(right))[0];
}

export function plainCall(method: SuiteRpcMethod, input: Input): PlainCall {
  return { method, input, params: paramsOf(method, input), isEmpty: Object.keys(input).length === 0 };
}

/** Ends a case whose answer went on beyond what the run reads. */
export function skipCut(play: CasePlay, { isCut }: Answer): void {
  if (isCut) play.skip("The answer is longer than what the run reads");
}

function sizeOf({ input }: PlainCall): number {
  return Object.keys(input).length;
}
