import { networks, parseBlock, workOfBits } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { RegtestChain, type RegtestPayment } from "../testing/regtest-chain.ts";
import { BadBlock } from "./bad-block.ts";
import { type ChainState, connectBlock, emptyChain, extendChain } from "./connect-block.ts";
import { HeaderWork } from "./header-work.ts";
import { SpendableOutputs } from "./spendable-outputs.ts";

const headerWork = new HeaderWork(networks.regtest);
const script = Uint8Array.of(0x51);

function storeless(): SpendableOutputs {
  return new SpendableOutputs((outpoints) => Promise.resolve(outpoints.map(() => undefined)));
}

it("numbers transactions from genesis on, adds up work and takes the median of eleven times", () => {
  const chain = new RegtestChain();
  const outputs = storeless();
  let tip = chain.genesis;
  let state: ChainState = emptyChain;
  const times: number[] = [];
  let transactionCount = 0;
  for (let height = 0; height < 14; height += 1) {
    const payments: RegtestPayment[] =
      height < 2 ? [] : [{ coins: tip.coins.slice(-1), outputs: [{ value: 5n, scriptPubKey: script }] }];
    if (height > 0) tip = chain.extend(tip, script, payments);
    const block = parseBlock(tip.bytes);
    times.push(block.header.time);
    const connected = connectBlock(block, state, outputs, headerWork);
    expect(connected).toMatchObject({
      height,
      block,
      firstTransactionNumber: transactionCount,
      medianTime: times.slice(-11)[Math.floor(Math.min(times.length, 11) / 2)],
      chainWork: BigInt(height + 1) * workOfBits(block.header.bits),
    });
    expect(connected.spentOutputs).toHaveLength(block.transactions.length);
    expect(connected.spentOutputs[0]).toEqual([]);
    if (payments.length > 0) {
      expect(connected.spentOutputs[1]).toMatchObject([{ height: height - 1, value: payments[0]?.coins[0]?.value }]);
    }
    transactionCount += block.transactions.length;
    state = extendChain(state, connected);
    expect(state).toEqual({
      height,
      hash: block.header.hash,
      chainWork: connected.chainWork,
      times: times.slice(-10),
      nextTransactionNumber: transactionCount,
    });
  }
});

it("stands on a zero hash, with nothing below it", () => {
  expect(emptyChain).toEqual({
    height: -1,
    hash: new Uint8Array(32),
    chainWork: 0n,
    times: [],
    nextTransactionNumber: 0,
  });
});

it("lets a transaction pay all that it spends, with what the same block made before it, and nothing more", () => {
  const chain = new RegtestChain();
  const first = chain.extend(chain.genesis, script);
  const state = { ...emptyChain, height: 0, nextTransactionNumber: 1 };
  const connect = (values: readonly bigint[]) => {
    const outputs = storeless();
    const one = extendChain(state, connectBlock(parseBlock(first.bytes), state, outputs, headerWork));
    const payment = { coins: first.coins.slice(-1), outputs: values.map((value) => ({ value, scriptPubKey: script })) };
    const block = parseBlock(chain.extend(first, script, [payment]).bytes);
    return { block, connect: () => connectBlock(block, one, outputs, headerWork) };
  };
  expect(connect([4_000_000_000n, 1_000_000_000n]).connect().spentOutputs[1]).toHaveLength(1);
  const tooMuch = connect([4_000_000_000n, 1_000_000_001n]);
  const offset = 81 + (tooMuch.block.transactions[0]?.size ?? 0);
  expect(tooMuch.connect).toThrow(new BadBlock("a transaction pays more than it spends", offset));
  expect(tooMuch.connect).toThrow("a transaction spends an output that does not exist or is spent");
});

it("marks what a coinbase made, and keeps its place", () => {
  const chain = new RegtestChain();
  const first = chain.extend(chain.genesis, script);
  const outputs = storeless();
  const state = { ...emptyChain, height: 6, nextTransactionNumber: 40 };
  const connected = connectBlock(parseBlock(first.bytes), state, outputs, headerWork);
  expect(connected).toMatchObject({ height: 7, firstTransactionNumber: 40 });
  const [coin] = first.coins.slice(-1);
  expect(outputs.take(coin?.outpoint ?? expect.unreachable())).toEqual({
    transactionNumber: 40,
    height: 7,
    isCoinbase: true,
    value: 5_000_000_000n,
    scriptPubKey: Buffer.from(script),
  });
});
