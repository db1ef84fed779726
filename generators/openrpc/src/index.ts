export { openrpcDiagnostics } from "./openrpc-diagnostics.ts";
export { readOpenRpc } from "./read-openrpc.ts";
export type { ReadOptions } from "./read-openrpc.ts";
