/** What may be otherwise at the second target, and why. */
export interface MayDiffer {
  /** Pattern of an operation's name, origin or tag; `*` stands for any text. */
  readonly operation: string;
  /**
   * Pattern of a place in its answers, as findings name it: a JSON Pointer with `*` for positions. Absent: the whole answer, whether
   * there is one included.
   */
  readonly pointer?: string | undefined;
  readonly reason: string;
}
