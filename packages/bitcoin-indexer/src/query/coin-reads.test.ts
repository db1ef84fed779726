import { displayHash, networks, toHex } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);
const data = Uint8Array.of(0x6a, 0x01, 0x07);

/** Returns a chain whose last transactions have outputs that are spent, unspent and unspendable. */
function partlySpent(): readonly RegtestTip[] {
  const chain = new RegtestChain();
  const first = chain.extend(chain.genesis, script);
  const [coin] = first.coins.slice(-1);
  if (coin === undefined) return expect.unreachable();
  const outputs = [script, data, script, script].map((scriptPubKey, index) => ({
    value: 10n + BigInt(index),
    scriptPubKey,
  }));
  const second = chain.extend(first, script, [{ coins: [coin], outputs }]);
  const spent = second.coins.filter(({ value }) => value === 12n);
  const third = chain.extend(second, script, [{ coins: spent, outputs: [{ value: 1n, scriptPubKey: data }] }]);
  return [chain.genesis, first, second, third];
}

it("gives the outputs that can be spent, and no other ones of their transactions", async () => {
  await withTemporaryDirectory(async (directory) => {
    const tips = partlySpent();
    const [, , second, third] = tips;
    if (second === undefined || third === undefined) return expect.unreachable();
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(
      store,
      -1,
      tips.map(({ bytes }) => bytes),
    );
    const found: string[] = [];
    for await (const coins of store.queries().coinPages(displayHash(third.hash))) {
      found.push(...coins.map(({ txid, vout, value }) => `${toHex(txid)}:${vout} ${value}`));
    }
    // The first block's output is unspendable.
    const expected = third.coins
      .slice(1)
      .map(({ outpoint, value }) => `${toHex(outpoint.txid)}:${outpoint.vout} ${value}`);
    expect(found).toEqual(expected.toSorted());
    expect(found.filter((text) => / 1[0-3]$/.test(text))).toHaveLength(2);

    const txid = second.coins.find(({ value }) => value === 10n)?.outpoint.txid ?? script;
    const outpoints = [0, 1, 2, 3, 4].map((vout) => ({ txid, vout }));
    const outputs = await store.findUnspentOutputs([...outpoints, { txid: third.hash, vout: 0 }]);
    expect(outputs.map((output) => output?.value)).toEqual([10n, undefined, undefined, 13n, undefined, undefined]);
    await store.close();
  });
});
