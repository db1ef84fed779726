import {
  type CapturingGroup,
  type CharacterNode,
  isAtEdge,
  type PatternNode,
  type RepetitionNode,
} from "@nodewright/runtime/patterns";

/**
 * Returns the number of characters that a backtracking engine inspects to determine whether a pattern matches somewhere in a string
 * (ECMA-262, section 22.2.2), at most `maximum`. Unlike times, counts are the same on every machine.
 */
export function countSteps(pattern: PatternNode, text: string, maximum: number): number {
  const matcher = new CountingMatcher(text, maximum);
  try {
    for (let start = 0; start <= text.length; start += 1) {
      if (matcher.match(pattern, start, 1, () => true)) break;
    }
  } catch (reason) {
    // A stack overflow is caused by many steps, too.
    if (!(reason instanceof TooManySteps || reason instanceof RangeError)) throw reason;
    return maximum;
  }
  return matcher.steps;
}

class TooManySteps extends Error {}

type Continuation = (position: number) => boolean;

/** 1: matches forward; -1: matches backward, inside a lookbehind. */
type Direction = 1 | -1;

const expressions = new WeakMap<CharacterNode, RegExp>();

function expressionOf(node: CharacterNode): RegExp {
  const expression = expressions.get(node) ?? new RegExp(`^(?:${node.source})$`, node.flags);
  expressions.set(node, expression);
  return expression;
}

class CountingMatcher {
  steps = 0;
  readonly #text: string;
  readonly #maximum: number;
  readonly #captures = new Map<CapturingGroup, string>();

  constructor(text: string, maximum: number) {
    this.#text = text;
    this.#maximum = maximum;
  }

  match(node: PatternNode, position: number, direction: Direction, next: Continuation): boolean {
    switch (node.kind) {
      case "character":
        return this.#character(node, position, direction, next);
      case "sequence": {
        const parts = direction === 1 ? node.parts : node.parts.toReversed();
        return this.#sequence(parts, 0, position, direction, next);
      }
      case "choice":
        return node.options.some((option) => this.match(option, position, direction, next));
      case "repetition":
        return this.#repetition(node, 0, position, direction, next);
      case "group":
        return this.match(node.body, position, direction, (end) => {
          const before = this.#captures.get(node.group);
          this.#captures.set(node.group, this.#text.slice(Math.min(position, end), Math.max(position, end)));
          if (next(end)) return true;
          if (before === undefined) this.#captures.delete(node.group);
          else this.#captures.set(node.group, before);
          return false;
        });
      case "back-reference": {
        const captured = node.groups.map((group) => this.#captures.get(group)).find((text) => text !== undefined) ?? "";
        const start = direction === 1 ? position : position - captured.length;
        this.#step(captured.length);
        // `startsWith` treats a negative position as 0.
        return start >= 0 && this.#text.startsWith(captured, start) && next(position + direction * captured.length);
      }
      case "look": {
        const found = this.match(node.body, position, node.direction === "ahead" ? 1 : -1, () => true);
        return found !== node.isNegated && next(position);
      }
      case "edge":
        return isAtEdge(node, this.#codeUnit(position - 1), this.#codeUnit(position)) && next(position);
      default:
        return node satisfies never;
    }
  }

  #character(node: CharacterNode, position: number, direction: Direction, next: Continuation): boolean {
    this.#step(1);
    const character = this.#text[direction === 1 ? position : position - 1];
    return character !== undefined && expressionOf(node).test(character) && next(position + direction);
  }

  #sequence(
    parts: readonly PatternNode[],
    index: number,
    position: number,
    direction: Direction,
    next: Continuation,
  ): boolean {
    const part = parts[index];
    if (part === undefined) return next(position);
    return this.match(part, position, direction, (end) => this.#sequence(parts, index + 1, end, direction, next));
  }

  #repetition(
    node: RepetitionNode,
    count: number,
    position: number,
    direction: Direction,
    next: Continuation,
  ): boolean {
    const again = (): boolean =>
      count < node.maximum &&
      this.match(node.body, position, direction, (end) => {
        // An optional iteration that matches the empty string is rejected: section 22.2.2.3.1.
        if (end === position && count >= node.minimum) return false;
        return this.#repetition(node, count + 1, end, direction, next);
      });
    if (count < node.minimum) return again();
    return node.isLazy ? next(position) || again() : again() || next(position);
  }

  #codeUnit(position: number): number | undefined {
    return position >= 0 && position < this.#text.length ? this.#text.charCodeAt(position) : undefined;
  }

  #step(count: number): void {
    this.steps += count;
    if (this.steps >= this.#maximum) throw new TooManySteps();
  }
}
