export { handlers } from "./handlers/index.ts";
export { createCommandReference } from "./command/command-reference.ts";
export type { Command, CommandReference, CommandValue, OpenRpcDocument } from "./command/command-reference.ts";
export { renderCommandHelp, renderCommandList } from "./command/help-text.ts";
export type { BitcoinNodeContext, MethodAccess, NodeIdentity } from "./context.ts";
export { createParameterRefusal } from "./invalid-parameters.ts";
export type { ParameterRefusal } from "./invalid-parameters.ts";
export { rpcError, rpcErrorCodes } from "./rpc-error.ts";
export type { RpcErrorName } from "./rpc-error.ts";
