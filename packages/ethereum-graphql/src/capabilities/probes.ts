import type { UpstreamCall } from "@nodewright/upstream";

/** Feature that clients may lack: methods by their names, and the naming of states by hash (EIP-1898). */
export type Capability = OptionalMethod | "eip1898";

export type OptionalMethod =
  | "debug_getRawBlock"
  | "debug_getRawHeader"
  | "debug_getRawReceipts"
  | "debug_getRawTransaction"
  | "debug_traceCall"
  | "eth_feeHistory"
  | "eth_getBlockReceipts"
  | "eth_getProof"
  | "eth_getRawTransactionByHash"
  | "eth_getStorageValues"
  | "eth_protocolVersion"
  | "eth_simulateV1"
  | "txpool_content"
  | "txpool_status";

const zeroHash = `0x${"0".repeat(64)}`;
export const zeroAddress: string = `0x${"0".repeat(40)}`;

/**
 * Calls that show whether each exists: about something that no chain has, or about the genesis block, so that they cost the client nothing
 * and change nothing.
 */
export const probes: Readonly<Record<OptionalMethod, UpstreamCall>> = {
  debug_getRawBlock: { method: "debug_getRawBlock", params: [zeroHash] },
  debug_getRawHeader: { method: "debug_getRawHeader", params: [zeroHash] },
  debug_getRawReceipts: { method: "debug_getRawReceipts", params: [zeroHash] },
  debug_getRawTransaction: { method: "debug_getRawTransaction", params: [zeroHash] },
  debug_traceCall: { method: "debug_traceCall", params: [{ to: zeroAddress }, "earliest", { tracer: "callTracer" }] },
  eth_feeHistory: { method: "eth_feeHistory", params: ["0x1", "earliest", []] },
  eth_getBlockReceipts: { method: "eth_getBlockReceipts", params: ["earliest"] },
  eth_getProof: { method: "eth_getProof", params: [zeroAddress, [], "latest"] },
  eth_getRawTransactionByHash: { method: "eth_getRawTransactionByHash", params: [zeroHash] },
  eth_getStorageValues: { method: "eth_getStorageValues", params: [{ [zeroAddress]: [zeroHash] }, "latest"] },
  eth_protocolVersion: { method: "eth_protocolVersion", params: [] },
  eth_simulateV1: { method: "eth_simulateV1", params: [{ blockStateCalls: [] }, "latest"] },
  // With a param too many, because the complete pool is a long result.
  txpool_content: { method: "txpool_content", params: [zeroAddress] },
  txpool_status: { method: "txpool_status", params: [] },
};

export const optionalMethods: readonly OptionalMethod[] = Object.keys(probes) as OptionalMethod[];
