// Calls every read method of btcd's rpcclient on a JSON-RPC endpoint, and prints what the client made of each answer: one line of JSON a call.
//
// The endpoint and what is to be asked about stand on standard input, so that two endpoints can be asked the same.
package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcjson"
	"github.com/btcsuite/btcd/btcutil/v2"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/rpcclient"
	"github.com/btcsuite/btcd/wire/v2"
)

// What to ask, and whom.
type task struct {
	// Host, port and all that follows, as rpcclient takes it.
	Host     string `json:"host"`
	User     string `json:"user"`
	Password string `json:"password"`
	// Heights of the best chain.
	Heights []int64 `json:"heights"`
	// Of the best chain, or stale.
	Blocks []string `json:"blocks"`
	// In blocks of the best chain.
	Transactions []string `json:"transactions"`
	Unconfirmed  []string `json:"unconfirmed"`
	Addresses    []string `json:"addresses"`
	// A transaction in hex that the node would take.
	Unsent string `json:"unsent"`
	// Whether it is to be sent in the end.
	Send bool `json:"send"`
}

// What became of a call.
type line struct {
	Method string `json:"method"`
	// What it was asked about.
	About  string `json:"about"`
	Result any    `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
}

var printer = json.NewEncoder(os.Stdout)

func tell[Result any](method string, about any, result Result, err error) Result {
	told := line{Method: method, About: fmt.Sprint(about), Result: result}
	if err != nil {
		told.Result, told.Error = nil, err.Error()
	}
	if err := printer.Encode(told); err != nil {
		log.Fatal(err)
	}
	return result
}

func tellNothing(method string, about any, err error) {
	tell(method, about, "done", err)
}

func main() {
	var asked task
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		log.Fatal(err)
	}
	configuration := &rpcclient.ConnConfig{
		Host: asked.Host, User: asked.User, Pass: asked.Password, HTTPPostMode: true, DisableTLS: true,
		Params: chaincfg.RegressionNetParams.Name,
	}
	client, err := rpcclient.New(configuration, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Shutdown()
	askChain(client)
	for _, height := range asked.Heights {
		askHeight(client, height)
	}
	for _, text := range asked.Blocks {
		askBlock(client, text)
	}
	for _, text := range asked.Transactions {
		askTransaction(client, text)
	}
	for _, text := range asked.Unconfirmed {
		entry, err := client.GetMempoolEntry(text)
		tell("getmempoolentry", text, entry, err)
		askRawTransaction(client, text)
	}
	for _, text := range asked.Addresses {
		askAddress(client, text)
	}
	askBatch(configuration, asked.Heights)
	askUnsent(client, asked)
}

func askChain(client *rpcclient.Client) {
	version, err := client.BackendVersion()
	tell("backend", "", fmt.Sprint(version), err)
	best, err := client.GetBestBlockHash()
	tell("getbestblockhash", "", best, err)
	hash, height, err := client.GetBestBlock()
	tell("getbestblock", "", fmt.Sprint(hash, height), err)
	count, err := client.GetBlockCount()
	tell("getblockcount", "", count, err)
	info, err := client.GetBlockChainInfo()
	tell("getblockchaininfo", "", info, err)
	tips, err := client.GetChainTips()
	tell("getchaintips", "", tips, err)
	statistics, err := client.GetChainTxStats()
	tell("getchaintxstats", "", statistics, err)
	some, err := client.GetChainTxStatsNBlocks(5)
	tell("getchaintxstats", 5, some, err)
	difficulty, err := client.GetDifficulty()
	tell("getdifficulty", "", difficulty, err)
	set, err := client.GetTxOutSetInfo()
	tell("gettxoutsetinfo", "", set, err)
	pool, err := client.GetRawMempool()
	tell("getrawmempool", "", pool, err)
	entries, err := client.GetRawMempoolVerbose()
	tell("getrawmempool", true, entries, err)
	fee, err := client.EstimateFee(6)
	tell("estimatefee", 6, fee, err)
	for _, mode := range []btcjson.EstimateSmartFeeMode{
		btcjson.EstimateModeEconomical, btcjson.EstimateModeConservative, btcjson.EstimateModeUnset,
	} {
		smart, err := client.EstimateSmartFee(6, &mode)
		tell("estimatesmartfee", mode, smart, err)
	}
	isWhole, err := client.VerifyChain()
	tell("verifychain", "", isWhole, err)
	isWhole, err = client.VerifyChainBlocks(1, 20)
	tell("verifychain", "1 20", isWhole, err)
	mining, err := client.GetMiningInfo()
	tell("getmininginfo", "", mining, err)
	rate, err := client.GetNetworkHashPS()
	tell("getnetworkhashps", "", rate, err)
	rate, err = client.GetNetworkHashPS2(10)
	tell("getnetworkhashps", 10, rate, err)
	rate, err = client.GetNetworkHashPS3(10, 50)
	tell("getnetworkhashps", "10 50", rate, err)
	mines, err := client.GetGenerate()
	tell("getgenerate", "", mines, err)
	hashes, err := client.GetHashesPerSec()
	tell("gethashespersec", "", hashes, err)
	connections, err := client.GetConnectionCount()
	tell("getconnectioncount", "", connections, err)
	tellNothing("ping", "", client.Ping())
	peers, err := client.GetPeerInfo()
	tell("getpeerinfo", "", peers, err)
	network, err := client.GetNetworkInfo()
	tell("getnetworkinfo", "", network, err)
	totals, err := client.GetNetTotals()
	tell("getnettotals", "", totals, err)
	added, err := client.GetAddedNodeInfoNoDNS("")
	tell("getaddednodeinfo", "", added, err)
	net, err := client.GetCurrentNet()
	tell("getcurrentnet", "", net, err)
	versions, err := client.Version()
	tell("version", "", versions, err)
	state, err := client.GetInfo()
	tell("getinfo", "", state, err)
}

func askHeight(client *rpcclient.Client, height int64) {
	hash, err := client.GetBlockHash(height)
	tell("getblockhash", height, hash, err)
	statistics, err := client.GetBlockStats(height, nil)
	tell("getblockstats", height, statistics, err)
	some, err := client.GetBlockStats(height, &[]string{"txs", "total_out"})
	tell("getblockstats", fmt.Sprint(height, " chosen"), some, err)
}

func askBlock(client *rpcclient.Client, text string) {
	hash := hashOf(text)
	block, err := client.GetBlock(hash)
	tell("getblock", text+" 0", hexOf(block, err), err)
	verbose, err := client.GetBlockVerbose(hash)
	tell("getblock", text+" 1", verbose, err)
	whole, err := client.GetBlockVerboseTx(hash)
	tell("getblock", text+" 2", whole, err)
	header, err := client.GetBlockHeader(hash)
	tell("getblockheader", text+" false", hexOf(header, err), err)
	described, err := client.GetBlockHeaderVerbose(hash)
	tell("getblockheader", text, described, err)
	filter, err := client.GetCFilter(hash, wire.GCSFilterRegular)
	tell("getcfilter", text, filter, err)
	filterHeader, err := client.GetCFilterHeader(hash, wire.GCSFilterRegular)
	tell("getcfilterheader", text, filterHeader, err)
	kind := btcjson.FilterTypeBasic
	both, err := client.GetBlockFilter(*hash, &kind)
	tell("getblockfilter", text, both, err)
	headers, err := client.GetHeaders([]chainhash.Hash{*hash}, nil)
	tell("getheaders", text, headers, err)
}

func askTransaction(client *rpcclient.Client, text string) {
	transaction := askRawTransaction(client, text)
	proof, err := client.GetTxOutProof([]string{text}, nil)
	tell("gettxoutproof", text, proof, err)
	if transaction == nil {
		return
	}
	for at, output := range transaction.TxOut {
		for _, withMempool := range []bool{false, true} {
			unspent, err := client.GetTxOut(hashOf(text), uint32(at), withMempool)
			tell("gettxout", fmt.Sprint(text, " ", at, " ", withMempool), unspent, err)
		}
		script, err := client.DecodeScript(output.PkScript)
		tell("decodescript", hex.EncodeToString(output.PkScript), script, err)
	}
	spending, err := client.GetTxSpendingPrevOut([]wire.OutPoint{{Hash: *hashOf(text), Index: 0}})
	tell("gettxspendingprevout", text, spending, err)
}

func askRawTransaction(client *rpcclient.Client, text string) *wire.MsgTx {
	raw, err := client.GetRawTransaction(hashOf(text))
	if err != nil {
		tell("getrawtransaction", text+" 0", "", err)
		return nil
	}
	transaction := raw.MsgTx()
	serialized := tell("getrawtransaction", text+" 0", hexOf(transaction, nil), nil)
	verbose, err := client.GetRawTransactionVerbose(hashOf(text))
	tell("getrawtransaction", text+" 1", verbose, err)
	bytes, _ := hex.DecodeString(serialized)
	decoded, err := client.DecodeRawTransaction(bytes)
	tell("decoderawtransaction", text, decoded, err)
	return transaction
}

func askAddress(client *rpcclient.Client, text string) {
	decoded, err := address.DecodeAddress(text, &chaincfg.RegressionNetParams)
	if err != nil {
		log.Fatal(err)
	}
	validity, err := client.ValidateAddress(decoded)
	tell("validateaddress", text, validity, err)
	for _, reverse := range []bool{false, true} {
		found, err := client.SearchRawTransactions(decoded, 1, 20, reverse, nil)
		var ids []string
		for _, transaction := range found {
			ids = append(ids, transaction.TxID())
		}
		tell("searchrawtransactions", fmt.Sprint(text, " ", reverse), ids, err)
		verbose, err := client.SearchRawTransactionsVerbose(decoded, 0, 20, true, reverse, nil)
		tell("searchrawtransactions", fmt.Sprint(text, " ", reverse, " verbose"), verbose, err)
	}
	isSigned, err := client.VerifyMessage(decoded, "IA==", "a message that nobody signed")
	tell("verifymessage", text, isSigned, err)
	amounts := map[address.Address]btcutil.Amount{decoded: 123_456_789}
	inputs := []btcjson.TransactionInput{{Txid: chainhash.Hash{1}.String(), Vout: 3}}
	var lockTime int64
	made, err := client.CreateRawTransaction(inputs, amounts, &lockTime)
	tell("createrawtransaction", text, hexOf(made, err), err)
}

func askBatch(configuration *rpcclient.ConnConfig, heights []int64) {
	client, err := rpcclient.NewBatch(configuration)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Shutdown()
	var answers []rpcclient.FutureGetBlockHashResult
	for _, height := range heights {
		answers = append(answers, client.GetBlockHashAsync(height))
	}
	count := client.GetBlockCountAsync()
	tellNothing("batch", "", client.Send())
	for at, answer := range answers {
		hash, err := answer.Receive()
		tell("batch getblockhash", heights[at], hash, err)
	}
	number, err := count.Receive()
	tell("batch getblockcount", "", number, err)
}

func askUnsent(client *rpcclient.Client, asked task) {
	serialized, err := hex.DecodeString(asked.Unsent)
	if err != nil {
		log.Fatal(err)
	}
	transaction := &wire.MsgTx{}
	if err := transaction.Deserialize(bytes.NewReader(serialized)); err != nil {
		log.Fatal(err)
	}
	verdict, err := client.TestMempoolAccept([]*wire.MsgTx{transaction}, 0)
	tell("testmempoolaccept", transaction.TxID(), verdict, err)
	if !asked.Send {
		return
	}
	sent, err := client.SendRawTransaction(transaction, true)
	tell("sendrawtransaction", transaction.TxID(), sent, err)
}

func hashOf(text string) *chainhash.Hash {
	hash, err := chainhash.NewHashFromStr(text)
	if err != nil {
		log.Fatal(err)
	}
	return hash
}

type serializable interface {
	Serialize(io.Writer) error
}

// Serialized in hex; empty when the client gave an error.
func hexOf(message serializable, err error) string {
	if err != nil {
		return ""
	}
	var serialized bytes.Buffer
	if err := message.Serialize(&serialized); err != nil {
		log.Fatal(err)
	}
	return hex.EncodeToString(serialized.Bytes())
}
