import { TransactionName } from "./coin.ts";
import type { MempoolEntry } from "./mempool.ts";
import type { Random } from "./random.ts";
import type { ScriptBook } from "./script-book.ts";
import { feeOf, minimumValue, outputWeight, type PlannedOutput, type TransactionPlan } from "./transaction-plan.ts";

/** Fraction of the replacements that pay to only one script, as wallets cancel a payment. */
const cancelShare = 0.3;

/**
 * Plans a transaction that nodes accept in place of `original` and of `removed`, the original and its descendants (BIP 125): it pays more
 * than all of them together and at a higher rate, and spends the same. `undefined` when there is too little to pay with.
 */
export function planReplacement(
  original: MempoolEntry,
  removed: ReadonlySet<MempoolEntry>,
  book: ScriptBook,
  random: Random,
): TransactionPlan | undefined {
  const { plan } = original;
  const outputs = random.chance(cancelShare) ? cancelled(plan) : plan.outputs;
  if (outputs === undefined) return undefined;
  const weight = plan.weight - weightOf(plan.outputs, book) + weightOf(outputs, book);
  const fee = neededFee(weight, plan.sigopCost, removed);
  const paid = withFee(outputs, plan, fee);
  if (paid === undefined) return undefined;
  return { ...plan, name: new TransactionName(), outputs: paid, fee, weight };
}

/** Returns one output, to the first script that the transaction pays. */
function cancelled({ outputs }: TransactionPlan): readonly PlannedOutput[] | undefined {
  const first = outputs.find(({ kind }) => kind === "script");
  return first === undefined ? undefined : [first];
}

function weightOf(outputs: readonly PlannedOutput[], book: ScriptBook): number {
  return outputs.reduce((sum, output) => {
    const { scriptPubKey } = output.kind === "script" ? book.lock(output.script) : output;
    return sum + outputWeight(scriptPubKey);
  }, 0);
}

function neededFee(weight: number, sigopCost: number, removed: ReadonlySet<MempoolEntry>): bigint {
  const plans = [...removed].map(({ plan }) => plan);
  const fees = plans.reduce((sum, { fee }) => sum + fee, 0n);
  const rates = plans.map(({ fee, weight: replaced }) => Number(fee) / (replaced / 4));
  const byRate = feeOf(weight, sigopCost, Math.max(...rates) * 1.25 + 1);
  // It also pays for its own relay.
  const bySum = fees + feeOf(weight, sigopCost, 1);
  if (byRate < bySum) return bySum;
  return byRate;
}

/** Returns the outputs after the fee, the difference taken from or added to the largest. */
function withFee(
  outputs: readonly PlannedOutput[],
  { inputs }: TransactionPlan,
  fee: bigint,
): readonly PlannedOutput[] | undefined {
  const available = inputs.reduce((sum, { coin }) => sum + coin.value, 0n);
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
  const largest = outputs.reduce((left, right) => (right.value > left.value ? right : left));
  const value = largest.value + available - fee - paid;
  if (value < minimumValue) return undefined;
  return outputs.map((output) => (output === largest ? { ...output, value } : output));
}
