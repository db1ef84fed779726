import { describe, expect, it } from "vitest";
import type { Fragment, Pair, Wrapper } from "./fragment.ts";
import { isWithinBounds } from "./fragment-cost.ts";

const nothing: Fragment = { kind: "0" };
const anything: Fragment = { kind: "1" };
const key: Fragment = { kind: "pk_k", key: Uint8Array.from([2, ...new Uint8Array(32)]) };
const older: Fragment = { kind: "older", number: 144 };
const sha256: Fragment = { kind: "sha256", hash: new Uint8Array(32) };
const multi = (required: number, count: number): Fragment => ({
  kind: "multi",
  required,
  keys: Array.from({ length: count }, () => key.key),
});
const wrap = (kind: Wrapper, part: Fragment): Fragment => ({ kind, part });
const pair = (kind: Pair, left: Fragment, right: Fragment): Fragment => ({ kind, left, right });
const andor = (condition: Fragment, met: Fragment, unmet: Fragment): Fragment => ({
  kind: "andor",
  condition,
  met,
  unmet,
});
const thresh = (required: number, ...parts: readonly Fragment[]): Fragment => ({ kind: "thresh", required, parts });

/** Fragment of one operation; satisfied or not, 4 witness items, and 3 keys that count as operations. */
const plain = multi(3, 3);
/** Fragment of 5 operations; satisfied by 5 items with 5 keys, dissatisfied by one item without. */
const large = wrap("j", multi(4, 5));
/** Fragment of 5 operations; satisfied by 3 items with 2 keys, dissatisfied by one item without. */
const small = wrap("j", multi(2, 2));

/** Returns the largest number for which a predicate holds; `undefined` where that never ends. */
function largest(most: number, holds: (count: number) => boolean): number | undefined {
  for (let count = 0; count <= most; count += 1) if (!holds(count)) return count - 1;
  return undefined;
}

/** Returns a fragment with `count` operations, and nothing to satisfy. */
function operations(count: number): Fragment {
  let fragment = anything;
  for (let done = 0; done < count; done += 1) fragment = wrap("n", fragment);
  return fragment;
}

/** Returns a fragment with `count` witness items, and no operation. */
function items(count: number): Fragment {
  let fragment = anything;
  for (let done = 0; done < count; done += 1) fragment = pair("and_v", key, fragment);
  return fragment;
}

/**
 * Returns operations with the keys that count as such, and witness items, measured by what still fits next to a fragment: 201 and 100 are
 * the limits. `undefined` where it can't be satisfied.
 */
function measured(fragment: Fragment): readonly [operations: number, items: number] | undefined {
  const rest = largest(202, (count) => isWithinBounds(pair("and_v", operations(count), fragment)));
  const restOfItems = largest(101, (count) => isWithinBounds(pair("and_v", items(count), fragment)));
  return rest === undefined || restOfItems === undefined ? undefined : [201 - rest, 100 - restOfItems];
}

/** Returns the same for a fragment that is not satisfied. */
function measuredDissatisfied(fragment: Fragment): readonly [operations: number, items: number] | undefined {
  const measure = measured(andor(fragment, nothing, anything));
  return measure && [measure[0] - 3, measure[1]];
}

type Measure = readonly [operations: number, items: number] | undefined;

