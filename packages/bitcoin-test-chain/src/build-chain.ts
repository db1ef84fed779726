import { BestChain } from "./best-chain.ts";
import { type ChainOptions, type ResolvedChainOptions, resolveChainOptions } from "./chain-options.ts";
import { ChainState } from "./chain-state.ts";
import type { ChainSummary } from "./chain-summary.ts";
import { MempoolBuilder } from "./mempool-builder.ts";
import type { ChainBlock, MempoolStep, StaleBranch, TestChain } from "./test-chain.ts";

/** Builds a chain. Throws `RangeError` for options that no chain can have. */
export function buildChain(options: ChainOptions): TestChain {
  return new BuiltChain(resolveChainOptions(options));
}

class BuiltChain implements TestChain {
  readonly blocks: AsyncIterable<ChainBlock>;
  readonly mempool: AsyncIterable<MempoolStep>;
  readonly #options: ResolvedChainOptions;
  readonly #state: ChainState;
  readonly #bestChain: BestChain;

  constructor(options: ResolvedChainOptions) {
    this.#options = options;
    this.#state = new ChainState(options);
    this.#bestChain = new BestChain(this.#state);
    this.blocks = readOnce("The blocks of a chain", () => this.#build());
    this.mempool = readOnce("The mempool of a chain", () => this.#fill());
  }

  get staleBranches(): readonly StaleBranch[] {
    return this.#bestChain.staleBranches;
  }

  summary(): ChainSummary {
    return this.#state.counter.summary();
  }

  async *#build(): AsyncGenerator<ChainBlock> {
    for await (const block of this.#bestChain.grow()) {
      this.#state.counter.addBlock(block);
      yield block;
    }
    if (this.#options.mempool.transactions === 0) await this.#state.signer.close();
  }

  async *#fill(): AsyncGenerator<MempoolStep> {
    const { tip } = this.#bestChain;
    if (tip === undefined) throw new Error("The mempool of a chain is read after its blocks");
    for await (const step of new MempoolBuilder(this.#state, tip).fill()) {
      this.#state.counter.addStep(step);
      yield step;
    }
    await this.#state.signer.close();
  }
}

/** Returns a sequence that can be read once: another read would generate everything again. */
function readOnce<Value>(name: string, start: () => AsyncGenerator<Value>): AsyncIterable<Value> {
  let isRead = false;
  return {
    [Symbol.asyncIterator]() {
      if (isRead) throw new Error(`${name} are read once: build the chain again`);
      isRead = true;
      return start();
    },
  };
}
