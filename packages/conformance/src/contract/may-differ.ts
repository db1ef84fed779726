/** An allowed difference of the second target, with its reason. */
export interface MayDiffer {
  /** Pattern of an operation's name, origin or tag; `*` matches any string. */
  readonly operation: string;
  /**
   * Pattern of a place in its responses, as in findings: a JSON Pointer with `*` for positions. Absent: the complete response, including
   * whether there is one.
   */
  readonly pointer?: string | undefined;
  readonly reason: string;
}
