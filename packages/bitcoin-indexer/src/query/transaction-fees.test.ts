import { displayHash, networks, parseBlock } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { RegtestChain, type RegtestCoin, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";

const network = networks.regtest;
const script: Uint8Array = Uint8Array.of(0x51);
const inputCounts = [1, 2, 3, 4, 7] as const;

/** Returns payments of values of which no two sums are equal. */
function payBinary(coin: RegtestCoin, count: number): { readonly value: bigint; readonly scriptPubKey: Uint8Array }[] {
  const outputs = Array.from({ length: count }, (_, index) => ({
    value: 1_000n << BigInt(index),
    scriptPubKey: script,
  }));
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
  return [...outputs, { value: coin.value - paid, scriptPubKey: script }];
}

/** Returns a payment that spends `count` of the coins, in two outputs, with a fee of 10 satoshi and the number of inputs. */
function spendTogether(coins: readonly RegtestCoin[]): Parameters<RegtestChain["extend"]>[2] {
  const value = coins.reduce((sum, coin) => sum + coin.value, 0n) - 10n - BigInt(coins.length);
  const outputs = [
    { value: 600n, scriptPubKey: script },
    { value: value - 600n, scriptPubKey: script },
  ];
  return [{ coins, outputs }];
}

it("gives a transaction the fee of all its inputs and outputs, however many, on the best chain and on a stale one", async () => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const first = chain.extend(chain.genesis, script);
    const [coin] = first.coins.slice(-1);
    if (coin === undefined) throw new Error("The block has no coin");
    const total = inputCounts.reduce((sum, count) => sum + count, 0);
    const funding = chain.extend(first, script, [{ coins: [coin], outputs: payBinary(coin, total) }]);
    const funded = funding.coins.filter(({ value }) => value < 1_000n << BigInt(total)).slice(0, total);
    const blocks: RegtestTip[] = [chain.genesis, first, funding];
    for (const count of inputCounts) {
      const coins = funded.splice(0, count);
      blocks.push(chain.extend(blocks.at(-1) ?? funding, script, spendTogether(coins)));
    }
    const spending = blocks.slice(3);
    const expectFees = async () => {
      const reader = openChainIndex(directory, { network });
      try {
        for (const [position, { bytes }] of spending.entries()) {
          const transaction = parseBlock(bytes).transactions[1];
          const count = inputCounts[position] ?? 0;
          expect(transaction?.inputs).toHaveLength(count);
          const found = await reader.transaction(displayHash(transaction?.txid ?? script));
          expect(found?.fee).toBe(10n + BigInt(count));
          expect(found?.previousOutputs).toHaveLength(count);
        }
      } finally {
        await reader.close();
      }
    };
    const store = await openEmbeddedStore(directory, network);
    const source = createArraySource(network, []);
    source.add(...blocks.map(({ bytes }) => bytes));
    await runIndexer({ store, source });
    await expectFees();
    // One block more than the chain that contains the transactions.
    let tip = funding;
    for (let count = 0; count <= inputCounts.length; count += 1) {
      tip = chain.extend(tip, script);
      source.add(tip.bytes);
    }
    await runIndexer({ store, source });
    await store.close();
    await expectFees();
  });
});
