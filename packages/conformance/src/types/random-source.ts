/** Numbers that look random and are the same for the same seed. */
export interface RandomSource {
  /** In [0, 1). */
  next(): number;
  /** An integer from `minimum` to `maximum`, both included. */
  integer(minimum: number, maximum: number): number;
  /** One of a list that is not empty. */
  pick<Value>(values: readonly Value[]): Value;
  /** Another source, the same for the same name. */
  fork(name: string): RandomSource;
}
