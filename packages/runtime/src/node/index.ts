export { sendFrameworkError, sendErrorResponse, serviceErrorOfFramework } from "./framework-error.ts";
export { createInjectTransport } from "./inject-transport.ts";
export { hundredMillionthsText, JsonBytes, literalOf } from "./json-bytes.ts";
export type { Literal } from "./json-bytes.ts";
export { defaultLimits } from "./plugin-options.ts";
export type { ResponseValidation, OperationOutcome, PluginOptions, RestOptions, RpcOptions } from "./plugin-options.ts";
export { createRestPlugin } from "./rest-plugin.ts";
export type { RestHandlers } from "./rest-plugin.ts";
export { createRpcPlugin } from "./rpc-plugin.ts";
export type { RpcEnvelopeMembers, RpcHandlers } from "./rpc-plugin.ts";
export { restSecurity } from "./security.ts";
export type {
  ApiKeyCredentials,
  BasicCredentials,
  BearerCredentials,
  Credentials,
  MutualTlsCredentials,
  OtherHttpCredentials,
  RestSecurity,
  SecurityDemand,
  SecurityHandler,
  SecurityHandlers,
  SecuritySchemes,
} from "./security.ts";
export { createTextCaches } from "./text-cache.ts";
export type { TextCache } from "./text-cache.ts";
export type { TextCacheOptions } from "./text-cache.ts";
export { runInTimeSlices, isTimeSliceUsedUp, nextTimeSlice } from "./time-slice.ts";
export { TurnQueue } from "./turn-queue.ts";
export { withPaths } from "./with-paths.ts";
