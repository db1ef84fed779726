import { type Eventually, whenKnown } from "@nodewright/runtime/graphql";

export { type Eventually, whenKnown };

/** Continues with two values, synchronously where both are available. */
export function whenBoth<First, Second, Next>(
  first: Eventually<First>,
  second: Eventually<Second>,
  next: (first: First, second: Second) => Eventually<Next>,
): Eventually<Next> {
  if (first instanceof Promise || second instanceof Promise) {
    return Promise.all([first, second]).then(([one, other]) => next(one, other));
  }
  return next(first, second);
}

/** Returns all values in their order, synchronously where all are available. */
export function whenAll<Value>(values: readonly Eventually<Value>[]): Eventually<readonly Value[]> {
  return areKnown(values) ? values : Promise.all(values);
}

function areKnown<Value>(values: readonly Eventually<Value>[]): values is readonly Value[] {
  return !values.some((value) => value instanceof Promise);
}
