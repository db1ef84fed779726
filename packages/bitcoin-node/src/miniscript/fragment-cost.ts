import type { Fragment } from "./fragment.ts";
import { fragmentType } from "./fragment-type.ts";

/** What running a fragment takes; `undefined` where it can't be satisfied, or dissatisfied, without others being able to change how. */
interface Cost {
  /** Operations that count against the bound, run or not. */
  readonly operations: number;
  /** Operations of OP_CHECKMULTISIG's keys. */
  readonly satisfiedKeys: number | undefined;
  readonly dissatisfiedKeys: number | undefined;
  /** Witness items. */
  readonly satisfiedItems: number | undefined;
  readonly dissatisfiedItems: number | undefined;
}

/** Consensus bounds the operations, relay rules the witness items of P2WSH. */
const [maximumOperations, maximumItems] = [201, 100];

/** True when some way to satisfy the fragment is within the bounds of P2WSH, and none is beyond. */
export function isWithinBounds(fragment: Fragment): boolean {
  const { operations, satisfiedKeys, satisfiedItems } = costOf(fragment);
  if (satisfiedKeys === undefined || satisfiedItems === undefined) return false;
  return operations + satisfiedKeys <= maximumOperations && satisfiedItems <= maximumItems;
}

function costOf(fragment: Fragment): Cost {
  switch (fragment.kind) {
    case "0":
      return cost(0, [undefined, 0], [undefined, 0]);
    case "1":
      return cost(0, [0, undefined], [0, undefined]);
    case "pk_k":
      return cost(0, [0, 0], [1, 1]);
    case "older":
    case "after":
      return cost(1, [0, undefined], [0, undefined]);
    case "sha256":
    case "hash256":
    case "ripemd160":
    case "hash160":
      return cost(4, [0, undefined], [1, undefined]);
    case "multi": {
      const { keys, required } = fragment;
      return cost(1, [keys.length, keys.length], [required + 1, required + 1]);
    }
    case "thresh":
      return thresholdCost(fragment.required, fragment.parts.map(costOf));
    case "andor":
      return andorCost(costOf(fragment.condition), costOf(fragment.met), costOf(fragment.unmet));
    case "and_v":
    case "and_b":
    case "or_b":
    case "or_c":
    case "or_d":
    case "or_i":
      return pairCost(fragment.kind, costOf(fragment.left), costOf(fragment.right));
    default:
      return wrapperCost(fragment, costOf(fragment.part));
  }
}

type Ways = readonly [satisfied: number | undefined, dissatisfied: number | undefined];

function cost(operations: number, keys: Ways, items: Ways): Cost {
  return {
    operations,
    satisfiedKeys: keys[0],
    dissatisfiedKeys: keys[1],
    satisfiedItems: items[0],
    dissatisfiedItems: items[1],
  };
}

function wrapperCost(fragment: Extract<Fragment, { readonly part: Fragment }>, part: Cost): Cost {
  const { operations, satisfiedKeys, satisfiedItems } = part;
  switch (fragment.kind) {
    case "a":
      return { ...part, operations: operations + 2 };
    case "s":
    case "c":
    case "n":
      return { ...part, operations: operations + 1 };
    case "d":
      return cost(operations + 3, [satisfiedKeys, 0], [sum(satisfiedItems, 1), 1]);
    case "j":
      return cost(operations + 4, [satisfiedKeys, 0], [satisfiedItems, 1]);
    case "v": {
      // What ends in another check takes that one's verifying form.
      const isAdded = fragmentType(fragment.part)?.has("x") === true;
      return cost(operations + (isAdded ? 1 : 0), [satisfiedKeys, undefined], [satisfiedItems, undefined]);
    }
  }
}

/** How the ways of two parts make those of a pair, for keys and for items. */
function pairWays(
  kind: Extract<Fragment, { readonly left: Fragment }>["kind"],
  x: Ways,
  y: Ways,
  choice: number,
): Ways {
  const [xs, xd] = x;
  const [ys, yd] = y;
  switch (kind) {
    case "and_v":
      return [sum(xs, ys), undefined];
    case "and_b":
      return [sum(xs, ys), sum(xd, yd)];
    case "or_b":
      return [most(sum(xs, yd), sum(xd, ys)), sum(xd, yd)];
    case "or_c":
      return [most(xs, sum(xd, ys)), undefined];
    case "or_d":
      return [most(xs, sum(xd, ys)), sum(xd, yd)];
    case "or_i":
      return [sum(most(xs, ys), choice), sum(most(xd, yd), choice)];
  }
}

const pairOperations = { and_v: 0, and_b: 1, or_b: 1, or_c: 2, or_d: 3, or_i: 3 } as const;

function pairCost(kind: keyof typeof pairOperations, x: Cost, y: Cost): Cost {
  return cost(
    pairOperations[kind] + x.operations + y.operations,
    pairWays(kind, keysOf(x), keysOf(y), 0),
    pairWays(kind, itemsOf(x), itemsOf(y), 1),
  );
}

function andorCost(x: Cost, y: Cost, z: Cost): Cost {
  const ways = ([xs, xd]: Ways, [ys]: Ways, [zs, zd]: Ways): Ways => [most(sum(xs, ys), sum(xd, zs)), sum(xd, zd)];
  return cost(
    3 + x.operations + y.operations + z.operations,
    ways(keysOf(x), keysOf(y), keysOf(z)),
    ways(itemsOf(x), itemsOf(y), itemsOf(z)),
  );
}

function thresholdCost(required: number, parts: readonly Cost[]): Cost {
  const operations = parts.reduce((total, part) => total + part.operations + 1, 0);
  return cost(operations, thresholdWays(required, parts.map(keysOf)), thresholdWays(required, parts.map(itemsOf)));
}

/** The most that exactly `required` of the parts take when satisfied and the others when not. */
function thresholdWays(required: number, parts: readonly Ways[]): Ways {
  let counts: readonly (number | undefined)[] = [0];
  for (const [satisfied, dissatisfied] of parts) {
    const before = counts;
    counts = Array.from({ length: before.length + 1 }, (_, count) =>
      most(sum(before[count], dissatisfied), sum(before[count - 1], satisfied)),
    );
  }
  return [counts[required], counts[0]];
}

function keysOf({ satisfiedKeys, dissatisfiedKeys }: Cost): Ways {
  return [satisfiedKeys, dissatisfiedKeys];
}

function itemsOf({ satisfiedItems, dissatisfiedItems }: Cost): Ways {
  return [satisfiedItems, dissatisfiedItems];
}

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}

function most(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return Math.max(left, right);
}
