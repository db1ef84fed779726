export { type PromiseOrValue, whenResolved } from "../basics/promise-or-value.ts";
export type { GraphqlHandlers, GraphqlResolvers } from "./executable-schema.ts";
export { fromParent, propertyUnlessArguments } from "./field-of-parent.ts";
export { defaultGraphqlLimits } from "./graphql-options.ts";
export type {
  GraphqlCostRequest,
  GraphqlExecution,
  GraphqlLimits,
  GraphqlOptions,
  NoArguments,
  ObjectResolvers,
  Resolver,
  RootResolver,
  ScalarImplementation,
} from "./graphql-options.ts";
export { createGraphqlPlugin } from "./graphql-plugin.ts";
export type { ScalarChecks } from "./scalar-checks.ts";
