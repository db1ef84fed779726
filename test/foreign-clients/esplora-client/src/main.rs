//! Walks an index REST interface with every method of `esplora-client`, a client that was written for Esplora and knows nothing of
//! ours, and holds its answers against each other and against what the raw blocks say.
//!
//! `esplora-client-visit URL KEY [TRANSACTION]` prints one line of counts, or the first thing that does not agree and exits 1. It
//! broadcasts the transaction, in hex, if one is given.
use bitcoin::consensus::encode::deserialize_hex;
use bitcoin::consensus::serialize;
use bitcoin::{Address, Network, Script, Transaction, Txid};
use esplora_client::api::EsploraTx;
use esplora_client::{BlockingClient, Builder};
use std::collections::{BTreeSet, HashMap};
use std::error::Error;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Blocks visited on each chain, spread evenly from the genesis block to the tip.
const VISITED_BLOCKS: u32 = 60;
/// Scripts whose whole history is walked.
const VISITED_SCRIPTS: usize = 150;

#[derive(Default)]
struct Visit {
    requests: usize,
    blocks: usize,
    transactions: usize,
    scripts: usize,
    pages: usize,
    unconfirmed: usize,
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, key, transactions @ ..] = arguments.as_slice() else {
        return Err("usage: esplora-client-visit URL KEY [TRANSACTION]".into());
    };
    let client = Builder::new(url).header("x-api-key", key).build_blocking();
    let mut visit = Visit::default();
    let network = network_of(&client)?;
    visit_chain(&client, network, &mut visit)?;
    visit_mempool(&client, &mut visit)?;
    for transaction in transactions {
        broadcast(&client, &deserialize_hex(transaction)?, &mut visit)?;
    }
    println!(
        "{} blocks, {} transactions, {} scripts in {} pages, {} unconfirmed, {} answers held against others",
        visit.blocks, visit.transactions, visit.scripts, visit.pages, visit.unconfirmed, visit.requests
    );
    Ok(())
}

fn network_of(client: &BlockingClient) -> Outcome<Network> {
    let genesis = client.get_block_hash(0)?;
    [Network::Bitcoin, Network::Regtest, Network::Testnet, Network::Signet]
        .into_iter()
        .find(|network| bitcoin::blockdata::constants::genesis_block(*network).block_hash() == genesis)
        .ok_or_else(|| "the genesis block is of no known network".into())
}

fn visit_chain(client: &BlockingClient, network: Network, visit: &mut Visit) -> Outcome<()> {
    let height = client.get_height()?;
    agree("the tip", client.get_tip_hash()?, client.get_block_hash(height)?)?;
    let step = (height / VISITED_BLOCKS).max(1);
    let mut scripts = HashMap::new();
    for at in (0..=height).step_by(step as usize) {
        visit_block(client, at, height, &mut scripts, visit)?;
    }
    let mut listed: Vec<_> = scripts.into_iter().collect();
    listed.sort();
    for (script, some_txid) in listed.into_iter().take(VISITED_SCRIPTS) {
        visit_script(client, network, &script, some_txid, visit)?;
    }
    Ok(())
}

