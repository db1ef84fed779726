//! Reads one address per line and prints it with what electrs responds on mainnet, testnet and regtest: `ok`, or the body of the 400.
use std::io::{self, BufRead};
use std::str::FromStr;

use bitcoin::address::NetworkUnchecked;
use bitcoin::{Address, Network};

const NETWORKS: [Network; 3] = [Network::Bitcoin, Network::Testnet, Network::Regtest];

fn response(text: &str, network: Network) -> String {
    match Address::<NetworkUnchecked>::from_str(text) {
        Err(error) => error.to_string(),
        Ok(address) if address.is_valid_for_network(network) => "ok".to_owned(),
        Ok(_) => "Address on invalid network".to_owned(),
    }
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let text = line?;
        let responses = NETWORKS.map(|network| response(&text, network));
        println!("{text}\t{}", responses.join("\t"));
    }
    Ok(())
}
