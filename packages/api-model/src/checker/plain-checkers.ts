import type { AnyNode, BooleanNode, BytesNode, EnumerationNode, NeverNode, NullNode } from "../model/type-node.ts";
import { canonicalText } from "../basics/canonical-text.ts";
import { type Check, type Checker, kindOf, type Walk } from "./checker.ts";

type PlainNode = AnyNode | NeverNode | NullNode | BooleanNode | BytesNode;

/** Checker of types without constraints. */
export class PlainChecker implements Checker {
  readonly type: PlainNode;

  constructor(type: PlainNode) {
    this.type = type;
  }

  matches(value: unknown): boolean {
    switch (this.type.kind) {
      case "any":
        return value !== undefined;
      case "never":
        return false;
      case "null":
        return value === null;
      case "boolean":
        return typeof value === "boolean";
      case "bytes":
        return typeof value === "string" || value instanceof Uint8Array;
    }
  }

  explain(value: unknown, walk: Walk): void {
    if (this.matches(value)) return;
    const { kind, place } = this.type;
    if (kind === "never") walk.report("not", "must not be there: no value is allowed", place);
    else walk.report("type", plainMessages[kind], place);
  }

  addEvaluated(): void {}
}

const plainMessages = {
  any: "must be there",
  null: "must be null",
  boolean: "must be a boolean",
  bytes: "must be bytes",
} as const;

/** Checker of enumerations. */
export class EnumerationChecker implements Checker {
  readonly type: EnumerationNode;
  readonly #texts: ReadonlySet<string>;
  readonly #hasStructures: boolean;

  constructor(type: EnumerationNode) {
    this.type = type;
    this.#texts = new Set(type.values.map(canonicalText));
    this.#hasStructures = type.values.some((value) => typeof value === "object" && value !== null);
  }

  matches(value: unknown, _check: Check): boolean {
    if (value === undefined) return false;
    if (typeof value === "object" && value !== null && !this.#hasStructures) return false;
    return this.#texts.has(canonicalText(value));
  }

  explain(value: unknown, walk: Walk): void {
    if (this.matches(value, walk.check)) return;
    const { values, place } = this.type;
    const [only] = values;
    if (values.length === 1) walk.report("const", `must be ${shortText(only)}`, place);
    else walk.report("enum", `must be one of ${listText(values)}`, place);
  }

  addEvaluated(): void {}
}

const maximumShown = 8;

function listText(values: readonly unknown[]): string {
  const shown = values.slice(0, maximumShown).map(shortText).join(", ");
  return values.length > maximumShown ? `${shown} and ${values.length - maximumShown} more` : shown;
}

function shortText(value: unknown): string {
  const text = canonicalText(value);
  return text.length > 80 ? `the documented ${kindOf(value)}` : text;
}