fn visit_block(
    client: &BlockingClient,
    height: u32,
    tip: u32,
    scripts: &mut HashMap<bitcoin::ScriptBuf, Txid>,
    visit: &mut Visit,
) -> Outcome<()> {
    let hash = client.get_block_hash(height)?;
    let block = client.get_block_by_hash(&hash)?.ok_or("a block of the best chain is not there")?;
    agree("a block's header", block.header, client.get_header_by_hash(&hash)?)?;
    let info = client.get_block_info(&hash)?;
    agree("a block's height", info.height, height)?;
    agree("a block's size", info.size, serialize(&block).len())?;
    agree("a block's weight", info.weight, block.weight())?;
    agree("a merkle root", Some(info.merkle_root), block.compute_merkle_root())?;
    agree("the number of transactions", info.tx_count as usize, block.txdata.len())?;
    let status = client.get_block_status(&hash)?;
    agree("a block's place", (status.in_best_chain, status.height), (true, Some(height)))?;
    agree("the block above", status.next_best.is_some(), height < tip)?;
    let txids = client.get_block_txids(&hash)?;
    agree("a block's txids", txids.clone(), block.txdata.iter().map(|tx| tx.compute_txid()).collect())?;
    let listed = client.get_block_infos(Some(height))?;
    agree("a block in a list", listed.first(), Some(&info))?;
    let last_page = (txids.len() as u32 - 1) / 25 * 25;
    let page = client.get_block_txs(&hash, Some(last_page))?;
    agree("a block's last page", page.len(), txids.len() - last_page as usize)?;
    visit.requests += 9;
    visit.blocks += 1;
    let step = (txids.len() / 6).max(1);
    for (position, txid) in txids.iter().enumerate().step_by(step) {
        visit_transaction(client, &block, position, txid, visit)?;
        for output in &block.txdata[position].output {
            if !output.script_pubkey.is_op_return() && !output.script_pubkey.is_empty() {
                scripts.entry(output.script_pubkey.clone()).or_insert(*txid);
            }
        }
    }
    Ok(())
}

fn visit_transaction(
    client: &BlockingClient,
    block: &bitcoin::Block,
    position: usize,
    txid: &Txid,
    visit: &mut Visit,
) -> Outcome<()> {
    let expected = &block.txdata[position];
    agree("a raw transaction", client.get_tx(txid)?.as_ref(), Some(expected))?;
    agree("a txid by its place", client.get_txid_at_block_index(&block.block_hash(), position)?, Some(*txid))?;
    let told = client.get_tx_info(txid)?.ok_or("a confirmed transaction is not there")?;
    agree("a transaction's parts", &told.to_tx(), expected)?;
    agree("a transaction's weight", told.weight, expected.weight())?;
    let status = client.get_tx_status(txid)?;
    agree("a transaction's status", &status, &told.status)?;
    agree("a transaction's block", status.block_hash, Some(block.block_hash()))?;
    let proof = client.get_merkle_proof(txid)?.ok_or("a confirmed transaction has no proof")?;
    agree("a transaction's position", proof.pos, position)?;
    let merkle_block = client.get_merkle_block(txid)?.ok_or("a confirmed transaction has no merkle block")?;
    let mut matches = vec![];
    agree("the root of a merkle block", merkle_block.extract_matches(&mut matches, &mut vec![])?, ())?;
    agree("what a merkle block proves", matches, vec![*txid])?;
    let outspends = client.get_tx_outspends(txid)?;
    agree("the number of outspends", outspends.len(), expected.output.len())?;
    for (vout, outspend) in outspends.iter().enumerate().take(3) {
        let single = client.get_output_status(txid, vout as u64)?.ok_or("an output has no status")?;
        agree("an outspend", &single, outspend)?;
        let (Some(spender), Some(vin)) = (outspend.txid, outspend.vin) else { continue };
        let spending = client.get_tx(&spender)?.ok_or("a spending transaction is not there")?;
        let spent = spending.input[vin as usize].previous_output;
        agree("what an input spends", (spent.txid, spent.vout as usize), (*txid, vout))?;
        visit.requests += 2;
    }
    visit.requests += 8;
    visit.transactions += 1;
    Ok(())
}

