import { assertNever } from "../basics/assert-never.ts";
import type { ListNode, RecordNode, TypeLookup, TypeNode } from "../model/type-node.ts";
import type { Checker } from "./checker.ts";
import {
  ConditionalChecker,
  IntersectionChecker,
  NotChecker,
  ReferenceChecker,
  UnevaluatedChecker,
} from "./combined-checkers.ts";
import { ListChecker } from "./list-checker.ts";
import { NumberChecker } from "./number-checker.ts";
import { EnumerationChecker, PlainChecker } from "./plain-checkers.ts";
import { RecordChecker } from "./record-checker.ts";
import { TextChecker } from "./text-checker.ts";
import { UnionChecker } from "./union-checker.ts";
import type { CheckOptions } from "./violation.ts";

const anyType: TypeNode = { kind: "any" };

/** Creates checkers for the types of a model, one for each. */
export class CheckerMaker {
  readonly #lookup: TypeLookup;
  readonly #options: CheckOptions;
  readonly #checkers = new WeakMap<TypeNode, Checker>();

  constructor(lookup: TypeLookup, options: CheckOptions) {
    this.#lookup = lookup;
    this.#options = options;
  }

  checkerOf(type: TypeNode): Checker {
    const known = this.#checkers.get(type);
    if (known !== undefined) return known;
    const checker = this.#create(type);
    this.#checkers.set(type, checker);
    return checker;
  }

  /** Returns the checker of a named type; throws for a name that is not in the model, which only a programming error can cause. */
  readonly #resolve = (target: string): Checker => {
    const type = this.#lookup(target);
    if (type === undefined) throw new Error(`The model has no type ${target}`);
    return this.checkerOf(type);
  };

  #create(type: TypeNode): Checker {
    const of = (one: TypeNode): Checker => this.checkerOf(one);
    const optional = (one: TypeNode | undefined): Checker | undefined => one && this.checkerOf(one);
    switch (type.kind) {
      case "any":
      case "never":
      case "null":
      case "boolean":
      case "bytes":
        return new PlainChecker(type);
      case "string":
        return new TextChecker(type, this.#options);
      case "number":
        return new NumberChecker(type);
      case "enumeration":
        return new EnumerationChecker(type);
      case "list":
        return this.#list(type);
      case "record":
        return this.#record(type);
      case "union":
        return new UnionChecker(type, type.members.map(of), this.#resolve, this.#options);
      case "intersection":
        return new IntersectionChecker(type, type.members.map(of));
      case "not":
        return new NotChecker(type, of(type.type));
      case "conditional":
        return new ConditionalChecker(type, {
          condition: of(type.condition),
          consequence: of(type.consequence),
          alternative: of(type.alternative),
        });
      case "unevaluated":
        return new UnevaluatedChecker(type, {
          base: of(type.base),
          members: optional(type.members),
          elements: optional(type.elements),
        });
      case "reference":
        return new ReferenceChecker(type, this.#resolve);
      default:
        return assertNever(type);
    }
  }

  #list(type: ListNode): Checker {
    return new ListChecker(type, {
      prefix: (type.prefix ?? []).map((one) => this.checkerOf(one)),
      element: this.checkerOf(type.element),
      contains: type.contains && this.checkerOf(type.contains.type),
    });
  }

  #record(type: RecordNode): Checker {
    const described = type.members.filter(({ isUndescribed }) => isUndescribed !== true);
    const parts = {
      members: new Map(described.map((member) => [member.name, this.checkerOf(member.type)])),
      patterns: (type.patterns ?? []).map((one) => ({ pattern: one.pattern, checker: this.checkerOf(one.type) })),
      additional: this.checkerOf(type.additional ?? anyType),
      names: type.names && this.checkerOf(type.names),
      dependencies: (type.dependencies ?? []).map((one) => ({
        property: one.property,
        checker: this.checkerOf(one.type),
      })),
    };
    return new RecordChecker(type, parts, this.#options);
  }
}
