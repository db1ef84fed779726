import { matchesAny } from "../basics/name-pattern.ts";

/** What may be otherwise at the second target, and why. */
export interface MayDiffer {
  /** Pattern of an operation's name, origin or tag; `*` stands for any text. */
  readonly operation: string;
  /**
   * Pattern of a place in its answers, as findings name it: a JSON Pointer with `*` for positions. Absent: the whole answer, whether
   * there is one included.
   */
  readonly pointer?: string;
  readonly reason: string;
}

/** Why a place of an operation's answers may differ; undefined where it may not. An empty pointer is the whole answer. */
export function reasonToDiffer(
  rules: readonly MayDiffer[],
  names: readonly string[],
  pointer: string,
): string | undefined {
  const found = rules.find(
    (rule) =>
      matchesAny([rule.operation], names) && (rule.pointer === undefined || matchesAny([rule.pointer], [pointer])),
  );
  return found?.reason;
}