/// Walks the whole history of a script and holds it against its sums and its unspent outputs.
fn visit_script(
    client: &BlockingClient,
    network: Network,
    script: &Script,
    some_txid: Txid,
    visit: &mut Visit,
) -> Outcome<()> {
    let stats = client.get_scripthash_stats(script)?;
    if stats.chain_stats.tx_count > 2_000 {
        return Ok(());
    }
    let mut confirmed: Vec<EsploraTx> = vec![];
    let mut last_seen = None;
    loop {
        let page = client.get_scripthash_txs(script, last_seen)?;
        visit.pages += 1;
        let settled: Vec<EsploraTx> = page.into_iter().filter(|tx| tx.status.confirmed).collect();
        let Some(last) = settled.last() else { break };
        last_seen = Some(last.txid);
        confirmed.extend(settled);
    }
    let different: BTreeSet<Txid> = confirmed.iter().map(|tx| tx.txid).collect();
    agree("transactions told once each", different.len(), confirmed.len())?;
    agree("the length of a history", confirmed.len() as u32, stats.chain_stats.tx_count)?;
    agree("a transaction in a history", different.contains(&some_txid), true)?;
    let funded: u64 = confirmed
        .iter()
        .flat_map(|tx| &tx.vout)
        .filter(|output| output.scriptpubkey.as_script() == script)
        .map(|output| output.value.to_sat())
        .sum();
    agree("what a script was paid", funded, stats.chain_stats.funded_txo_sum.to_sat())?;
    let unspent: u64 = client
        .get_scripthash_utxos(script)?
        .iter()
        .filter(|utxo| utxo.status.confirmed)
        .map(|utxo| utxo.value.to_sat())
        .sum();
    if stats.mempool_stats.spent_txo_count == 0 {
        agree("what a script has", unspent, funded - stats.chain_stats.spent_txo_sum.to_sat())?;
    }
    if let Ok(address) = Address::from_script(script, network) {
        let told = client.get_address_stats(&address)?;
        agree("an address", &told.address, &address)?;
        agree("the sums of an address", told.chain_stats.funded_txo_sum, stats.chain_stats.funded_txo_sum)?;
        agree(
            "the unspent outputs of an address",
            client.get_address_utxos(&address)?,
            client.get_scripthash_utxos(script)?,
        )?;
        visit.requests += 3;
    }
    visit.requests += 2 + confirmed.len();
    visit.scripts += 1;
    Ok(())
}

fn visit_mempool(client: &BlockingClient, visit: &mut Visit) -> Outcome<()> {
    let stats = client.get_mempool_stats()?;
    let txids = client.get_mempool_txids()?;
    agree("the size of the mempool", stats.count, txids.len())?;
    for recent in client.get_mempool_recent_txs()? {
        let told = client.get_tx_info(&recent.txid)?.ok_or("an unconfirmed transaction is not there")?;
        agree("an unconfirmed transaction's status", told.status.confirmed, false)?;
        agree("an unconfirmed transaction's fee", told.fee, recent.fee)?;
        visit.unconfirmed += 1;
        visit.requests += 1;
    }
    let estimates = client.get_fee_estimates()?;
    agree("the number of fee estimates", estimates.len(), 28)?;
    visit.requests += 4;
    Ok(())
}

/// Sends a transaction and asks for it as soon as its id is told.
fn broadcast(client: &BlockingClient, transaction: &Transaction, visit: &mut Visit) -> Outcome<()> {
    let txid = transaction.compute_txid();
    agree("a transaction that was not sent", client.get_tx(&txid)?, None)?;
    agree("the id of a transaction that was sent", client.broadcast(transaction)?, txid)?;
    agree("a transaction that was sent", client.get_tx(&txid)?.as_ref(), Some(transaction))?;
    agree("its status", client.get_tx_status(&txid)?.confirmed, false)?;
    agree("its place in the mempool", client.get_mempool_txids()?.contains(&txid), true)?;
    let Some(spent) = transaction.input.first().map(|input| input.previous_output) else {
        return Err("a transaction without inputs was sent".into());
    };
    let status = client.get_output_status(&spent.txid, spent.vout.into())?.ok_or("an output has no status")?;
    agree("what spends its first input", status.txid, Some(txid))?;
    visit.unconfirmed += 1;
    visit.requests += 6;
    Ok(())
}

fn agree<T: PartialEq + std::fmt::Debug>(what: &str, told: T, expected: T) -> Outcome<()> {
    if told == expected {
        return Ok(());
    }
    Err(format!("{what}: told {told:?}, expected {expected:?}").into())
}
