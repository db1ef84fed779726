import { createArraySource, openChainIndex, openEmbeddedStore, runIndexer } from "@nodewright/bitcoin-indexer";
import { buildOptionalIndexes, regtestGenesisBlock, withTemporaryDirectory } from "@nodewright/bitcoin-indexer/testing";
import {
  concatBytes,
  doubleSha256,
  fromHex,
  meetsProofOfWork,
  networks,
  parseBlock,
  parseTransaction,
  serializeBlock,
  serializeTransaction,
  type TransactionContent,
} from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { gettxoutsetinfo } from "./handlers/gettxoutsetinfo.ts";
import { contextOver } from "./testing/chain-node.ts";

const { regtest } = networks;

/** Script with the public key of the private key 1. */
const script = bytesOf("210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798ac");
/** Commitment (BIP 141) of a block whose only transaction is the coinbase, with a nonce of zeros. */
const commitment = concatBytes(bytesOf("6a24aa21a9ed"), doubleSha256(new Uint8Array(64)));

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? expect.unreachable();
}

/** Returns a coinbase as Bitcoin Core created them until its version 28. */
function coinbaseAt(height: number): TransactionContent {
  const number = height <= 16 ? [0x50 + height] : [1, height];
  return {
    version: 2,
    inputs: [
      {
        previousOutput: { txid: new Uint8Array(32), vout: 0xffffffff },
        scriptSig: Uint8Array.from([...number, 0]),
        sequence: 0xffffffff,
        witness: [new Uint8Array(32)],
      },
    ],
    outputs: [
      { value: 5_000_000_000n, scriptPubKey: script },
      { value: 0n, scriptPubKey: commitment },
    ],
    locktime: 0,
  };
}

function mineAbove(parent: Uint8Array, height: number): Uint8Array {
  const { header } = parseBlock(parent);
  const coinbase = coinbaseAt(height);
  const merkleRoot = parseTransaction(serializeTransaction(coinbase)).txid;
  for (let nonce = 0; ; nonce += 1) {
    const content = {
      version: 4,
      previousHash: header.hash,
      merkleRoot,
      time: header.time + 1,
      bits: header.bits,
      nonce,
    };
    const block = serializeBlock({ header: content, transactions: [coinbase] });
    if (meetsProofOfWork(parseBlock(block).header, regtest)) return block;
  }
}

it("the coins of Bitcoin Core's own test chain have the hash that Bitcoin Core publishes for loading them (assumeutxo)", async () => {
  const blocks = [regtestGenesisBlock()];
  for (let height = 1; height <= 110; height += 1) blocks.push(mineAbove(blocks.at(-1) ?? new Uint8Array(0), height));
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, regtest);
    await runIndexer({ store, source: createArraySource(regtest, blocks) });
    await store.close();
    await buildOptionalIndexes(directory, regtest, { coinStatistics: true });
    const index = openChainIndex(directory, { network: regtest, optional: { coinStatistics: true } });
    const context = contextOver(index, { optional: index.optional });
    // Height 110 of regtest in its parameters of chains.
    const hash = "6657b736d4fe4db0cbc796789e812d5dba7f5c143764b1b6905612f1830609d1";
    const facts = { height: 110, txouts: 110, total_amount: 550_000_000_000n };
    expect(await gettxoutsetinfo({}, context)).toMatchObject({ ...facts, hash_serialized_3: hash });
    expect(await gettxoutsetinfo({ hashType: "none" }, context)).toMatchObject(facts);
    await index.close();
  });
});
