import { defaultEthereumLimits, type EthereumLimits } from "@nodewright/ethereum-graphql";
import { defaultLimits } from "@nodewright/runtime/node";
import { defaultGraphqlLimits, type GraphqlLimits } from "@nodewright/runtime/graphql";

/** What one GraphQL request may be and use, at most. All of them are finite: they are kept as JSON. */
export interface GraphqlPlanLimits extends GraphqlLimits, EthereumLimits {}

/** What one request may be, at most, as a plan says it. */
export interface PlanLimits {
  /** Largest request body, in bytes. */
  readonly bodyBytes: number;
  /** Most calls in one JSON-RPC batch. */
  readonly batchMembers: number;
  /** Most bytes of the responses to one JSON-RPC batch together. Absent: `defaultBatchResponseBytes`. */
  readonly batchResponseBytes?: number;
  /** Absent members: `defaultGraphqlPlanLimits`, as for plans that were made before there were such limits. */
  readonly graphql?: Partial<GraphqlPlanLimits>;
}

/** The same with everything that a plan may leave out. */
export interface GrantedLimits extends PlanLimits {
  readonly batchResponseBytes: number;
  readonly graphql: GraphqlPlanLimits;
}

/** Room for hundreds of transactions, and for a few blocks. */
export const defaultBatchResponseBytes: number = defaultLimits.batchResponseBytes;

/** The figures of a plan that has no others. A cost of 100 counts as one request. */
export const defaultGraphqlPlanLimits: GraphqlPlanLimits = {
  ...defaultGraphqlLimits,
  ...defaultEthereumLimits,
  cost: 10_000,
  answerBytes: 16 * 1024 * 1024,
};

/** Fills in what a plan leaves out. */
export function grantedLimits(limits: PlanLimits): GrantedLimits {
  return {
    ...limits,
    batchResponseBytes: limits.batchResponseBytes ?? defaultBatchResponseBytes,
    graphql: { ...defaultGraphqlPlanLimits, ...limits.graphql },
  };
}

/** Says what is wrong with the limits of a plan, or `undefined`: a name that is no limit's would limit nothing. */
export function problemOfLimits({ graphql = {}, ...others }: PlanLimits): string | undefined {
  const unknown = Object.keys(graphql).find((name) => !Object.hasOwn(defaultGraphqlPlanLimits, name));
  if (unknown !== undefined) return `"${unknown}" is no limit of GraphQL requests`;
  const wrong = Object.entries({ ...others, ...graphql }).find(
    ([, limit]) => !Number.isSafeInteger(limit) || limit < 0,
  );
  return wrong && `${wrong[0]} has to be a natural number`;
}

/** Names limits: equal ones alike, others otherwise. */
export function nameOfLimits(limits: GrantedLimits): string {
  const known = names.get(limits);
  if (known !== undefined) return known;
  const name = JSON.stringify(limits);
  names.set(limits, name);
  return name;
}

/** Asked for with each request, of a few plans. */
const names = new WeakMap<GrantedLimits, string>();
