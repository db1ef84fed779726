import { createHash, type Hash } from "node:crypto";
import { addressOfScript, displayHash, hashScript, networks, toHex } from "@nodewright/bitcoin-primitives";
import type { ChainBlock, MempoolStep } from "./test-chain.ts";
import type { ScriptBook } from "./script-book.ts";
import type { ScriptKind } from "./script-kind.ts";
import type { TransactionPlan } from "./transaction-plan.ts";

/** A script that takes part in many transactions. */
export interface HotScript {
  readonly kind: ScriptKind;
  /** Address; undefined where its kind has none. */
  readonly address: string | undefined;
  /** ScriptPubKey in hex. */
  readonly scriptPubKey: string;
  /** Script hash as in Esplora: SHA-256 of the scriptPubKey, hex. */
  readonly scriptHash: string;
  /** Number of transactions of the best chain that pay to it, spend from it, or both. */
  readonly transactions: number;
  /** Number of outputs that pay to it, and how many of them are spent. */
  readonly funded: number;
  readonly spent: number;
}

/** Summary of a generated chain. Counts are of the best chain, including the genesis block. */
export interface ChainSummary {
  /** Height of the tip. */
  readonly height: number;
  readonly tip: string;
  readonly blocks: number;
  /** Number of transactions with coinbases. */
  readonly transactions: number;
  /** Number of inputs without those of coinbases. */
  readonly inputs: number;
  readonly outputs: number;
  /** Bytes of serialized blocks, without the prefixes in block files. */
  readonly bytes: number;
  /** Number of distinct scripts that are paid to, without OP_RETURN. */
  readonly scripts: number;
  readonly hotScripts: readonly HotScript[];
  /** Number of outputs of each kind. */
  readonly outputsByKind: Readonly<Record<string, number>>;
  /** Number of inputs by the kind of their spent output. */
  readonly inputsByKind: Readonly<Record<string, number>>;
  readonly staleBlocks: number;
  /** Steps of the mempool, and its transactions after the last one. */
  readonly mempool: { readonly arrivals: number; readonly replacements: number; readonly transactions: number };
  /** SHA-256 over the bytes of every block and mempool transaction in the order in which they were read, stale blocks too, hex. */
  readonly digest: string;
}

interface HotCounts {
  transactions: number;
  funded: number;
  spent: number;
}

/** Counter of the parts of a best chain. */
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

  /** Adds a transaction. A coinbase has no inputs here. */
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

  /** Adds an output that pays to no script of the book. */
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
