import { type PromiseOrValue, whenResolved } from "@nodewright/runtime/graphql";

export { type PromiseOrValue, whenResolved };

/** Calls `next` with two values: synchronously if none is a promise. */
export function whenBoth<First, Second, Next>(
  first: PromiseOrValue<First>,
  second: PromiseOrValue<Second>,
  next: (first: First, second: Second) => PromiseOrValue<Next>,
): PromiseOrValue<Next> {
  if (first instanceof Promise || second instanceof Promise) {
    return Promise.all([first, second]).then(([one, other]) => next(one, other));
  }
  return next(first, second);
}

/** Returns all values in order: synchronously if none is a promise. */
export function whenAll<Value>(values: readonly PromiseOrValue<Value>[]): PromiseOrValue<readonly Value[]> {
  return areResolved(values) ? values : Promise.all(values);
}

function areResolved<Value>(values: readonly PromiseOrValue<Value>[]): values is readonly Value[] {
  return !values.some((value) => value instanceof Promise);
}
