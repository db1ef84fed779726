import { describe, expect, test } from "vitest";
import { classifyMethodName } from "./method-name.ts";

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

interface MethodTable {
  readonly sent: readonly string[];
  readonly held: readonly string[];
}

/** All methods of third-party interfaces, by whether they are sent without an extension in the document. */
const tables: Readonly<Record<string, MethodTable>> = {
  "the Ethereum execution API": {
    sent: words(`
      debug_getBadBlocks debug_getRawBlock debug_getRawBlockAccessList debug_getRawHeader debug_getRawReceipts debug_getRawTransaction
      debug_traceBlockByHash debug_traceBlockByNumber debug_traceTransaction
      eth_accounts eth_baseFee eth_blobBaseFee eth_blockNumber eth_call eth_capabilities eth_chainId eth_coinbase eth_config
      eth_createAccessList eth_estimateGas eth_feeHistory eth_fillTransaction eth_gasPrice eth_getBalance eth_getBlockAccessList
      eth_getBlockByHash eth_getBlockByNumber eth_getBlockReceipts eth_getBlockTransactionCountByHash
      eth_getBlockTransactionCountByNumber eth_getCode eth_getFilterLogs eth_getLogs eth_getProof eth_getStorageAt
      eth_getStorageValues eth_getTransactionByBlockHashAndIndex eth_getTransactionByBlockNumberAndIndex eth_getTransactionByHash
      eth_getTransactionCount eth_getTransactionReceipt eth_maxPriorityFeePerGas eth_simulateV1 eth_syncing net_version
      txpool_content txpool_contentFrom txpool_status
    `),
    held: words(`
      engine_exchangeCapabilities engine_exchangeTransitionConfigurationV1 engine_forkchoiceUpdatedV1 engine_forkchoiceUpdatedV2
      engine_forkchoiceUpdatedV3 engine_forkchoiceUpdatedV4 engine_forkchoiceUpdatedV5 engine_getBlobsV1 engine_getBlobsV2
      engine_getBlobsV3 engine_getBlobsV4 engine_getInclusionListV1 engine_getPayloadBodiesByHashV1 engine_getPayloadBodiesByHashV2
      engine_getPayloadBodiesByRangeV1 engine_getPayloadBodiesByRangeV2 engine_getPayloadV1 engine_getPayloadV2 engine_getPayloadV3
      engine_getPayloadV4 engine_getPayloadV5 engine_getPayloadV6 engine_newPayloadV1 engine_newPayloadV2 engine_newPayloadV3
      engine_newPayloadV4 engine_newPayloadV5 engine_newPayloadV6
      eth_getFilterChanges eth_newBlockFilter eth_newFilter eth_newPendingTransactionFilter eth_sendRawTransaction eth_sendTransaction
      eth_sign eth_signTransaction eth_uninstallFilter testing_buildBlockV1
    `),
  },
  "Ethereum clients": {
    sent: words(`
      eth_hashrate eth_mining eth_protocolVersion net_listening net_peerCount web3_clientVersion web3_sha3 txpool_inspect
      debug_getModifiedAccountsByHash debug_traceCall trace_block trace_call trace_callMany trace_filter trace_get
      trace_rawTransaction trace_transaction erigon_getHeaderByNumber erigon_getLatestLogs ots_getBlockDetails ots_hasCode
      ots_getContractCreator bor_getSnapshot bor_getAuthor clique_getSigners
    `),
    held: words(`
      eth_submitWork eth_getWork eth_subscribe debug_setHead debug_standardTraceBlockToFile debug_traceBlockToFile
      debug_startCPUProfile admin_addPeer admin_getPeers admin_nodeInfo clique_propose evm_mine anvil_setBalance hardhat_reset
      miner_start miner_stop personal_listAccounts personal_unlockAccount trace_replayTransaction
    `),
  },
  "Bitcoin Core": {
    sent: words(`
      decodepsbt decoderawtransaction decodescript estimaterawfee estimatesmartfee getaddednodeinfo getaddressesbylabel
      getaddressinfo getaddrmaninfo getbalance getbalances getbestblockhash getblock getblockchaininfo getblockcount getblockfilter
      getblockhash getblockheader getblockstats getblocktemplate getchainstates getchaintips getchaintxstats getconnectioncount
      getdeploymentinfo getdescriptoractivity getdescriptorinfo getdifficulty getindexinfo getmemoryinfo getmempoolancestors
      getmempoolcluster getmempooldescendants getmempoolentry getmempoolfeeratediagram getmempoolinfo getmininginfo getnettotals
      getnetworkhashps getnetworkinfo getnodeaddresses getorphantxs getpeerinfo getprioritisedtransactions getrawaddrman
      getrawmempool getrawtransaction getreceivedbyaddress getreceivedbylabel getrpcinfo gettransaction gettxout gettxoutproof
      gettxoutsetinfo gettxspendingprevout getunconfirmedbalance getwalletinfo getzmqnotifications help listaddressgroupings
      listbanned listdescriptors listlabels listlockunspent listreceivedbyaddress listreceivedbylabel listsinceblock listtransactions
      listunspent listwalletdir listwallets uptime validateaddress verifychain verifymessage verifytxoutproof
    `),
    held: words(`
      abandontransaction abortprivatebroadcast abortrescan addconnection addnode addpeeraddress analyzepsbt backupwallet bumpfee
      clearbanned combinepsbt combinerawtransaction converttopsbt createmultisig createpsbt createrawtransaction createwallet
      createwalletdescriptor deriveaddresses descriptorprocesspsbt disconnectnode dumptxoutset echo echoipc echojson encryptwallet
      enumeratesigners exportasmap finalizepsbt fundrawtransaction generate generateblock generatetoaddress generatetodescriptor
      getblockfrompeer gethdkeys getnewaddress getprivatebroadcastinfo getrawchangeaddress importdescriptors importmempool
      importprunedfunds invalidateblock joinpsbts keypoolrefill loadtxoutset loadwallet lockunspent logging migratewallet
      mockscheduler ping preciousblock prioritisetransaction pruneblockchain psbtbumpfee reconsiderblock removeprunedfunds
      rescanblockchain restorewallet savemempool scanblocks scantxoutset send sendall sendmany sendmsgtopeer sendrawtransaction
      sendtoaddress setban sethdseed setlabel setmocktime setnetworkactive settxfee setwalletflag signmessage
      signmessagewithprivkey signrawtransactionwithkey signrawtransactionwithwallet simulaterawtransaction stop submitblock
      submitheader submitpackage syncwithvalidationinterfacequeue testmempoolaccept unloadwallet upgradewallet utxoupdatepsbt
      waitforblock waitforblockheight waitfornewblock walletcreatefundedpsbt walletdisplayaddress walletlock walletpassphrase
      walletpassphrasechange walletprocesspsbt
    `),
  },
  "btcd and btcwallet": {
    sent: words(`
      decoderawtransaction decodescript estimatefee estimatepriority getaccount getaddednodeinfo getaddressesbyaccount getbalance
      getbestblock getbestblockhash getblock getblockchaininfo getblockcount getblockhash getblockheader getblocktemplate
      getcfilter getcfilterheader getchaintips getconnectioncount getcurrentnet getdifficulty gethashespersec getheaders getinfo
      getmempoolentry getmempoolinfo getmininginfo getnettotals getnetworkhashps getnetworkinfo getnodeaddresses getpeerinfo
      getrawmempool getrawtransaction getreceivedbyaccount getreceivedbyaddress gettransaction gettxout gettxoutsetinfo
      gettxspendingprevout getunconfirmedbalance getwalletinfo help listaccounts listaddressgroupings listlockunspent
      listreceivedbyaccount listreceivedbyaddress listsinceblock listtransactions listunspent searchrawtransactions uptime
      validateaddress verifychain verifymessage version
    `),
    held: words(`
      addmultisigaddress addnode authenticate backupwallet createencryptedwallet createmultisig createrawtransaction debuglevel
      dumpprivkey dumpwallet encryptwallet generate getaccountaddress getgenerate getnewaddress getrawchangeaddress getwork
      importprivkey importwallet invalidateblock keypoolrefill loadtxfilter lockunspent move node notifyblocks
      notifynewtransactions notifyreceived notifyspent ping preciousblock reconsiderblock rescan rescanblocks sendfrom sendmany
      sendrawtransaction sendtoaddress session setaccount setgenerate settxfee signmessage signmessagewithprivkey
      signrawtransaction stop stopnotifyblocks stopnotifynewtransactions stopnotifyreceived stopnotifyspent submitblock
      testmempoolaccept walletlock walletpassphrase walletpassphrasechange
    `),
  },
  "other interfaces": {
    sent: words(`
      getsigningkeys getdataset getassetdata getPublicKey getNetworkAddresses getAccountInfo getBalance getBlock getBlockCommitment
      getBlockHeight getBlockProduction getBlockTime getBlocks getClusterNodes getEpochInfo getFeeForMessage getFirstAvailableBlock
      getGenesisHash getHealth getHighestSnapshotSlot getIdentity getInflationRate getLargestAccounts getLatestBlockhash
      getLeaderSchedule getMinimumBalanceForRentExemption getMultipleAccounts getProgramAccounts getRecentPerformanceSamples
      getRecentPrioritizationFees getSignatureStatuses getSignaturesForAddress getSlot getSlotLeader getStakeMinimumDelegation
      getSupply getTokenAccountBalance getTokenAccountsByOwner getTransaction getTransactionCount getVersion getVoteAccounts
      isBlockhashValid get_block_count get_balance chain_getBlockHash state_getMetadata eth_get_balance Wallet.ListUnspent is_synced
      has_code starknet_blockNumber starknet_chainId starknet_specVersion system_health system/version chain.height node:status
      orders.search catalog.findBook countOrders isOpen shop.isOpen is_open shop_is_open hasOpenOrders can_be_split isSetClear
    `),
    held: words(`
      wallet_getNewAddress getAndDelete get_and_reset listAndRemove requestAirdrop sendTransaction simulateTransaction
      minimumLedgerSlot getterOf issueToken issuetoken isolatePeer listenTo broadcast_tx_commit send_tx EXPERIMENTAL_changes tx
      query block status health call phone.call hashed.put getOrCreateAccount verifyAndImport getblockandinvalidate helpStop
      getPayloadAndSubmit getAccountAddress getFreshAddress getnextaddress getunusedaddress getprivkey getPrivateKey
      wallet_getMnemonic get_private_key listSeedWords getxprv findAndModify searchAndReplace counterSign admin.health tracer.start
      miner/status isOpenThenDelete delete_is_open isolateOpen canopen openIs canWithdraw isOpenAndClosed_send
    `),
  },
};

describe.each(Object.entries(tables))("methods of %s", (_, { sent, held }) => {
  test.each(sent)("%s is sent", (method) => {
    expect(classifyMethodName(method)).toMatchObject({ isSafe: true });
  });

  test.each(held)("%s is not sent", (method) => {
    expect(classifyMethodName(method)).toMatchObject({ isSafe: false });
  });
});

describe("the reason for a method", () => {
  test("is the word or the namespace that decides", () => {
    expect(classifyMethodName("getnewaddress").reason).toBe('its name holds the word "new"');
    expect(classifyMethodName("personal_listAccounts").reason).toContain("personal");
    expect(classifyMethodName("eth_chainId").reason).toBe('"chainId" names what is read');
    expect(classifyMethodName("eth_newFilter").reason).toContain("does not begin");
    expect(classifyMethodName("").isSafe).toBe(false);
  });
});
