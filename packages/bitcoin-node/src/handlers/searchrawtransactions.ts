import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { FoundTransactions } from "@nodewright/bitcoin-api/types";
import type { IndexedTransaction } from "@nodewright/bitcoin-indexer";
import { hashScript, type Network, toHex } from "@nodewright/bitcoin-primitives";
import { encodeBitcoinAmount, PreparedJson } from "@nodewright/runtime";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { assertClientConnected } from "../context/assert-client-connected.ts";
import { getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { truncate } from "../parameters/parameter-problems.ts";
import { readAddress } from "../parameters/read-address.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { findTransactions } from "../search/find-transactions.ts";
import { type FoundDetail, renderFoundTransaction } from "../search/render-found.ts";

const defaultCount = 100;
/** Maximum number of transactions at once. */
const maximumCount = 1_000;

/** Returns the transactions of an address. */
export const searchrawtransactions: BitcoinHandler<"searchrawtransactions", BitcoinNodeContext> = async (
  { address, verbose = 1, skip = 0, count = defaultCount, vinextra = 0, reverse = false, filteraddrs = [] },
  { index, mempool, isClientDisconnected },
) => {
  const { scriptPubKey } = getAddress(address, index.network);
  const addresses = new Set(filteraddrs.map((each) => getAddress(each, index.network).address));
  const scriptHash = toHex(hashScript(scriptPubKey));
  const search = { scriptHash, skip, count: Math.min(count, maximumCount), reverse };
  const found = await findTransactions({ index, mempool }, search);
  if (found.length === 0) throw rpcError("notFound", "No information available about address");
  if (Number(verbose) === 0) return found.map(({ transaction }) => toHex(transaction.bytes));
  const { height: tipHeight } = await getTip(index);
  const withPreviousOutputs = Number(vinextra) !== 0;
  const detail = { network: index.network, tipHeight, withPreviousOutputs, addresses };
  return renderAll(found, detail, { isClientDisconnected });
};

function getAddress(text: string, network: Network): { readonly address: string; readonly scriptPubKey: Uint8Array } {
  const reading = readAddress(text, network);
  if (reading.kind === "address") return reading;
  throw rpcError("invalidAddress", `Invalid address or key: ${truncate(text)}: ${reading.message}`);
}

/** Renders them with other work in between. */
async function renderAll(
  found: readonly IndexedTransaction[],
  detail: FoundDetail,
  caller: Pick<BitcoinNodeContext, "isClientDisconnected">,
): Promise<PreparedJson<FoundTransactions>> {
  const pieces: string[] = [];
  for (const transaction of found) {
    const text = JSON.stringify(renderFoundTransaction(transaction, detail), amountsAsDecimals);
    pieces.push(pieces.length === 0 ? "[" : ",", text);
    if (!isTimeSliceUsedUp()) continue;
    await nextTimeSlice();
    assertClientConnected(caller);
  }
  pieces.push("]");
  return new PreparedJson<FoundTransactions>(pieces);
}

/** Replaces amounts, the only bigints of a transaction. */
function amountsAsDecimals(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? encodeBitcoinAmount(value) : value;
}
