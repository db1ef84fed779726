import type { ByteReader, ByteWriter } from "./byte-codec.ts";

/** Totals of one script on the best chain, received and spent. */
export interface ScriptStatistics {
  readonly fundedOutputs: number;
  /** Satoshi. */
  readonly fundedValue: bigint;
  readonly spentOutputs: number;
  /** Satoshi. */
  readonly spentValue: bigint;
  /** Number of transactions that fund or spend, each counted once. */
  readonly transactions: number;
}

/** Writes the effects of transactions on a script. */
export function writeScriptSums(writer: ByteWriter, sums: ScriptStatistics): ByteWriter {
  return writer
    .varint(sums.transactions)
    .varint(sums.fundedOutputs)
    .bigVarint(sums.fundedValue)
    .varint(sums.spentOutputs)
    .bigVarint(sums.spentValue);
}

/** Reads the output of `writeScriptSums`. */
export function readScriptSums(reader: ByteReader): ScriptStatistics {
  return {
    transactions: reader.varint(),
    fundedOutputs: reader.varint(),
    fundedValue: reader.bigVarint(),
    spentOutputs: reader.varint(),
    spentValue: reader.bigVarint(),
  };
}
