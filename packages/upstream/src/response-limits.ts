import type { JsonLimits } from "./sliced-json-reader.ts";

/** Limits of one response. */
export interface ResponseLimits extends JsonLimits {
  readonly bytes: number;
}

const kibibyte = 1_024;
const mebibyte = kibibyte * kibibyte;

/**
 * Limits of a response by how it grows: its bytes in addition to what its errors repeat of the call, and whether correct nodes may exceed
 * them.
 */
const limitsOf = {
  /** Hashes, numbers and objects of fixed size. */
  fixed: { bytes: 64 * kibibyte, isPassedByCorrectNodes: false },
  /** Lists of what a node knows: peers, addresses, chain tips. getpeerinfo has about 3 KiB for each of at most 1,000 peers. */
  list: { bytes: 4 * mebibyte, isPassedByCorrectNodes: false },
  /** One transaction with its scripts or calldata, the logs of one, a block template: at most a block in hex with what describes it. */
  transaction: { bytes: 16 * mebibyte, isPassedByCorrectNodes: false },
  /** Return or revert data of code that a client chooses: the error contains that data. */
  execution: { bytes: 16 * mebibyte, isPassedByCorrectNodes: true },
  /**
   * Results that a client selects, or sends to be decoded: blocks with all transactions, ranges of logs, mempools. Tens of MB on the public
   * chains.
   */
  range: { bytes: 32 * mebibyte, isPassedByCorrectNodes: true },
  /** The same for data that anybody writes as deep and in as short parts as desired: witnesses of transactions, calls within calls. */
  shaped: { bytes: 32 * mebibyte, isPassedByCorrectNodes: true, isShapedByClients: true },
} as const satisfies Record<string, Omit<ResponseLimits, "values" | "depth">>;

type Growth = keyof typeof limitsOf;

/**
 * Bytes of a response for each byte of the parameters: errors repeat what was sent. btcd writes a rejected witness in hex, Go quotes a
 * character as six, and others mention the same twice.
 */
const echoedBytesPerByte = 8;

/** Methods by growth. Methods that are not listed are `list`. */
const methodsOf: Readonly<Record<Exclude<Growth, "list">, readonly string[]>> = {
  fixed: [
    "estimatefee",
    "estimatesmartfee",
    "getbestblock",
    "getbestblockhash",
    "getblockchaininfo",
    "getblockcount",
    "getblockhash",
    "getblockheader",
    "getconnectioncount",
    "getcurrentnet",
    "getdifficulty",
    "getgenerate",
    "gethashespersec",
    "getinfo",
    "getmempoolinfo",
    "getmininginfo",
    "getnettotals",
    "getnetworkhashps",
    "getnetworkinfo",
    "ping",
    "sendrawtransaction",
    "submitblock",
    "submitheader",
    "uptime",
    "version",
    "eth_blobBaseFee",
    "eth_blockNumber",
    "eth_chainId",
    "eth_gasPrice",
    "eth_getBalance",
    "eth_getBlockTransactionCountByHash",
    "eth_getBlockTransactionCountByNumber",
    "eth_getStorageAt",
    "eth_getTransactionCount",
    "eth_maxPriorityFeePerGas",
    "eth_protocolVersion",
    "eth_sendRawTransaction",
    "eth_syncing",
    "net_version",
    "txpool_status",
    "web3_clientVersion",
  ],
  transaction: [
    "getblocktemplate",
    "getnodeaddresses",
    "gettxout",
    "eth_getProof",
    "eth_getRawTransactionByHash",
    "eth_getTransactionByBlockHashAndIndex",
    "eth_getTransactionByBlockNumberAndIndex",
    "eth_getTransactionByHash",
    "eth_getTransactionReceipt",
  ],
  execution: ["eth_call", "eth_callMany", "eth_createAccessList", "eth_estimateGas", "eth_simulateV1"],
  range: [
    "deriveaddresses",
    "getdescriptoractivity",
    "getmempoolfeeratediagram",
    "getprioritisedtransactions",
    "getrawaddrman",
    "getrawmempool",
    "gettxspendingprevout",
    "scanblocks",
    "scantxoutset",
    "debug_getRawBlock",
    "debug_getRawReceipts",
    "eth_feeHistory",
    "eth_getBlockByHash",
    "eth_getBlockByNumber",
    "eth_getBlockReceipts",
    "eth_getLogs",
    "txpool_content",
  ],
  shaped: [
    "analyzepsbt",
    "combinepsbt",
    "combinerawtransaction",
    "converttopsbt",
    "decodepsbt",
    "decoderawtransaction",
    "descriptorprocesspsbt",
    "finalizepsbt",
    "getblock",
    "getorphantxs",
    "getrawtransaction",
    "joinpsbts",
    "searchrawtransactions",
    "utxoupdatepsbt",
    "debug_traceBlock",
    "debug_traceBlockByHash",
    "debug_traceBlockByNumber",
    "debug_traceCall",
    "debug_traceCallMany",
    "debug_traceTransaction",
    "trace_block",
    "trace_call",
    "trace_callMany",
    "trace_filter",
  ],
};

const growthByMethod: ReadonlyMap<string, Growth> = new Map(
  Object.entries(methodsOf).flatMap(([growth, methods]) => methods.map((method) => [method, growth as Growth])),
);

/**
 * Maximum depth. A transaction of Bitcoin nests 6 deep, a trace of calls of Ethereum as deep as its calls: 1,024, which is not an offered
 * result.
 */
const depth = 128;

/** Maximum values for each byte. Logs, receipts, transactions and mempool entries have one for 36 bytes or more. */
const valuesPerByte = 1 / 32;

/**
 * Returns the limits of the response to one request: those of its calls together, and never more than `maximumBytes`.
 *
 * @param requestBytes Length of the request, whose parameters errors contain.
 */
export function limitsOfResponse(
  calls: readonly { readonly method: string }[],
  requestBytes: number,
  maximumBytes: number,
): ResponseLimits {
  let bytes = echoedBytesPerByte * requestBytes;
  let isPassedByCorrectNodes = false;
  let isShapedByClients: boolean | undefined;
  for (const { method } of calls) {
    const limits: Omit<ResponseLimits, "values" | "depth"> = limitsOf[growthByMethod.get(method) ?? "list"];
    bytes += limits.bytes;
    isPassedByCorrectNodes ||= limits.isPassedByCorrectNodes;
    isShapedByClients ||= limits.isShapedByClients;
  }
  if (bytes > maximumBytes) {
    bytes = maximumBytes;
    isPassedByCorrectNodes = true;
  }
  return { bytes, values: Math.ceil(bytes * valuesPerByte), depth, isPassedByCorrectNodes, isShapedByClients };
}
