/**
 * What sending a method once more would do.
 *
 * - `read`: nothing. It may be repeated, asked of two nodes at once and shared among callers.
 * - `hand-in`: something is handed to the network, known by its content. It is sent once; who asks for the same meanwhile gets that answer.
 * - `act`: something is done anew each time. It is sent once, and each caller's is their own.
 */
export type MethodKind = "read" | "hand-in" | "act";

/** Methods that are not listed act: an unknown one may do anything. */
export function methodKindOf(method: string): MethodKind {
  if (reads.has(method)) return "read";
  return whereToLook.has(method) ? "hand-in" : "act";
}

/** What a caller is told when it is unknown whether the node got a call: where to look, for what is handed in. */
export function describeUncertainty(method: string): string {
  const look = whereToLook.get(method);
  const advice = look === undefined ? "" : `: ${look} before sending it again`;
  return `${method} may or may not have reached it${advice}`;
}

const mempoolAndChain = "look for its txid with getmempoolentry or getrawtransaction";
const blockByHash = "look for its hash with getblockheader";

const whereToLook: ReadonlyMap<string, string> = new Map([
  ["sendrawtransaction", mempoolAndChain],
  ["submitpackage", mempoolAndChain],
  ["submitblock", blockByHash],
  ["submitheader", blockByHash],
  ["eth_sendRawTransaction", "look for its hash with eth_getTransactionByHash"],
]);

/** Methods of wallets are left out: some that read by their name make addresses. So are long polls and filters, which use up what they give. */
const reads: ReadonlySet<string> = new Set([
  // Bitcoin: blocks, transactions and statistics.
  "getbestblock",
  "getbestblockhash",
  "getblock",
  "getblockchaininfo",
  "getblockcount",
  "getblockfilter",
  "getblockhash",
  "getblockheader",
  "getblockstats",
  "getcfilter",
  "getcfilterheader",
  "getchainstates",
  "getchaintips",
  "getchaintxstats",
  "getcurrentnet",
  "getdeploymentinfo",
  "getdifficulty",
  "getheaders",
  "getindexinfo",
  "getrawtransaction",
  "gettxout",
  "gettxoutproof",
  "gettxoutsetinfo",
  "gettxspendingprevout",
  "searchrawtransactions",
  "verifychain",
  "verifytxoutproof",
  // Bitcoin: unconfirmed transactions, fees and mining.
  "estimatefee",
  "estimaterawfee",
  "estimatesmartfee",
  "getgenerate",
  "gethashespersec",
  "getmempoolancestors",
  "getmempoolcluster",
  "getmempooldescendants",
  "getmempoolentry",
  "getmempoolfeeratediagram",
  "getmempoolinfo",
  "getmininginfo",
  "getnetworkhashps",
  "getorphantxs",
  "getprioritisedtransactions",
  "getrawmempool",
  "testmempoolaccept",
  // Bitcoin: the node and its peers.
  "getaddednodeinfo",
  "getaddrmaninfo",
  "getconnectioncount",
  "getinfo",
  "getmemoryinfo",
  "getnettotals",
  "getnetworkinfo",
  "getnodeaddresses",
  "getpeerinfo",
  "getrpcinfo",
  "help",
  "listbanned",
  "ping",
  "uptime",
  "version",
  // Bitcoin: computed from the parameters alone.
  "combinepsbt",
  "createpsbt",
  "createrawtransaction",
  "decodepsbt",
  "decoderawtransaction",
  "decodescript",
  "deriveaddresses",
  "getdescriptorinfo",
  "signmessagewithprivkey",
  "signrawtransactionwithkey",
  "validateaddress",
  "verifymessage",
  // Ethereum.
  "debug_getRawBlock",
  "debug_getRawHeader",
  "debug_getRawReceipts",
  "debug_getRawTransaction",
  "debug_traceBlockByHash",
  "debug_traceBlockByNumber",
  "debug_traceCall",
  "debug_traceTransaction",
  "eth_accounts",
  "eth_blobBaseFee",
  "eth_blockNumber",
  "eth_call",
  "eth_chainId",
  "eth_createAccessList",
  "eth_estimateGas",
  "eth_feeHistory",
  "eth_gasPrice",
  "eth_getBalance",
  "eth_getBlockByHash",
  "eth_getBlockByNumber",
  "eth_getBlockReceipts",
  "eth_getBlockTransactionCountByHash",
  "eth_getBlockTransactionCountByNumber",
  "eth_getCode",
  "eth_getLogs",
  "eth_getProof",
  "eth_getRawTransactionByHash",
  "eth_getStorageAt",
  "eth_getTransactionByBlockHashAndIndex",
  "eth_getTransactionByBlockNumberAndIndex",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
  "eth_getUncleByBlockHashAndIndex",
  "eth_getUncleByBlockNumberAndIndex",
  "eth_getUncleCountByBlockHash",
  "eth_getUncleCountByBlockNumber",
  "eth_maxPriorityFeePerGas",
  "eth_protocolVersion",
  "eth_simulateV1",
  "eth_syncing",
  "net_listening",
  "net_peerCount",
  "net_version",
  "txpool_content",
  "txpool_contentFrom",
  "txpool_inspect",
  "txpool_status",
  "web3_clientVersion",
  "web3_sha3",
]);
