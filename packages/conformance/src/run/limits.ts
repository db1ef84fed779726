import type { RunOptions } from "../contract/options.ts";
import { protocolOperation } from "../contract/planned-case.ts";
import { minimumOfLong, maximumCalls, type SharedOperation } from "../contract/protocol-plan.ts";
import type { ConformanceSuite } from "../suite/suite.ts";

/** Limits on the requests of a run. */
export interface RunLimits {
  /** Returns the number of calls of an operation, or in total for the rules of the protocol, which belong to no operation. */
  callsOf(operation: string): number;
  /** Maximum number of calls of any operation, including repetitions. */
  readonly maximumCalls: number;
  /**
   * Returns how many calls each of some operations may use beyond its share, after others left calls unused; `requests`: of the run so far.
   */
  spareCalls(operations: number, requests: number): number;
}

/** Number of requests for a document with few operations, including the protocol: up to this, operations use what others left. */
const usualRequests = 200;
/** Number of requests reserved for repetitions. */
const keptRequests = 8;
/** Number of requests that operations share, and number for the rules of the protocol: GraphQL over HTTP needs more. */
const requests = {
  http: { shared: 172, protocol: 30 },
  rpc: { shared: 166, protocol: 32 },
  graphql: { shared: 98, protocol: 82 },
};

/** Maximum number of played cases of an operation that only provide values. */
export const prerequisiteCalls = 3;

/**
 * Divides the calls of a run among operations by their weight: small documents are checked thoroughly, and large ones as far as possible.
 */
export function limitsOf(
  { protocol }: Pick<ConformanceSuite, "protocol">,
  { maxCallsPerOperation }: Pick<RunOptions, "maxCallsPerOperation">,
  operations: readonly SharedOperation[],
): RunLimits {
  const { shared, protocol: ofProtocol } = requests[protocol];
  const weights = operations.reduce((sum, { weight }) => sum + weight, 0);
  const calls = new Map(
    operations.map(({ name, weight, least, most }): readonly [string, number] => {
      const share = Math.floor((shared * weight) / weights);
      return [name, maxCallsPerOperation ?? Math.min(most, Math.max(least, share))];
    }),
  );
  const planned = [...calls.values()].reduce((sum, one) => sum + one, 0);
  const protocolCalls = Math.max(ofProtocol, Math.min(maximumCalls, usualRequests - planned));
  return {
    callsOf: (operation) =>
      operation === protocolOperation ? protocolCalls : (calls.get(operation) ?? maxCallsPerOperation ?? minimumOfLong),
    maximumCalls: maxCallsPerOperation ?? maximumCalls,
    spareCalls: (dropped, sent) => {
      const spare = Math.max(0, usualRequests - keptRequests - sent);
      return maxCallsPerOperation !== undefined || dropped === 0 ? 0 : Math.floor(spare / dropped);
    },
  };
}
