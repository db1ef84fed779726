import { type Coin, TransactionName } from "./coin.ts";
import type { CoinSource } from "./coin-pool.ts";
import { type Random, WeightedChoice } from "./random.ts";
import { opcode, scriptOf } from "./script-bytes.ts";
import type { ScriptBook } from "./script-book.ts";

export interface PlannedInput {
  readonly coin: Coin;
  readonly sequence: number;
}

/** An output that pays a script of the book, or is an OP_RETURN of its own. */
export type PlannedOutput =
  | { readonly kind: "script"; readonly script: number; readonly value: bigint }
  | { readonly kind: "op-return"; readonly scriptPubKey: Uint8Array; readonly value: bigint };

/** A transaction before it is signed. */
export interface TransactionPlan {
  readonly name: TransactionName;
  readonly version: number;
  readonly locktime: number;
  readonly inputs: readonly PlannedInput[];
  readonly outputs: readonly PlannedOutput[];
  /** Satoshi. */
  readonly fee: bigint;
  /** Maximum weight in weight units: signatures may be a few bytes shorter. */
  readonly weight: number;
  /** Signature operation cost (BIP 141). */
  readonly sigopCost: number;
}

/** Context of a planned transaction. */
export interface PlanContext {
  readonly random: Random;
  readonly book: ScriptBook;
  readonly coins: CoinSource;
  /** Height of its block. */
  readonly height: number;
  /** Returns the script of an output. */
  chooseScript(random: Random): number;
  /** Coins to be spent before others; spent ones are removed. */
  readonly first?: Coin[] | undefined;
  /** Returns whether a coin may be spent; all by default. */
  readonly mayTake?: ((coin: Coin) => boolean) | undefined;
}

/** Minimum value of an output, in satoshi; below some hundred, nodes do not relay transactions (dust). */
export const minimumValue = 1_000n;
/** Fee rates in satoshi per virtual byte. */
const feeRates = new WeightedChoice([
  [1, 20],
  [2, 20],
  [5, 25],
  [12, 20],
  [30, 10],
  [90, 5],
]);
const inputCounts = new WeightedChoice([
  [1, 52],
  [2, 28],
  [3, 11],
  [4, 4],
  [6, 2.8],
  [10, 1.5],
  [30, 0.15],
]);
const outputCounts = new WeightedChoice([
  [1, 10],
  [2, 66],
  [3, 16],
  [4, 7],
  [6, 5],
  [9, 4],
  [14, 1],
  [40, 0.3],
]);
const opReturnShare = 0.03;
/** Maximum sequence that signals replaceability (BIP 125). */
export const replaceableSequence = 0xfffffffd;
const finalSequence = 0xffffffff;
/** Sequence that enables the locktime and does not signal replaceability (BIP 125). */
const locktimeSequence = 0xfffffffe;
/** Maximum coins in one transaction: more are taken when those planned do not pay for the outputs. */
const maximumInputs = 60;

/** Plans a transaction, and takes its coins; `undefined` when there are too few coins for any. */
export function planTransaction(context: PlanContext): TransactionPlan | undefined {
  const { random, book } = context;
  const outputs = planOutputs(context, outputCounts.pick(random));
  const rate = feeRates.pick(random);
  const inputs = takeInputs(context, inputCounts.pick(random), outputs, rate);
  if (inputs === undefined) return undefined;
  const [coins, shape] = inputs;
  const fee = feeOf(shape.weight, shape.sigopCost, rate);
  const locks = coins.map(({ script }) => book.lock(script));
  const waits = Math.max(...locks.map(({ locktime }) => locktime));
  const isReplaceable = random.chance(0.6);
  // A locktime just below the block's height keeps miners from going back for fees.
  const locktime = waits > 0 || random.chance(0.3) ? context.height - 1 : 0;
  const sequence = isReplaceable ? replaceableSequence : locktime > 0 ? locktimeSequence : finalSequence;
  const available = coins.reduce((sum, { value }) => sum + value, 0n);
  return {
    name: new TransactionName(),
    version: 2 - (locks.every(({ relativeLock }) => relativeLock === 0) && random.chance(0.3) ? 1 : 0),
    locktime,
    inputs: coins.map((coin, index) => {
      const relativeLock = locks[index]?.relativeLock ?? 0;
      return { coin, sequence: relativeLock > 0 ? relativeLock : sequence };
    }),
    outputs: shareOut(outputs, available - fee, random),
    fee,
    ...shape,
  };
}

interface Shape {
  readonly weight: number;
  readonly sigopCost: number;
}

/** Part of an output that does not depend on the number of inputs. */
interface UnpaidOutput {
  /** Script; undefined for OP_RETURN. */
  readonly script: number | undefined;
  readonly scriptPubKey: Uint8Array;
  readonly sigopCost: number;
}

