// Regular expressions in linear time, for validators whose patterns could otherwise backtrack without end.
export { backtrackingBound, startsAtStart } from "./patterns/backtracking-bound.ts";
export type { BacktrackingBound } from "./patterns/backtracking-bound.ts";
export { linearPattern } from "./patterns/linear-pattern.ts";
export type { TextPattern } from "./patterns/linear-pattern.ts";
export { childrenOf } from "./patterns/linear-program.ts";
export { isAtEdge } from "./patterns/pattern-edge.ts";
export { parsePattern } from "./patterns/pattern-syntax.ts";
export type {
  CapturingGroup,
  CharacterNode,
  EdgeNode,
  LookNode,
  PatternNode,
  RepetitionNode,
} from "./patterns/pattern-syntax.ts";
