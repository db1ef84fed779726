import type { ScriptStatistics } from "../query/chain-queries.ts";
import type { ByteReader, ByteWriter } from "./byte-codec.ts";

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
