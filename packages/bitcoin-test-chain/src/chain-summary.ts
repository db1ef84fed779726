import { createHash, type Hash } from "node:crypto";
import { addressOfScript, displayHash, hashScript, networks, toHex } from "@nodewright/bitcoin-primitives";
import type { ChainBlock, MempoolStep } from "./test-chain.ts";
import type { ScriptBook } from "./script-book.ts";
import type { ScriptKind } from "./script-kind.ts";
import type { TransactionPlan } from "./transaction-plan.ts";

/** A script that takes part in many transactions. */
export interface HotScript {
  readonly kind: ScriptKind;
  /** Undefined where its kind has none. */
  readonly address: string | undefined;
  /** Hex. */
  readonly scriptPubKey: string;
  /** As Esplora has it: SHA-256 of the scriptPubKey, hex. */
  readonly scriptHash: string;
  /** Of the best chain: those that pay to it, spend from it, or both. */
  readonly transactions: number;
  /** Outputs that pay to it, and how many of them are spent. */
  readonly funded: number;
  readonly spent: number;
}

/** What a chain turned out to be. Counts are of the best chain, the genesis block among it. */
export interface ChainSummary {
  /** Height of the tip. */
  readonly height: number;
  readonly tip: string;
  readonly blocks: number;
  /** With coinbases. */
  readonly transactions: number;
  /** Without those of coinbases. */
  readonly inputs: number;
  readonly outputs: number;
  /** Serialized blocks, without what block files put between them. */
  readonly bytes: number;
  /** Distinct scripts that are paid to, OP_RETURN not counted. */
  readonly scripts: number;
  readonly hotScripts: readonly HotScript[];
  /** Outputs of each kind. */
  readonly outputsByKind: Readonly<Record<string, number>>;
  /** Inputs by the kind of what they spend. */
  readonly inputsByKind: Readonly<Record<string, number>>;
  readonly staleBlocks: number;
  /** Steps of the mempool, and the transactions that are in it behind the last one. */
  readonly mempool: { readonly arrivals: number; readonly replacements: number; readonly transactions: number };
  /** SHA-256 over the bytes of every block and mempool transaction in the order in which they were read, stale blocks too, hex. */
  readonly digest: string;
}

interface HotCounts {
  transactions: number;
  funded: number;
  spent: number;
}

/** Counts what goes into a best chain. */
export class SummaryCounter {
  readonly #book: ScriptBook;
  readonly #digest: Hash = createHash("sha256");
  readonly #scripts = new Set<number>();
  readonly #hot: readonly HotCounts[];
  readonly #outputsByKind = new Map<string, number>();
  readonly #inputsByKind = new Map<string, number>();
  #height = 0;
  #tip = "";
  #blocks = 0;
  #transactions = 0;
  #inputs = 0;
  #outputs = 0;
  #bytes = 0;
  #staleBlocks = 0;
  #arrivals = 0;
  #replacements = 0;
  #unconfirmed = 0;

  constructor(book: ScriptBook) {
    this.#book = book;
    this.#hot = Array.from({ length: book.hotScripts }, () => ({ transactions: 0, funded: 0, spent: 0 }));
  }

  addBlock(block: ChainBlock): void {
    this.#digest.update(block.bytes);
    if (block.branch !== undefined) {
      this.#staleBlocks += 1;
      return;
    }
    this.#height = block.height;
    this.#tip = displayHash(block.hash);
    this.#blocks += 1;
    this.#transactions += block.transactionCount;
    this.#bytes += block.bytes.length;
  }

  addStep(step: MempoolStep): void {
    if (step.kind === "block") {
      this.addBlock(step.block);
      this.#unconfirmed -= step.confirmed.length + step.conflicted.length;
      return;
    }
    this.#digest.update(step.transaction.bytes);
    this.#unconfirmed += 1;
    if (step.kind === "arrival") {
      this.#arrivals += 1;
    } else {
      this.#replacements += 1;
      this.#unconfirmed -= step.replaced.length;
    }
  }

  /** A coinbase has no inputs here. */
  addTransaction({ inputs, outputs }: Pick<TransactionPlan, "inputs" | "outputs">): void {
    const touched = new Set<HotCounts>();
    this.#inputs += inputs.length;
    for (const { coin } of inputs) {
      countOne(this.#inputsByKind, this.#book.lock(coin.script).kind);
      const hot = this.#hot[coin.script];
      if (hot === undefined) continue;
      hot.spent += 1;
      touched.add(hot);
    }
    for (const output of outputs) {
      if (output.kind === "op-return") {
        this.addOtherOutput("op-return");
        continue;
      }
      const hot = this.#addOutput(output.script);
      if (hot !== undefined) touched.add(hot);
    }
    for (const hot of touched) hot.transactions += 1;
  }

  /** An output that pays to no script of the book. */
  addOtherOutput(kind: string): void {
    this.#outputs += 1;
    countOne(this.#outputsByKind, kind);
  }

  #addOutput(script: number): HotCounts | undefined {
    this.#scripts.add(script);
    this.addOtherOutput(this.#book.lock(script).kind);
    const hot = this.#hot[script];
    if (hot !== undefined) hot.funded += 1;
    return hot;
  }

  summary(): ChainSummary {
    return {
      height: this.#height,
      tip: this.#tip,
      blocks: this.#blocks,
      transactions: this.#transactions,
      inputs: this.#inputs,
      outputs: this.#outputs,
      bytes: this.#bytes,
      // The genesis block pays to a script of its own.
      scripts: this.#scripts.size + 1,
      hotScripts: this.#hot.map((counts, number) => this.#hotScript(counts, number)),
      outputsByKind: Object.fromEntries(this.#outputsByKind),
      inputsByKind: Object.fromEntries(this.#inputsByKind),
      staleBlocks: this.#staleBlocks,
      mempool: { arrivals: this.#arrivals, replacements: this.#replacements, transactions: this.#unconfirmed },
      digest: this.#digest.copy().digest("hex"),
    };
  }

  #hotScript(counts: HotCounts, number: number): HotScript {
    const { kind, scriptPubKey } = this.#book.lock(number);
    return {
      kind,
      address: addressOfScript(scriptPubKey, networks.regtest),
      scriptPubKey: toHex(scriptPubKey),
      scriptHash: toHex(hashScript(scriptPubKey)),
      ...counts,
    };
  }
}

function countOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
