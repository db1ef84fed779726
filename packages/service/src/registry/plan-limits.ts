import { defaultEthereumLimits, type EthereumLimits } from "@nodewright/ethereum-graphql";
import { defaultLimits } from "@nodewright/runtime/node";
import { defaultGraphqlLimits, type GraphqlLimits } from "@nodewright/runtime/graphql";

/** Limits of one GraphQL request. All of them are finite: they are stored as JSON. */
export interface GraphqlPlanLimits extends GraphqlLimits, EthereumLimits {}

/** Limits of one request, as in a plan. */
export interface PlanLimits {
  /** Maximum request body, in bytes. */
  readonly bodyBytes: number;
  /** Maximum number of calls in one JSON-RPC batch. */
  readonly batchMembers: number;
  /** Maximum total bytes of the responses to one JSON-RPC batch. Absent: `defaultBatchResponseBytes`. */
  readonly batchResponseBytes?: number;
  /** GraphQL limits. Absent members: `defaultGraphqlPlanLimits`, as for plans that were created before such limits existed. */
  readonly graphql?: Partial<GraphqlPlanLimits>;
}

/** The same with all optional members of a plan. */
export interface GrantedLimits extends PlanLimits {
  readonly batchResponseBytes: number;
  readonly graphql: GraphqlPlanLimits;
}

/** Default bytes: enough for hundreds of transactions, and for a few blocks. */
export const defaultBatchResponseBytes: number = defaultLimits.batchResponseBytes;

/** Defaults of a plan. A cost of 100 counts as one request. */
export const defaultGraphqlPlanLimits: GraphqlPlanLimits = {
  ...defaultGraphqlLimits,
  ...defaultEthereumLimits,
  cost: 10_000,
  responseBytes: 16 * 1024 * 1024,
};

/** Completes the limits of a plan. */
export function grantedLimits(limits: PlanLimits): GrantedLimits {
  return {
    ...limits,
    batchResponseBytes: limits.batchResponseBytes ?? defaultBatchResponseBytes,
    graphql: { ...defaultGraphqlPlanLimits, ...limits.graphql },
  };
}

/** Returns the problem of the limits of a plan, or `undefined`: an unknown name would limit nothing. */
export function problemOfLimits({ graphql = {}, ...others }: PlanLimits): string | undefined {
  const unknown = Object.keys(graphql).find((name) => !Object.hasOwn(defaultGraphqlPlanLimits, name));
  if (unknown !== undefined) return `"${unknown}" is not a limit of GraphQL requests`;
  const wrong = Object.entries({ ...others, ...graphql }).find(
    ([, limit]) => !Number.isSafeInteger(limit) || limit < 0,
  );
  return wrong && `${wrong[0]} has to be a natural number`;
}

/** Returns a name for limits: equal for equal ones only. */
export function nameOfLimits(limits: GrantedLimits): string {
  const known = names.get(limits);
  if (known !== undefined) return known;
  const name = JSON.stringify(limits);
  names.set(limits, name);
  return name;
}

/** Cached, because it is requested with each request, of a few plans. */
const names = new WeakMap<GrantedLimits, string>();
