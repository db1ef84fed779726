export { defaultLimits } from "./plugin-options.ts";
export type { OperationOutcome, PluginOptions, RestOptions, RpcOptions } from "./plugin-options.ts";
