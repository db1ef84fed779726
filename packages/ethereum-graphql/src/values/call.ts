import type { CallData } from "@nodewright/ethereum-api/types";
import type { CallRequest, CallTrace } from "@nodewright/ethereum-node-api/types";
import { ServiceError } from "@nodewright/runtime";
import { publicNodeText, type UpstreamRpcError } from "@nodewright/upstream";
import { callIfSupported, upstreamErrorOf } from "../node/call-if-supported.ts";
import type { EthereumContext } from "../request/context.ts";
import { isExecutionError, revertDataOf } from "../node-calls/execution-error.ts";
import type { StateReference } from "../results/state-reference.ts";
import { hasForms, isData, isQuantity, type MemberForms, members } from "../results/response-forms.ts";
import { failureOfNode } from "../node-calls/upstream-calls.ts";
import { invalidResponse } from "../basics/unexpected-result.ts";

/** Outcome of a message call. */
export interface CallOutcome {
  readonly data: string;
  readonly status: string;
  /** Gas used; undefined when it was not selected. */
  readonly gasUsed: string | undefined;
}

const succeeded = "0x1";
const failed = "0x0";

/** Runs a message call. An execution error in the EVM is an outcome; an error before the execution is thrown. */
export async function runCall(
  data: CallData,
  state: StateReference,
  wantsGas: boolean,
  context: EthereumContext,
): Promise<CallOutcome> {
  const request = callRequest(data);
  if (!wantsGas) return await runPlainCall(request, state, context);
  return (await traceCall(request, state, context)) ?? (await callAndSimulate(request, state, context));
}

/**
 * Returns the gas that a transaction would need. An execution error is thrown as `invalid_input` with the node's message, and with the revert
 * data as `data` in the details.
 */
export async function estimateGas(data: CallData, state: StateReference, context: EthereumContext): Promise<string> {
  try {
    return textOf(await context.readState("eth_estimateGas", [callRequest(data)], state), "eth_estimateGas");
  } catch (reason) {
    const refusal = upstreamErrorOf(reason);
    throw refusal !== undefined && isExecutionError(refusal) ? estimationFailure(refusal) : reason;
  }
}

async function runPlainCall(
  request: CallRequest,
  state: StateReference,
  context: EthereumContext,
): Promise<CallOutcome> {
  try {
    const data = textOf(await context.readState("eth_call", [request], state), "eth_call");
    return { data, status: succeeded, gasUsed: undefined };
  } catch (reason) {
    const refusal = upstreamErrorOf(reason);
    if (refusal === undefined || !isExecutionError(refusal)) throw reason;
    return { data: revertDataOf(refusal), status: failed, gasUsed: undefined };
  }
}

/** Geth's message that it does not trace calls on the pending state. */
const noPendingTraces = /pending is not supported/i;

/** Traces a call; undefined when the client does not support that, or not in this state. */
async function traceCall(
  request: CallRequest,
  state: StateReference,
  context: EthereumContext,
): Promise<CallOutcome | undefined> {
  const options = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } };
  try {
    const callNode = () => context.calls.read("debug_traceCall", [request, state, options]);
    const result = await callIfSupported("debug_traceCall", callNode, context);
    return result === undefined ? undefined : outcomeOfTrace(result);
  } catch (reason) {
    if (state === "pending" && noPendingTraces.test(upstreamErrorOf(reason)?.message ?? "")) return undefined;
    throw failureOfNode(reason);
  }
}

/**
 * Runs a call on clients without tracing. The result is that of `eth_call`; only the gas is that of `eth_simulateV1`, which runs the call in
 * the next block and ignores fees.
 */
async function callAndSimulate(
  request: CallRequest,
  state: StateReference,
  context: EthereumContext,
): Promise<CallOutcome> {
  const [call, gas] = await Promise.allSettled([
    runPlainCall(request, state, context),
    simulateGas(request, state, context),
  ]);
  if (call.status === "rejected") throw call.reason;
  if (gas.status === "rejected") throw gas.reason;
  return { ...call.value, gasUsed: gas.value };
}

async function simulateGas(request: CallRequest, state: StateReference, context: EthereumContext): Promise<string> {
  const callNode = () => context.readState("eth_simulateV1", [{ blockStateCalls: [{ calls: [request] }] }], state);
  const result = await callIfSupported("eth_simulateV1", callNode, context);
  if (result !== undefined) return gasOfSimulation(result);
  throw new ServiceError(
    "not_implemented",
    "The node does not report how much gas a call uses: it supports neither debug_traceCall nor eth_simulateV1; request only data and status",
  );
}

function textOf(result: unknown, method: string): string {
  if (typeof result === "string") return result;
  throw invalidResponse(method);
}

const traceForms: MemberForms = [
  ...members("required", isQuantity, "gasUsed"),
  ...members("optional", isData, "output"),
  ...members("optional", (error) => typeof error === "string", "error"),
];

function outcomeOfTrace(result: unknown): CallOutcome {
  if (!hasForms(result, traceForms)) throw invalidResponse("debug_traceCall");
  const { output, error, gasUsed } = result as unknown as CallTrace;
  return { data: output ?? "0x", status: error === undefined ? succeeded : failed, gasUsed };
}

function gasOfSimulation(result: unknown): string {
  const [block] = Array.isArray(result) ? (result as readonly { readonly calls?: unknown }[]) : [];
  const [call] = Array.isArray(block?.calls) ? (block.calls as readonly { readonly gasUsed?: unknown }[]) : [];
  if (!isQuantity(call?.gasUsed)) throw invalidResponse("eth_simulateV1");
  return call?.gasUsed as string;
}

function estimationFailure(reason: UpstreamRpcError): ServiceError {
  const data = revertDataOf(reason);
  const details = data === "0x" ? undefined : { data };
  return new ServiceError("invalid_input", publicNodeText(reason.message), { details, cause: reason });
}

function callRequest(data: CallData): CallRequest {
  return Object.fromEntries(
    Object.entries(data).filter((member): member is [string, string] => typeof member[1] === "string"),
  );
}
