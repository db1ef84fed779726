export { answerFrameworkError, sendErrorAnswer, serviceErrorOfFramework } from "./framework-error.ts";
export { createInjectTransport } from "./inject-transport.ts";
export { defaultLimits } from "./plugin-options.ts";
export type { OperationOutcome, PluginOptions, RestOptions, RpcOptions } from "./plugin-options.ts";
export { createRestPlugin } from "./rest-plugin.ts";
export type { RestHandlers } from "./rest-plugin.ts";
export { createRpcPlugin } from "./rpc-plugin.ts";
export type { RpcEnvelopeMembers, RpcHandlers } from "./rpc-plugin.ts";
