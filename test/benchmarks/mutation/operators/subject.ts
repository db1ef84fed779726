import type { Dispatch, WireAnswer, WireRequest } from "../wire/message.ts";
import type { Probe, World } from "../worlds/world.ts";
import type { Slot } from "./json-tree.ts";

/** An input of an operation, as documented. */
export interface DocumentedInput {
  readonly name: string;
  readonly required: boolean;
  /** True: it is part of the path. */
  readonly isInPath: boolean;
  /** JSON Schema, references resolved; of GraphQL: an approximation. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What the schema refuses, by keyword; empty when the value is valid. Text is read as the schema wants it. */
  broken(value: unknown): readonly string[];
}

/** A call of an operation: its inputs as they are on the wire, by name. */
export interface Call {
  readonly input: Readonly<Record<string, unknown>>;
  /** Answers with other inputs; members that are `undefined` are left out. */
  ask(input: Readonly<Record<string, unknown>>): Promise<WireOutcome>;
  /** Answers as if the caller had done something wrong. */
  refuse(): WireOutcome;
}

/** An outcome that can be sent: of REST a whole answer, of JSON-RPC one response object. */
export type WireOutcome = { readonly answer: WireAnswer } | { readonly response: unknown };

/** Which of the matching places of one answer are changed. */
export type Occurrence = "all" | "last";

/** Where answers of an operation have values, seen in correct answers. */
export interface Site {
  /** `/items/*` + `/price`, or `Block.hash` for GraphQL. */
  readonly name: string;
  /** Some of the values that were seen there, different ones. */
  readonly values: readonly unknown[];
}

/** An answer that was found in an exchange of the corpus, for judging. */
export interface JudgedAnswer {
  readonly operation: string;
  readonly isSuccess: boolean;
  readonly value: unknown;
  readonly input: Readonly<Record<string, unknown>>;
  /** False: the value is outside the type that the document gives it. */
  readonly isOfType: boolean;
}

/** A world with all that mutations need of it, whatever its kind is. */
export interface Subject {
  readonly world: World;
  readonly operations: readonly string[];
  readonly sites: ReadonlyMap<string, readonly Site[]>;
  /** Documented examples of answers: what they say counts as another source. */
  readonly documented: readonly { readonly operation: string; readonly value: unknown; readonly input: unknown }[];
  inputsOf(operation: string): readonly DocumentedInput[];
  /** Good inputs of the corpus. */
  goodInputsOf(operation: string): readonly Readonly<Record<string, unknown>>[];
  requestOf(probe: Probe): WireRequest;
  /** What an exchange says about operations. */
  judge(request: WireRequest, answer: WireAnswer): readonly JudgedAnswer[];
  /** Changes places of an operation's good answers. */
  atSite(
    operation: string,
    site: string,
    occurrence: Occurrence,
    edit: (slot: Slot) => void,
  ): (dispatch: Dispatch) => Dispatch;
  /** Changes the value of an operation's good answers as a whole. */
  onValue(operation: string, edit: (value: unknown) => unknown): (dispatch: Dispatch) => Dispatch;
  /** Answers calls of an operation otherwise. */
  onCall(operation: string, handle: (call: Call) => Promise<WireOutcome>): (dispatch: Dispatch) => Dispatch;
}
