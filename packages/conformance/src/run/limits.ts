import type { ConformanceSuite } from "../suite/suite.ts";
import type { RunOptions } from "../contract/options.ts";

/** How much a run asks of a target. */
export interface RunLimits {
  readonly callsPerOperation: number;
  /** Of the rules of the protocol together, which belong to no operation. */
  readonly protocolCalls: number;
  /** Beyond these no operation is called, whatever is looked at again. */
  readonly mostCalls: number;
  /** Calls that each of some operations may take beyond its share after others left theirs over; `requests`: of the run so far. */
  spareCalls(operations: number, requests: number): number;
}

/** Requests of a document with few operations, protocol and all. */
const usualRequests = 300;
/** Left for what is looked at again. */
const keptRequests = 15;
const fewestCalls = 30;
const mostCalls = 60;
/** The rules of HTTP and JSON-RPC; those of GraphQL over HTTP are more, and its operations fewer. */
const protocolCalls = { http: 30, rpc: 32, graphql: 100 };

/** Cases that are played of an operation for what they find out alone. */
export const prerequisiteCalls = 3;

export function limitsOf(suite: ConformanceSuite, options: RunOptions): RunLimits {
  const operations = Math.max(1, suite.protocol === "graphql" ? suite.documents.length : suite.operations.length);
  const share = Math.floor((usualRequests - protocolCalls[suite.protocol]) / operations);
  const usual = Math.min(mostCalls, Math.max(fewestCalls, share));
  const callsPerOperation = options.maxCallsPerOperation ?? usual;
  return {
    callsPerOperation,
    protocolCalls: Math.max(
      protocolCalls[suite.protocol],
      Math.min(mostCalls, usualRequests - operations * callsPerOperation),
    ),
    mostCalls: options.maxCallsPerOperation ?? mostCalls,
    spareCalls: (dropped, requests) => {
      const spare = Math.max(0, usualRequests - keptRequests - requests);
      const share = dropped === 0 ? 0 : Math.floor(spare / dropped);
      return options.maxCallsPerOperation === undefined ? Math.min(mostCalls - callsPerOperation, share) : 0;
    },
  };
}
