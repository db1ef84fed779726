import type { Random } from "../random.ts";
import type { Dispatch } from "../wire/message.ts";
import type { WorldKind } from "../worlds/world.ts";
import type { Subject } from "./subject.ts";

/**
 * What makes a mutant a faulty server. `rule`: what the operator does is against the document or a specification by itself. `shape`: an
 * answer of the corpus has to be outside its type. `value`: an answer has to be outside its type, or contradict a documented example,
 * another operation's answer or its own request.
 */
export type Proof = "rule" | "shape" | "value";

/** A server with one fault. */
export interface Mutant {
  /** What is wrong, with the place: `drop-required /items/*`. */
  readonly note: string;
  readonly proof: Proof;
  /** Absent: it breaks what has to be. `SHOULD`: no specification says more than that. */
  readonly level?: "SHOULD";
  /** A new faulty server each time: what it remembers is its own. */
  wrap(dispatch: Dispatch): Dispatch;
}

/** A way in which servers go wrong, applied from the document without knowing the world. */
export interface Operator {
  /** kebab-case. */
  readonly name: string;
  readonly kinds: readonly WorldKind[];
  /** Faulty servers of an operation, best first tried; fewer where little can be wrong. `(protocol)`: faults of no operation. */
  mutants(subject: Subject, operation: string, random: Random): readonly Mutant[];
}

/** The name of what belongs to no operation. */
export const protocolOperation = "(protocol)";
