/** A value that is there, or will be. What is there at once is spared the turns that a promise takes. */
export type Eventually<Value> = Value | Promise<Value>;

/** Goes on with a value: at once where it is there. */
export function whenKnown<Value, Next>(
  value: Eventually<Value>,
  next: (value: Value) => Eventually<Next>,
): Eventually<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
