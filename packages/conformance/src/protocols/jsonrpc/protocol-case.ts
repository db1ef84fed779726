import type { Finding } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase, protocolCase } from "../../contract/planned-case.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import type { ReceivedResponse, PlainRequest } from "../../contract/exchange.ts";
import { checkedMethods, type RpcContext } from "./rpc-context.ts";
import { type Input, paramsOf } from "./rpc-params.ts";
import type { RequestId, RpcParams } from "./rpc-request.ts";

/** A case that belongs to no method, unless it names one. */
export type ProtocolDraft = Parameters<typeof protocolCase>[0];

/** A call that is known to have a result. */
export interface PlainCall {
  readonly method: SuiteRpcMethod;
  readonly input: Input;
  readonly params: RpcParams;
}

/** Definition of a case with one request, from which the rest is derived. */
export interface RequestCase
  extends Pick<ProtocolDraft, "name" | "rule" | "expected">,
    Partial<Pick<PlannedCase, "requests">> {
  readonly request: PlainRequest;
  /** Returns the findings of the response. */
  check(response: ReceivedResponse, play: CasePlay): readonly Finding[] | Promise<readonly Finding[]>;
}

/** Returns the case of one request; it is skipped when the response exceeds the size limit of the run. */
export function requestDraft({ request, check, ...one }: RequestCase): ProtocolDraft {
  return {
    ...one,
    group: "protocol",
    preview: [request],
    play: async (play) => {
      const response = await play.send(request);
      return response.isCut
        ? play.skip("The response is longer than the limit of the run")
        : await check(response, play);
    },
  };
}

/** Returns the calls that had a result, up to `most` of each read-only method. */
export function plainCalls(context: RpcContext, most: number): readonly (readonly PlainCall[])[] {
  const { safety, live } = context.session;
  return checkedMethods(context)
    .filter(({ name }) => safety.of(name).isSafe)
    .map((method) =>
      live
        .goodInputsOf(method.name)
        .slice(0, most)
        .map((input) => ({ method, input, params: paramsOf(method, input) })),
    );
}

/** Returns the simplest call that had a result, for checks that apply to any call. */
export function findPlainCall(context: RpcContext): PlainCall | undefined {
  const sizeOf = ({ input }: PlainCall): number => Object.keys(input).length;
  return plainCalls(context, 1)
    .flat()
    .toSorted((left, right) => sizeOf(left) - sizeOf(right))[0];
}

/** Serializes a call as a request, or without `id` as a notification. */
export function callText({ method, params }: PlainCall, id?: RequestId): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: method.method, params });
}
