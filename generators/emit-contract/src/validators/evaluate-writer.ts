import type { ConditionalNode, ListNode, RecordNode, TypeNode, UnevaluatedNode, UnionNode } from "@nodewright/model";
import { call } from "@nodewright/output";
import { CheckWriter, failUnless, hasMember, returned, sides } from "./check-writer.ts";
import type { Place } from "./leaf-condition.ts";
import { all, callTest, type Condition, isAlways, isNever, negated } from "./condition.ts";
import { type Evaluation, evaluationOf, looksAtNothing } from "./evaluation.ts";
import { failWhen, type Statement, statement, ifStatement } from "./statement.ts";
import type { ValidatorScope } from "./validator-scope.ts";

/**
 * Writes functions of `value` and `seen`: they return whether a value matches, and record its evaluated members and elements in `seen`.
 * They are written only for types below an `UnevaluatedNode`, and only where the evaluated parts depend on the value.
 *
 * A check and its annotations are one pass: two would double at each level of a value of a recursive type.
 */
export class EvaluateWriter {
  readonly #scope: ValidatorScope;
  readonly #checks: CheckWriter;

  constructor(scope: ValidatorScope) {
    this.#scope = scope;
    this.#checks = new CheckWriter(scope);
  }

  static body(type: TypeNode, path: string, scope: ValidatorScope, isLossless: boolean): readonly Statement[] {
    return new EvaluateWriter(scope).#statements(type, { value: "value", path, isLossless });
  }

  #statements(type: TypeNode, place: Place): readonly Statement[] {
    const evaluation = evaluationOf(type, this.#scope.model);
    if (evaluation !== undefined) {
      return [
        ...failUnless(this.#checks.partCondition(type, place, 0), place),
        ...this.#notes(evaluation, place),
        statement("return true;"),
      ];
    }
    switch (type.kind) {
      case "record":
        return this.#recordStatements(type, place);
      case "list":
        return this.#listStatements(type, place);
      case "union":
        return this.#unionStatements(type, place);
      case "conditional":
        return this.#sideStatements(type, place);
      case "unevaluated":
        return this.#unevaluatedStatements(type, place);
      case "intersection":
        return [returned(all(type.members.map((member, index) => this.#evaluated(member, place, index))))];
      case "reference":
        return [returned(this.#evaluated(type, place, 0))];
      default:
        throw new Error(`What a ${type.kind} looks at does not depend on the value`);
    }
  }

  #recordStatements({ dependencies = [], ...type }: RecordNode, place: Place): readonly Statement[] {
    const evaluation = evaluationOf(type, this.#scope.model);
    const record = callTest(`${this.#scope.helper("isRecord")}(${place.value})`);
    const inside = dependencies.flatMap(({ property, type: dependency }, index): readonly Statement[] => {
      const condition = this.#evaluated(dependency, { ...place, path: `${place.path}With` }, index);
      if (isAlways(condition)) return [];
      return [failWhen(all([hasMember(place.value, property), negated(condition)]))];
    });
    return [
      ...failUnless(this.#checks.partCondition(type, place, 0), place),
      ...(evaluation === undefined ? [] : this.#notes(evaluation, place)),
      ifStatement(record, inside),
      statement("return true;"),
    ];
  }

  #listStatements(type: ListNode, place: Place): readonly Statement[] {
    const { contains: _, ...rest } = type;
    const evaluation = evaluationOf(rest, this.#scope.model);
    return [
      ...failUnless(this.#checks.partCondition(rest, place, 0), place),
      ...(evaluation === undefined ? [] : this.#notes(evaluation, place)),
      ifStatement(
        callTest(`${this.#scope.helper("isList")}(${place.value})`),
        this.#checks.containsStatements(type, place, true),
      ),
      statement("return true;"),
    ];
  }

  /** Returns the statements of a union. Every member counts, not only the first match: each may have evaluated other parts. */
  #unionStatements({ mode, members }: UnionNode, place: Place): readonly Statement[] {
    const found = [statement("matches += 1;")];
    const counted = members.flatMap((member, index): Statement[] => {
      const condition = this.#apart(member, place, index);
      if (isNever(condition)) return [];
      return isAlways(condition) ? found : [ifStatement(condition, found)];
    });
    const enough = mode === "one-of" ? "matches === 1" : "matches > 0";
    return [statement("let matches = 0;"), ...counted, statement(`return ${enough};`)];
  }

  #sideStatements({ condition, consequence, alternative }: ConditionalNode, place: Place): readonly Statement[] {
    return sides(
      this.#apart(condition, place, 0),
      returned(this.#evaluated(consequence, place, 1)),
      returned(this.#evaluated(alternative, place, 2)),
    );
  }

  /** Returns the statements of an inner `unevaluated`. It does not see what its siblings evaluated, so it has a set of its own. */
  #unevaluatedStatements(type: UnevaluatedNode, place: Place): readonly Statement[] {
    const base = this.#scope.part("evaluate", type.base, { ...place, path: `${place.path}1` });
    return [
      statement("const inner = new Set<string | number>();"),
      failWhen(negated(callTest(call(base, [place.value, "inner"])))),
      ...this.#checks.restStatements(type, place, "inner"),
      statement("for (const key of inner) seen.add(key);"),
      ...(type.members === undefined ? [] : [this.#note("noteMembers", [place.value])]),
      ...(type.elements === undefined ? [] : [this.#note("noteElements", [place.value])]),
      statement("return true;"),
    ];
  }

  /** Returns whether a required member matches; it records into the common set. */
  #evaluated(type: TypeNode, place: Place, index: number): Condition {
    const evaluate = this.#evaluator(type, place, index);
    if (evaluate === undefined) return this.#checks.partCondition(type, place, index);
    return callTest(call(evaluate, [place.value, "seen"]));
  }

  /** Returns whether an optional member matches; what it recorded counts only when it does. */
  #apart(type: TypeNode, place: Place, index: number): Condition {
    const evaluate = this.#evaluator(type, place, index);
    if (evaluate === undefined) return this.#checks.partCondition(type, place, index);
    return callTest(call(this.#scope.helper("evaluateApart"), [evaluate, place.value, "seen"]));
  }

  /** Returns the function for a part; undefined where it evaluates nothing. */
  #evaluator(type: TypeNode, place: Place, index: number): string | undefined {
    const { model } = this.#scope;
    const evaluation = evaluationOf(type, model);
    if (evaluation !== undefined && looksAtNothing(evaluation)) return undefined;
    if (type.kind !== "reference") {
      return this.#scope.part("evaluate", type, { ...place, path: `${place.path}${index + 1}` });
    }
    return this.#scope.part("evaluate", this.#scope.declared(type.target), { ...place, path: type.target });
  }

  #notes({ names, patterns, allMembers, elements }: Evaluation, place: Place): readonly Statement[] {
    const { value, path } = place;
    const members = allMembers
      ? [this.#note("noteMembers", [value])]
      : [
          ...(names.size === 0 ? [] : [this.#note("noteNames", [this.#scope.names([...names], path)])]),
          ...patterns.map((pattern) => this.#note("noteMatches", [value, this.#scope.pattern(pattern, path)])),
        ];
    const count = elements === Number.POSITIVE_INFINITY ? [] : [String(elements)];
    return elements === 0 ? members : [...members, this.#note("noteElements", [value, ...count])];
  }

  #note(helper: "noteNames" | "noteMatches" | "noteMembers" | "noteElements", given: readonly string[]): Statement {
    return statement([call(this.#scope.helper(helper), ["seen", ...given]), ";"]);
  }
}
