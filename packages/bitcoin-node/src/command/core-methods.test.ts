import { readFileSync } from "node:fs";
import { documentText } from "@nodewright/bitcoin-api/document";
import { expect, it } from "vitest";

const { methods } = JSON.parse(documentText) as { readonly methods: readonly { readonly name: string }[] };
const offered = new Set(methods.map(({ name }) => name));
const guide = readFileSync(new URL("../../../../docs/bitcoin-methods.md", import.meta.url), "utf8");

/** The methods of Bitcoin Core 31.99 without a wallet, from the tables of its `src/rpc`. */
const coreMethods =
  `abortprivatebroadcast addconnection addnode addpeeraddress analyzepsbt clearbanned combinepsbt combinerawtransaction
  converttopsbt createmultisig createpsbt createrawtransaction decodepsbt decoderawtransaction decodescript deriveaddresses
  descriptorprocesspsbt disconnectnode dumptxoutset echo echoipc echojson enumeratesigners estimaterawfee estimatesmartfee exportasmap
  finalizepsbt generate generateblock generatetoaddress generatetodescriptor getaddednodeinfo getaddrmaninfo getbestblockhash getblock
  getblockchaininfo getblockcount getblockfilter getblockfrompeer getblockhash getblockheader getblockstats getblocktemplate
  getchainstates getchaintips getchaintxstats getconnectioncount getdeploymentinfo getdescriptoractivity getdescriptorinfo getdifficulty
  getindexinfo getmemoryinfo getmempoolancestors getmempoolcluster getmempooldescendants getmempoolentry getmempoolfeeratediagram
  getmempoolinfo getmininginfo getnettotals getnetworkhashps getnetworkinfo getnodeaddresses getorphantxs getpeerinfo
  getprioritisedtransactions getprivatebroadcastinfo getrawaddrman getrawmempool getrawtransaction getrpcinfo gettxout gettxoutproof
  gettxoutsetinfo gettxspendingprevout help importmempool invalidateblock joinpsbts listbanned loadtxoutset logging mockscheduler ping
  preciousblock prioritisetransaction pruneblockchain reconsiderblock savemempool scanblocks scantxoutset sendmsgtopeer
  sendrawtransaction setban setmocktime setnetworkactive signmessagewithprivkey signrawtransactionwithkey stop submitblock submitheader
  submitpackage syncwithvalidationinterfacequeue testmempoolaccept uptime utxoupdatepsbt validateaddress verifychain verifymessage
  verifytxoutproof waitforblock waitforblockheight waitfornewblock`.split(/\s+/);

const section = /^## Not offered$([\s\S]*?)^## /m.exec(guide)?.[1] ?? "";
const notOffered = section
  .split("\n")
  .flatMap((line) => [...(/^\| ([^|]*) \|/.exec(line)?.[1] ?? "").matchAll(/`([a-z._]+)`/g)].map(([, name]) => name));

it("offers every method of Bitcoin Core, or says why not", () => {
  expect(coreMethods.filter((name) => !offered.has(name)).sort()).toEqual(notOffered.toSorted());
});
