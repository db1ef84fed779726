import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { MempoolSummary } from "@nodewright/bitcoin-indexer";
import type { Upstream } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { findAmount, findBoolean, findInteger, isRecord, type NodeRecord } from "../forward/node-response.ts";

/** Policy of Bitcoin Core 31, where the node does not report another. Rates in satoshi for each 1000 virtual bytes. */
const defaultPolicy = {
  maximumBytes: 300_000_000,
  relayFee: 1_000n,
  dataCarrierBytes: 100_000,
  clusterCount: 64,
  clusterSize: 101_000,
};

/** Approximate memory of a node for each virtual byte and transaction. */
const memoryPerVirtualByte = 3;
const memoryPerTransaction = 600;

/** Timeout in milliseconds; the rest is known without the node. */
const timeoutMilliseconds = 1_000;

/** Returns the state of the mempool: its contents as this service knows them, its policy as the node reports it. */
export const getmempoolinfo: BitcoinHandler<"getmempoolinfo", BitcoinNodeContext> = async (
  _input,
  { mempool, upstream },
) => {
  const node = await fetchMempoolInfo(upstream);
  const { count, virtualSize, totalFee } = (await mempool?.summary()) ?? emptySummary;
  const { maximumBytes, relayFee, dataCarrierBytes, clusterCount, clusterSize } = defaultPolicy;
  return {
    loaded: findBoolean(node["loaded"]) ?? true,
    size: count,
    bytes: virtualSize,
    usage: findInteger(node["usage"]) ?? memoryOf(count, virtualSize),
    total_fee: totalFee,
    maxmempool: findInteger(node["maxmempool"]) ?? maximumBytes,
    mempoolminfee: findAmount(node["mempoolminfee"]) ?? relayFee,
    minrelaytxfee: findAmount(node["minrelaytxfee"]) ?? relayFee,
    incrementalrelayfee: findAmount(node["incrementalrelayfee"]) ?? relayFee,
    unbroadcastcount: findInteger(node["unbroadcastcount"], 0, 0xffffffff) ?? 0,
    permitbaremultisig: findBoolean(node["permitbaremultisig"]) ?? true,
    maxdatacarriersize: findInteger(node["maxdatacarriersize"]) ?? dataCarrierBytes,
    limitclustercount: findInteger(node["limitclustercount"], 0, 0xffffffff) ?? clusterCount,
    limitclustersize: findInteger(node["limitclustersize"]) ?? clusterSize,
    // Without the node's `optimal`, only an empty mempool is known to be ordered optimally.
    optimal: findBoolean(node["optimal"]) ?? count === 0,
  };
};

const emptySummary: Pick<MempoolSummary, "count" | "virtualSize" | "totalFee"> = {
  count: 0,
  virtualSize: 0,
  totalFee: 0n,
};

function memoryOf(count: number, virtualSize: number): number {
  return virtualSize * memoryPerVirtualByte + count * memoryPerTransaction;
}

/** Returns the node's result, empty when it is unavailable. */
async function fetchMempoolInfo(upstream: Upstream | undefined): Promise<NodeRecord> {
  try {
    const result = await upstream?.call("getmempoolinfo", [], { timeoutMilliseconds });
    return isRecord(result) ? result : {};
  } catch {
    return {};
  }
}
