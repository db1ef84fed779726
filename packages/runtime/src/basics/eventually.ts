/** A value that is available now, or later. An available one saves the event loop turns that a promise takes. */
export type Eventually<Value> = Value | Promise<Value>;

/** Continues with a value: synchronously where it is available. */
export function whenKnown<Value, Next>(
  value: Eventually<Value>,
  next: (value: Value) => Eventually<Next>,
): Eventually<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
