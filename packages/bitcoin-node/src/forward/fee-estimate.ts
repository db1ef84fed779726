import { isServiceError } from "@nodewright/runtime";
import type { BitcoinNodeContext } from "../context/context.ts";
import { requestNode, getSoftware } from "./call-node.ts";
import { findAmount, findInteger, isRecord } from "./node-response.ts";

/** A fee rate, with the number of blocks that it applies to. */
export interface FeeRateEstimate {
  /** Satoshi for each 1,000 virtual bytes; `undefined` when there is nothing to estimate from. */
  readonly feeRate: bigint | undefined;
  readonly blocks: number;
}

/** Mode of an estimate, from optimistic to conservative. */
export type EstimateMode = "unset" | "economical" | "conservative";

/** Largest target of an estimate, in blocks. */
const maximumTarget = 1_008;

const timeoutMilliseconds = 3_000;
const virtualBytesPerRate = 1_000;

/** Method name for failures. A node without an estimate is not reported to clients: the result is an estimate or none. */
const method = "estimatesmartfee";

/**
 * Requests an estimate from the node. Without its estimate or response, the service's own counts, if there is a mempool to derive it from.
 */
export async function estimateFeeRate(
  target: number,
  mode: EstimateMode | undefined,
  context: BitcoinNodeContext,
): Promise<FeeRateEstimate> {
  const { upstream, mempool } = context;
  const estimate = upstream === undefined ? undefined : await fetchEstimate(target, mode, context);
  if (estimate !== undefined) return estimate;
  if (mempool === undefined) return { feeRate: undefined, blocks: target };
  return ownEstimate(await mempool.feeEstimates(), target);
}

async function fetchEstimate(
  target: number,
  mode: EstimateMode | undefined,
  context: BitcoinNodeContext,
): Promise<FeeRateEstimate | undefined> {
  try {
    const { kind } = await getSoftware(context, method);
    const call =
      kind === "btcd"
        ? { nodeMethod: "estimatefee", params: [target] }
        : { params: mode === undefined ? [target] : [target, mode] };
    const response = await requestNode(context, { method, ...call, timeoutMilliseconds: timeoutMilliseconds });
    return response.ok ? readEstimate(response.result, target) : undefined;
  } catch (reason) {
    if (isServiceError(reason)) return undefined;
    throw reason;
  }
}

/** Reads a number (btcd), or an object with `feerate` and `blocks` (Bitcoin Core). */
function readEstimate(result: unknown, target: number): FeeRateEstimate | undefined {
  const { feerate, blocks } = isRecord(result) ? result : { feerate: result, blocks: target };
  const feeRate = findFeeRate(feerate);
  if (feeRate === undefined || feeRate <= 0n) return undefined;
  return { feeRate, blocks: findInteger(blocks, 0, maximumTarget) ?? target };
}

/** Reads a fee rate. btcd's rates are doubles with more decimals than a satoshi has. */
function findFeeRate(value: unknown): bigint | undefined {
  return findAmount(value) ?? (typeof value === "number" ? findAmount(Number(value.toFixed(8))) : undefined);
}

/** Returns the estimate for the largest target that is not above the requested one, to which it applies as well. */
function ownEstimate(rates: ReadonlyMap<number, number>, target: number): FeeRateEstimate {
  const blocks = Math.max(...[...rates.keys()].filter((known) => known <= target));
  const rate = rates.get(blocks);
  if (rate === undefined) return { feeRate: undefined, blocks: target };
  return { feeRate: BigInt(Math.round(rate * virtualBytesPerRate)), blocks };
}
