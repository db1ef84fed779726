import fc from "fast-check";
import { expect, test } from "vitest";
import { writeScriptStatistics } from "./script-statistics.ts";

test("the sums of a script are written to the last digit, however large they are", () => {
  const count = fc.nat();
  const sum = fc.bigInt({ min: 0n, max: 2n ** 80n });
  fc.assert(
    fc.property(count, sum, count, sum, count, (fundedOutputs, fundedValue, spentOutputs, spentValue, transactions) => {
      expect(writeScriptStatistics({ fundedOutputs, fundedValue, spentOutputs, spentValue, transactions })).toBe(
        `{"funded_txo_count":${fundedOutputs},"funded_txo_sum":${fundedValue.toString()},"spent_txo_count":${spentOutputs},` +
          `"spent_txo_sum":${spentValue.toString()},"tx_count":${transactions}}`,
      );
    }),
  );
});