function planOutputs({ random, book, chooseScript }: PlanContext, count: number): readonly UnpaidOutput[] {
  const outputs: UnpaidOutput[] = Array.from({ length: count }, () => {
    const script = chooseScript(random);
    const { scriptPubKey, outputSigopCost } = book.lock(script);
    return { script, scriptPubKey, sigopCost: outputSigopCost };
  });
  if (random.chance(opReturnShare)) {
    outputs.splice(random.below(count + 1), 0, {
      script: undefined,
      scriptPubKey: scriptOf(opcode.OP_RETURN, random.bytes(random.between(4, 75))),
      sigopCost: 0,
    });
  }
  return outputs;
}

function takeInputs(
  context: PlanContext,
  count: number,
  outputs: readonly UnpaidOutput[],
  rate: number,
): readonly [Coin[], Shape] | undefined {
  const { book, coins: source } = context;
  const coins: Coin[] = [];
  let weight = outputsWeight(outputs);
  let sigopCost = outputs.reduce((sum, output) => sum + output.sigopCost, 0);
  let available = 0n;
  const isPaid = () => available >= minimumValue * BigInt(outputs.length) + feeOf(weight, sigopCost, rate);
  while (coins.length < count || !isPaid()) {
    const coin = coins.length < maximumInputs ? takeCoin(context) : undefined;
    if (coin === undefined) {
      if (coins.length > 0 && isPaid()) break;
      for (const taken of coins) source.release(taken);
      return undefined;
    }
    const { inputWeight, inputSigopCost } = book.lock(coin.script);
    coins.push(coin);
    available += coin.value;
    weight += inputWeight;
    sigopCost += inputSigopCost;
  }
  return [coins, { weight, sigopCost }];
}

/** Weight units that nodes count for a signature operation (Bitcoin Core's -bytespersigop). */
const weightPerSigop = 20;

/** Returns the satoshi that nodes count as `rate` satoshi per virtual byte. */
export function feeOf(weight: number, sigopCost: number, rate: number): bigint {
  return BigInt(Math.ceil((Math.max(weight, sigopCost * weightPerSigop) / 4) * rate));
}

/** Number of coins examined for one that may be spent. */
const attempts = 12;

/** Takes a coin that the block may spend. */
function takeCoin(context: PlanContext): Coin | undefined {
  const { coins, first, random } = context;
  const waiting = first?.findIndex((coin) => mayTake(coin, context)) ?? -1;
  if (waiting !== -1) return first?.splice(waiting, 1)[0];
  const refused: Coin[] = [];
  let found: Coin | undefined;
  while (found === undefined && refused.length < attempts) {
    const coin = coins.take(random);
    if (coin === undefined) break;
    if (mayTake(coin, context)) found = coin;
    else refused.push(coin);
  }
  for (const coin of refused) coins.release(coin);
  return found;
}

function mayTake(coin: Coin, context: PlanContext): boolean {
  return isRelativeLockExpired(coin, context.book, context.height) && (context.mayTake?.(coin) ?? true);
}

/** Returns whether a block at `at` may spend the coin (BIP 112). */
export function isRelativeLockExpired({ script, height }: Coin, book: ScriptBook, at: number): boolean {
  const { relativeLock } = book.lock(script);
  return relativeLock === 0 || at - height >= relativeLock;
}

/** Returns the weight of version, locktime, marker, flag and counts, and the outputs. */
function outputsWeight(outputs: readonly UnpaidOutput[]): number {
  const lengths = outputs.reduce((sum, { scriptPubKey }) => sum + outputWeight(scriptPubKey), 0);
  return 4 * (4 + 4 + 1 + 1) + 2 + lengths;
}

/** Returns the weight of one output, with its value and the length of its script. */
export function outputWeight(scriptPubKey: Uint8Array): number {
  return 4 * (8 + 1 + scriptPubKey.length);
}

/** Divides the total about evenly among the outputs. */
function shareOut(outputs: readonly UnpaidOutput[], total: bigint, random: Random): readonly PlannedOutput[] {
  const paid = outputs.filter(({ script }) => script !== undefined);
  const shares = paid.map(() => BigInt(random.between(20, 180)));
  const sum = shares.reduce((left, right) => left + right, 0n);
  const spare = total - minimumValue * BigInt(paid.length);
  let rest = total;
  let index = 0;
  return outputs.map(({ script, scriptPubKey }): PlannedOutput => {
    if (script === undefined) return { kind: "op-return", scriptPubKey, value: 0n };
    const isLast = index === paid.length - 1;
    const value = isLast ? rest : minimumValue + (spare * (shares[index] ?? 0n)) / sum;
    index += 1;
    rest -= value;
    return { kind: "script", script, value };
  });
}
