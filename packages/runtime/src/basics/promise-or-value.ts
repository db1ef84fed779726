/** A value or a promise of it. A value that is available at once does not wait for the microtasks of a promise. */
export type PromiseOrValue<Value> = Value | Promise<Value>;

/** Calls `next` with the value: synchronously if it is not a promise. */
export function whenResolved<Value, Next>(
  value: PromiseOrValue<Value>,
  next: (value: Value) => PromiseOrValue<Next>,
): PromiseOrValue<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
