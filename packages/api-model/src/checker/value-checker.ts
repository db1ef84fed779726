import { escapeSegment } from "../basics/json-pointer.ts";
import type { Place, TypeLookup, TypeNode } from "../model/type-node.ts";
import { Check, type Checker, type FoundViolation, type Trial, type Walk } from "./checker.ts";
import { CheckerMaker } from "./create-checker.ts";
import type { CheckOptions, TypeViolation } from "./violation.ts";

const maximumViolations = 100;

/** Maximum number of collected violations, of which the deepest are then left out. */
const maximumFound = 1000;

/** Maximum number of reports of the same violation in the elements of a list. */
const maximumAlike = 3;

/**
 * Checks values against types as JSON Schema 2020-12 does, without asserting formats; numbers are doubles, or bigints for integers that a
 * double cannot represent. A member that is `undefined` is absent.
 */
export class ValueChecker {
  readonly #checkers: CheckerMaker;

  constructor(lookup: TypeLookup, options: CheckOptions) {
    this.#checkers = new CheckerMaker(lookup, options);
  }

  matches(type: TypeNode, value: unknown): boolean {
    return this.#checkers.checkerOf(type).matches(value, new Check());
  }

  /**
   * Returns the violations of a value, ordered by depth; empty when it matches. For alternatives, those of the nearest one. Of equal
   * violations in several elements of a list, only the first few are reported.
   */
  violations(type: TypeNode, value: unknown): readonly TypeViolation[] {
    const checker = this.#checkers.checkerOf(type);
    if (checker.matches(value, new Check())) return [];
    const walk = new ViolationWalk(new Check());
    checker.explain(value, walk);
    if (walk.found.length === 0) walk.report(type.kind, "must be of its type", type.place);
    const found = walk.found.toSorted((left, right) => left.path.length - right.path.length);
    return found.slice(0, maximumViolations).map(violationFrom);
  }
}

function violationFrom({ path, generalPath, keyword, message, place }: FoundViolation): TypeViolation {
  return {
    pointer: pointerOf(path),
    generalPointer: pointerOf(generalPath),
    keyword,
    message,
    ...(place === undefined ? {} : { place }),
  };
}

/** Returns a JSON Pointer (RFC 6901). */
function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${escapeSegment(String(part))}`).join("");
}

class ViolationWalk implements Walk {
  readonly check: Check;
  readonly found: FoundViolation[] = [];
  readonly #path: (string | number)[] = [];
  readonly #generalPath: (string | number)[] = [];
  readonly #alike = new Map<string, number>();

  constructor(check: Check) {
    this.check = check;
  }

  report(keyword: string, message: string, place: Place | undefined, name?: string): void {
    const path = name === undefined ? [...this.#path] : [...this.#path, name];
    const generalPath = name === undefined ? [...this.#generalPath] : [...this.#generalPath, "*"];
    this.#add({ path, generalPath, keyword, message, place });
  }

  #add(violation: FoundViolation): void {
    if (this.found.length >= maximumFound) return;
    const key = JSON.stringify([violation.generalPath, violation.keyword, violation.message]);
    const alike = this.#alike.get(key) ?? 0;
    if (alike >= maximumAlike) return;
    this.#alike.set(key, alike + 1);
    this.found.push(violation);
  }

  inside(part: string | number, isNamed: boolean, value: unknown, checker: Checker): void {
    this.#path.push(part);
    this.#generalPath.push(isNamed ? part : "*");
    checker.explain(value, this);
    this.#path.pop();
    this.#generalPath.pop();
  }

  trial(value: unknown, checker: Checker): Trial {
    const walk = new ViolationWalk(this.check);
    checker.explain(value, walk);
    return walk;
  }

  accept({ found }: Trial): void {
    for (const one of found) {
      this.#add({
        ...one,
        path: [...this.#path, ...one.path],
        generalPath: [...this.#generalPath, ...one.generalPath],
      });
    }
  }
}
