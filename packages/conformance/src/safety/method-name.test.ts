import { describe, expect, test } from "vitest";
import { judgeMethodName } from "./method-name.ts";

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const reading = words(`
  getbestblockhash getblock getblockchaininfo getblockcount getblockfilter getblockfrompeerinfo getblockhash getblockheader getblockstats
  getblocktemplate getchainstates getchaintips getchaintxstats getconnectioncount getdeploymentinfo getdescriptorinfo getdifficulty
  getindexinfo getmemoryinfo getmempoolancestors getmempooldescendants getmempoolentry getmempoolinfo getmininginfo getnettotals
  getnetworkhashps getnetworkinfo getnodeaddresses getaddrmaninfo getorphantxs getpeerinfo getprioritisedtransactions getrawmempool
  getrawtransaction getrpcinfo gettxout gettxoutproof gettxoutsetinfo gettxspendingprevout getzmqnotifications getaddednodeinfo
  getaddressinfo getaddressesbylabel getbalance getbalances getreceivedbyaddress getreceivedbylabel gettransaction
  getunconfirmedbalance getwalletinfo listaddressgroupings listbanned listlabels listlockunspent listreceivedbyaddress
  listreceivedbylabel listsinceblock listtransactions listunspent listwalletdir listwallets listdescriptors decodepsbt
  decoderawtransaction decodescript estimaterawfee estimatesmartfee estimatefee validateaddress verifychain verifymessage
  verifytxoutproof help version getbestblock getcfilter getcfilterheader getcurrentnet getheaders getinfo gethashespersec
  getsigningkeys getdataset getassetdata
  eth_getBalance eth_getBlockByHash eth_getBlockByNumber eth_getBlockReceipts eth_getBlockTransactionCountByHash eth_getCode
  eth_getLogs eth_getProof eth_getStorageAt eth_getTransactionByHash eth_getTransactionCount eth_getTransactionReceipt
  eth_getUncleCountByBlockHash eth_estimateGas eth_getFilterLogs eth_hashrate net_listening net_version debug_getRawBlock
  debug_getRawReceipts debug_getBadBlocks debug_getModifiedAccountsByHash txpool_getContent erigon_getHeaderByNumber
  erigon_getLatestLogs ots_getBlockDetails ots_hasCode ots_getContractCreator trace_get bor_getSnapshot bor_getAuthor
  engine_getClientVersionV1 engine_getPayloadBodiesByHashV1 engine_getBlobsV1 clique_getSigners getPublicKey getNetworkAddresses
  getAccountInfo getBalance getBlock getBlockCommitment getBlockHeight getBlockProduction getBlockTime getBlocks getClusterNodes
  getEpochInfo getFeeForMessage getFirstAvailableBlock getGenesisHash getHealth getHighestSnapshotSlot getIdentity getInflationRate
  getLargestAccounts getLatestBlockhash getLeaderSchedule getMinimumBalanceForRentExemption getMultipleAccounts getProgramAccounts
  getRecentPerformanceSamples getRecentPrioritizationFees getSignatureStatuses getSignaturesForAddress getSlot getSlotLeader
  getStakeMinimumDelegation getSupply getTokenAccountBalance getTokenAccountsByOwner getTransaction getTransactionCount getVersion
  getVoteAccounts isBlockhashValid
  get_block_count get_balance chain_getBlockHash state_getMetadata eth_get_balance Wallet.ListUnspent is_synced has_code
`);

const changing = words(`
  abandontransaction addmultisigaddress addnode addpeeraddress backupwallet bumpfee clearbanned combinepsbt createmultisig
  createpsbt createrawtransaction createwallet createwalletdescriptor deriveaddresses disconnectnode dumptxoutset dumpprivkey
  encryptwallet enumeratesigners finalizepsbt fundrawtransaction generate generateblock generatetoaddress generatetodescriptor
  getnewaddress getrawchangeaddress getaccountaddress getgenerate importaddress importdescriptors importmempool invalidateblock
  joinpsbts keypoolrefill loadtxoutset loadwallet lockunspent logging move ping preciousblock prioritisetransaction
  pruneblockchain psbtbumpfee reconsiderblock removeprunedfunds rescanblockchain restorewallet savemempool scantxoutset send
  sendall sendmany sendrawtransaction sendtoaddress setban sethdseed setlabel setnetworkactive settxfee setwalletflag
  signmessage signrawtransactionwithkey simulaterawtransaction stop submitblock submitheader submitpackage syncwithvalidationinterfacequeue
  testmempoolaccept unloadwallet uptime utxoupdatepsbt walletcreatefundedpsbt walletlock walletpassphrase walletprocesspsbt
  setgenerate node rebroadcastunconfirmed getwork searchrawtransactions debuglevel
  eth_sendRawTransaction eth_sendTransaction eth_sign eth_signTransaction eth_submitWork eth_newFilter eth_uninstallFilter
  eth_call eth_chainId eth_blockNumber eth_createAccessList debug_setHead debug_traceTransaction miner_start miner_stop
  admin_addPeer admin_getPeers personal_unlockAccount personal_listAccounts engine_newPayloadV4 engine_forkchoiceUpdatedV3
  evm_mine anvil_setBalance hardhat_reset txpool_content wallet_getNewAddress getAndDelete get_and_reset listAndRemove
  requestAirdrop sendTransaction simulateTransaction minimumLedgerSlot getterOf issueToken issuetoken isolatePeer listenTo
  broadcast_tx_commit send_tx EXPERIMENTAL_changes tx query block status hashed.put getOrCreateAccount verifyAndImport
  getblockandinvalidate helpStop
  engine_getPayloadV3 engine_getPayloadV10 eth_getWork getAccountAddress getFreshAddress getnextaddress getunusedaddress
  getprivkey getPrivateKey wallet_getMnemonic get_private_key listSeedWords getxprv
`);

describe("a method's name", () => {
  test.each(reading)("%s reads", (method) => {
    expect(judgeMethodName(method)).toMatchObject({ isSafe: true });
  });

  test.each(changing)("%s may change something", (method) => {
    expect(judgeMethodName(method)).toMatchObject({ isSafe: false });
  });

  test("is judged with the word that decides", () => {
    expect(judgeMethodName("getnewaddress").reason).toBe('its name holds the word "new"');
    expect(judgeMethodName("personal_listAccounts").reason).toContain("personal");
    expect(judgeMethodName("eth_call").reason).toContain("does not begin");
    expect(judgeMethodName("").isSafe).toBe(false);
  });
});
