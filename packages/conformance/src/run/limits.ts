import type { RunOptions } from "../contract/options.ts";
import { protocolOperation } from "../contract/planned-case.ts";
import { leastOfLong, mostCalls, type SharedOperation } from "../contract/protocol-plan.ts";
import type { ConformanceSuite } from "../suite/suite.ts";

/** How much a run calls a target. */
export interface RunLimits {
  /** Calls of an operation; of the rules of the protocol together, which belong to none. */
  callsOf(operation: string): number;
  /** Beyond these no operation is called, whatever is looked at again. */
  readonly mostCalls: number;
  /** Calls that each of some operations may take beyond its share after others left theirs over; `requests`: of the run so far. */
  spareCalls(operations: number, requests: number): number;
}

/** Requests of a document with few operations, protocol and all: up to these, operations take what others left over. */
const usualRequests = 200;
/** Left for what is looked at again. */
const keptRequests = 8;
/** Requests that are shared among operations, and those of the protocol's rules: of GraphQL over HTTP these are more. */
const requests = {
  http: { shared: 172, protocol: 30 },
  rpc: { shared: 166, protocol: 32 },
  graphql: { shared: 98, protocol: 82 },
};

/** Cases that are played of an operation for what they find out alone. */
export const prerequisiteCalls = 3;

/** Shares the calls of a run among operations by their weight: small documents are looked at closely, and large ones at all. */
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
  const protocolCalls = Math.max(ofProtocol, Math.min(mostCalls, usualRequests - planned));
  return {
    callsOf: (operation) =>
      operation === protocolOperation ? protocolCalls : (calls.get(operation) ?? maxCallsPerOperation ?? leastOfLong),
    mostCalls: maxCallsPerOperation ?? mostCalls,
    spareCalls: (dropped, sent) => {
      const spare = Math.max(0, usualRequests - keptRequests - sent);
      return maxCallsPerOperation !== undefined || dropped === 0 ? 0 : Math.floor(spare / dropped);
    },
  };
}
