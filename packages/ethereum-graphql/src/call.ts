import type { CallData } from "@nodewright/ethereum-api/types";
import type { CallRequest, CallTrace } from "@nodewright/ethereum-node-api/types";
import { isUpstreamRpcError, type UpstreamRpcError } from "@nodewright/upstream";
import type { EthereumContext } from "./context.ts";
import type { StateReference } from "./node-values.ts";
import { failureOfNode, isMethodMissing } from "./upstream-calls.ts";

/** What a message call gave. */
export interface CallOutcome {
  readonly data: string;
  readonly status: string;
  /** Undefined when it was not asked for. */
  readonly gasUsed: string | undefined;
}

interface SimulatedCall {
  readonly gasUsed: string;
  readonly returnData: string;
  readonly status: string;
}

const succeeded = "0x1";
const failed = "0x0";

/**
 * How clients name failures inside the machine when they give them as errors of the call, other than a revert, which has
 * code 3: geth's `core/vm` errors, anvil's and Besu's spellings of them, and Nethermind's one text for all of them.
 */
const machineFailure =
  /^(?:execution reverted|vm execution error|evm error|out ?of ?gas|invalid ?(?:opcode|jump|code)|invalidfeopcode|opcodenotfound|stack ?(?:underflow|overflow|limit)|write protection|state change during static ?call|return data out of bounds|gas uint64 overflow|max(?:imum)? ?(?:code|initcode|call depth)|contract (?:creation code storage out of gas|address collision)|insufficient balance for transfer|nonce uint64 overflow)/i;

/** Runs a message call. A failure inside the machine is an outcome; one before it began is thrown. */
export async function runCall(
  data: CallData,
  state: StateReference,
  wantsGas: boolean,
  context: EthereumContext,
): Promise<CallOutcome> {
  const request = callRequest(data);
  if (!wantsGas) return await runPlainCall(request, state, context);
  try {
    return outcomeOfTrace(await context.calls.read("debug_traceCall", [request, state, { tracer: "callTracer" }]));
  } catch (reason) {
    if (isMethodMissing(reason)) return await simulateCall(request, state, context);
    throw failureOfNode(reason);
  }
}

/** How much gas a transaction would need; one that would fail is thrown as `invalid_input`. */
export async function estimateGas(data: CallData, state: StateReference, context: EthereumContext): Promise<string> {
  return (await context.read("eth_estimateGas", [callRequest(data), state])) as string;
}

async function runPlainCall(
  request: CallRequest,
  state: StateReference,
  context: EthereumContext,
): Promise<CallOutcome> {
  try {
    const data = (await context.calls.read("eth_call", [request, state])) as string;
    return { data, status: succeeded, gasUsed: undefined };
  } catch (reason) {
    if (isUpstreamRpcError(reason) && isMachineFailure(reason)) {
      return { data: revertData(reason), status: failed, gasUsed: undefined };
    }
    throw failureOfNode(reason);
  }
}

/** For clients without tracing. The call runs as in a block that follows the state's, as `eth_simulateV1` has it. */
async function simulateCall(
  request: CallRequest,
  state: StateReference,
  context: EthereumContext,
): Promise<CallOutcome> {
  const blocks = await context.read("eth_simulateV1", [{ blockStateCalls: [{ calls: [request] }] }, state]);
  const call = (blocks as readonly { readonly calls: readonly SimulatedCall[] }[])[0]?.calls[0];
  if (call === undefined) throw new Error("Expected the simulated call");
  return { data: call.returnData, status: call.status, gasUsed: call.gasUsed };
}

function outcomeOfTrace(answer: unknown): CallOutcome {
  const { output, error, gasUsed } = answer as CallTrace;
  return { data: output ?? "0x", status: error === undefined ? succeeded : failed, gasUsed };
}

function isMachineFailure(reason: UpstreamRpcError): boolean {
  return reason.code === 3 || machineFailure.test(reason.message);
}

function revertData({ data }: UpstreamRpcError): string {
  return typeof data === "string" && /^0x(?:[0-9a-fA-F]{2})*$/.test(data) ? data : "0x";
}

function callRequest(data: CallData): CallRequest {
  return Object.fromEntries(
    Object.entries(data).filter((member): member is [string, string] => typeof member[1] === "string"),
  );
}