// BIP 379: the opcodes of its translation table, and the witnesses of its table of satisfactions that third parties cannot change.
describe("what it takes at most to satisfy, and to dissatisfy", () => {
  it.each<[name: string, fragment: Fragment, satisfied: Measure, dissatisfied: Measure]>([
    ["0", nothing, undefined, [0, 0]],
    ["1", anything, [0, 0], undefined],
    ["pk_k", key, [0, 1], [0, 1]],
    ["older", older, [1, 0], undefined],
    ["after", { kind: "after", number: 1 }, [1, 0], undefined],
    ["sha256", sha256, [4, 1], undefined],
    ["hash256", { kind: "hash256", hash: new Uint8Array(32) }, [4, 1], undefined],
    ["ripemd160", { kind: "ripemd160", hash: new Uint8Array(20) }, [4, 1], undefined],
    ["hash160", { kind: "hash160", hash: new Uint8Array(20) }, [4, 1], undefined],
    ["multi", plain, [4, 4], [4, 4]],
    ["multi of some", multi(1, 20), [21, 2], [21, 2]],
    ["j, large", large, [10, 5], [5, 1]],
    ["j, small", small, [7, 3], [5, 1]],
    ["andor", andor(large, small, plain), [14 + 7, 8], [14 + 3, 5]],
    ["andor, whose condition costs less", andor(small, anything, large), [13 + 5, 6], [13, 2]],
    ["and_v", pair("and_v", large, small), [10 + 7, 8], undefined],
    ["and_b", pair("and_b", large, plain), [7 + 8, 9], [7 + 3, 5]],
    ["or_b, the first", pair("or_b", large, small), [11 + 5, 6], [11, 2]],
    ["or_b, the second", pair("or_b", small, large), [11 + 5, 6], [11, 2]],
    ["or_b, with what costs as much if it is not satisfied", pair("or_b", plain, large), [7 + 8, 9], [7 + 3, 5]],
    ["or_c, the first", pair("or_c", large, small), [12 + 5, 5], undefined],
    ["or_c, the second", pair("or_c", small, large), [12 + 5, 6], undefined],
    ["or_d, the first", pair("or_d", large, small), [13 + 5, 5], [13, 2]],
    ["or_d, the second", pair("or_d", small, large), [13 + 5, 6], [13, 2]],
    ["or_d, with what costs as much if it is not satisfied", pair("or_d", plain, large), [9 + 8, 9], [9 + 3, 5]],
    ["or_i, the first", pair("or_i", large, small), [13 + 5, 6], [13, 2]],
    ["or_i, the second", pair("or_i", small, large), [13 + 5, 6], [13, 2]],
    ["or_i, dissatisfied by the first", pair("or_i", plain, small), [9 + 3, 5], [9 + 3, 5]],
    ["or_i, dissatisfied by the second", pair("or_i", small, plain), [9 + 3, 5], [9 + 3, 5]],
    ["a", wrap("a", large), [7 + 5, 5], [7, 1]],
    ["s", wrap("s", large), [6 + 5, 5], [6, 1]],
    ["c", wrap("c", key), [1, 1], [1, 1]],
    ["d", wrap("d", plain), [4 + 3, 5], [4, 1]],
    ["v", wrap("v", large), [6 + 5, 5], undefined],
    ["j", wrap("j", plain), [5 + 3, 4], [5, 1]],
    ["n", wrap("n", plain), [2 + 3, 4], [2 + 3, 4]],
    // The last check verifies by itself.
    ["v of c", wrap("v", wrap("c", key)), [1, 1], undefined],
    ["v of multi", wrap("v", plain), [1 + 3, 4], undefined],
    ["v of thresh", wrap("v", thresh(1, wrap("c", key))), [2, 1], undefined],
    ["v of a hash", wrap("v", sha256), [4, 1], undefined],
    ["v of hash256", wrap("v", { kind: "hash256", hash: new Uint8Array(32) }), [4, 1], undefined],
    ["v of ripemd160", wrap("v", { kind: "ripemd160", hash: new Uint8Array(20) }), [4, 1], undefined],
    ["v of hash160", wrap("v", { kind: "hash160", hash: new Uint8Array(20) }), [4, 1], undefined],
    ["v of s", wrap("v", wrap("s", wrap("c", key))), [2, 1], undefined],
    ["v of and_v", wrap("v", pair("and_v", older, wrap("c", key))), [2, 1], undefined],
    ["v of and_v that does not end in a check", wrap("v", pair("and_v", wrap("c", key), older)), [3, 1], undefined],
    ["v of a time", wrap("v", older), [2, 0], undefined],
    ["v of n", wrap("v", wrap("n", wrap("c", key))), [3, 1], undefined],
    ["thresh of one", thresh(1, large, small), [12 + 5, 6], [12, 2]],
    ["thresh of the other", thresh(1, small, large), [12 + 5, 6], [12, 2]],
    ["thresh of both", thresh(2, large, small), [12 + 7, 8], [12, 2]],
    ["thresh of one of three", thresh(1, plain, large, small), [14 + 8, 10], [14 + 3, 6]],
    ["thresh of two of three", thresh(2, plain, large, small), [14 + 10, 12], [14 + 3, 6]],
    ["thresh with a time", thresh(1, older, large), [8, 1], undefined],
    ["thresh with a time, of both", thresh(2, older, large), [8 + 5, 5], undefined],
    ["thresh of none that can be satisfied", thresh(1, nothing, nothing), undefined, [2, 0]],
  ])("%s", (_name, fragment, satisfied, dissatisfied) => {
    expect(measured(fragment)).toEqual(satisfied);
    expect(measuredDissatisfied(fragment)).toEqual(dissatisfied);
  });
});
