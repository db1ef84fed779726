import { type Fragment, partsOf } from "./fragment.ts";
import { fragmentRules } from "./fragment-rules.ts";

/** Maximum cost of satisfying or dissatisfying a fragment. */
interface Expense {
  /** Number of witness items. */
  readonly items: number;
  /** Number of keys of executed OP_CHECKMULTISIG, which count as operations. */
  readonly keys: number;
}

/** Expenses of a fragment; `undefined` where there is no way that third parties could not change. */
interface Cost {
  /** Number of opcodes that push nothing, whether executed or not. */
  readonly operations: number;
  readonly satisfied: Expense | undefined;
  readonly dissatisfied: Expense | undefined;
}

/** Resource limits (BIP 379): consensus bounds the operations, relay rules the witness items of P2WSH. */
const [maximumOperations, maximumItems] = [201, 100];

/** Returns whether every way to satisfy a fragment is within the limits of P2WSH, also where there is none. */
export function isWithinBounds(fragment: Fragment): boolean {
  const { operations, satisfied } = costOf(fragment);
  if (satisfied === undefined) return true;
  return operations + satisfied.keys <= maximumOperations && satisfied.items <= maximumItems;
}

function costOf(fragment: Fragment): Cost {
  if (fragment.kind === "multi") {
    const expense = { items: fragment.required + 1, keys: fragment.keys.length };
    return { operations: 1, satisfied: expense, dissatisfied: expense };
  }
  const parts = partsOf(fragment).map(costOf);
  const inner = parts.reduce((sum, { operations }) => sum + operations, 0);
  if (fragment.kind === "thresh") {
    // One ADD for each part except the first, and the EQUAL.
    return { operations: inner + parts.length, ...thresholdExpenses(fragment.required, parts) };
  }
  const { requires, operations, satisfactions, dissatisfactions } = fragmentRules[fragment.kind];
  const names = Object.keys(requires);
  const greatest = (ways: readonly string[]): Expense | undefined =>
    ways.map((way) => expenseOf(way, names, parts)).reduce(greater, undefined);
  const isFree = fragment.kind === "v" && endsInCheck(fragment.part);
  return {
    operations: inner + (isFree ? 0 : operations),
    satisfied: greatest(satisfactions),
    dissatisfied: greatest(dissatisfactions),
  };
}

/** Returns the expense of one way in the notation of the rules. */
function expenseOf(way: string, names: readonly string[], parts: readonly Cost[]): Expense | undefined {
  return way
    .split(" ")
    .filter((term) => term !== "")
    .map((term): Expense | undefined => {
      if (term === "1") return { items: 1, keys: 0 };
      const part = parts[names.indexOf(term.slice(-1))];
      return term.startsWith("-") ? part?.dissatisfied : part?.satisfied;
    })
    .reduce(sum, nothing);
}

/** Returns the expenses of a threshold. Satisfied: the greatest expense of any `required` parts satisfied and the others not. */
function thresholdExpenses(required: number, parts: readonly Cost[]): Pick<Cost, "satisfied" | "dissatisfied"> {
  let byCount: readonly (Expense | undefined)[] = [nothing];
  for (const { satisfied, dissatisfied } of parts) {
    const before = byCount;
    byCount = Array.from({ length: before.length + 1 }, (_, count) =>
      greater(sum(before[count], dissatisfied), sum(before[count - 1], satisfied)),
    );
  }
  return { satisfied: byCount[required], dissatisfied: byCount[0] };
}

/** Returns whether the last opcode of a fragment's script has a form that verifies, such as CHECKSIGVERIFY. */
function endsInCheck(fragment: Fragment): boolean {
  switch (fragment.kind) {
    case "c":
    case "multi":
    case "thresh":
    case "sha256":
    case "hash256":
    case "ripemd160":
    case "hash160":
      return true;
    case "s":
      return endsInCheck(fragment.part);
    case "and_v":
      return endsInCheck(fragment.right);
    default:
      return false;
  }
}

const nothing: Expense = { items: 0, keys: 0 };

function sum(left: Expense | undefined, right: Expense | undefined): Expense | undefined {
  return left && right && { items: left.items + right.items, keys: left.keys + right.keys };
}

/** Returns the greater number of each. */
function greater(left: Expense | undefined, right: Expense | undefined): Expense | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return { items: Math.max(left.items, right.items), keys: Math.max(left.keys, right.keys) };
}
