export { defaultGraphqlLimits } from "./graphql-options.ts";
export type {
  GraphqlCostRequest,
  GraphqlLimits,
  GraphqlOptions,
  Resolver,
  RootResolver,
  ScalarImplementation,
} from "./graphql-options.ts";
