import {
  additionalOf,
  type ApiModel,
  type ConditionalNode,
  type ListNode,
  pascalCase,
  type RecordMember,
  type RecordNode,
  type TypeNode,
  type UnevaluatedNode,
  type UnionNode,
} from "@nodewright/model";
import {
  assignment,
  call,
  type Code,
  group,
  indent,
  line,
  renderCode,
  returnChain,
  softline,
  stringLiteral,
  trailingComma,
} from "@nodewright/output";
import {
  all,
  any,
  callTest,
  compare,
  type Condition,
  fact,
  isAlways,
  isNever,
  negated,
  operandsOf,
} from "./condition.ts";
import { deepDeclarations, isDeep } from "./deep-types.ts";
import { type Evaluation, evaluationOf } from "./evaluation.ts";
import { leafCondition, leafDemands, type Place } from "./leaf-condition.ts";
import {
  switchStatement,
  failWhen,
  loop,
  type Statement,
  statement,
  statementsCode,
  ifStatement,
} from "./statement.ts";
import { tagOf } from "../contract/tag.ts";
import { LocalNames, type ValidatorScope } from "./validator-scope.ts";
import { areDisjoint, kindsOf, mayTakeUndefined } from "../contract/value-kind.ts";

/** Writes the boolean form of a validator: the body returns false at the first failed constraint. */
export class CheckWriter {
  readonly #scope: ValidatorScope;
  readonly #locals = new LocalNames();

  constructor(scope: ValidatorScope) {
    this.#scope = scope;
  }

  /** Returns the body of a function that checks its parameter `value`. */
  static body(type: TypeNode, path: string, scope: ValidatorScope, isLossless: boolean): readonly Statement[] {
    const writer = new CheckWriter(scope);
    const place = { value: "value", path, isLossless };
    if (type.kind === "any") return [statement("return value !== undefined;")];
    if (type.kind === "never") return [statement("return false;")];
    if (type.kind === "conditional") return writer.#sideStatements(type, place);
    if (type.kind === "unevaluated") return writer.#unevaluatedStatements(type, place);
    if (type.kind === "union" && isDecided(type, scope.model)) return writer.#taggedStatements(type, place);
    if (!isSimple(type) && !(type.kind === "union" && !hasOneInside(type))) {
      return [...writer.#statements(type, place), statement("return true;")];
    }
    const { operator, operands } = operandsOf(writer.condition(type, place));
    return [statement(operands.length === 0 ? "return value !== undefined;" : returnChain(operator, operands))];
  }

  /** Returns the body of a function that counts the members of a union that match `value`. */
  static exactlyOneBody(
    type: UnionNode,
    path: string,
    scope: ValidatorScope,
    isLossless: boolean,
  ): readonly Statement[] {
    const writer = new CheckWriter(scope);
    return [
      statement("let matches = 0;"),
      ...type.members.flatMap((member, index) => {
        const condition = writer.condition(member, { value: "value", path: `${path}${index + 1}`, isLossless });
        if (isNever(condition)) return [];
        const count = statement("matches += 1;");
        return [isAlways(condition) ? count : ifStatement(condition, [count])];
      }),
      statement("return matches === 1;"),
    ];
  }

  /** Returns the condition that a value matches; a check that needs more than an expression becomes a separate function. */
  condition(type: TypeNode, place: Place): Condition {
    switch (type.kind) {
      case "any":
        return all([]);
      case "never":
        return any([]);
      case "null":
      case "boolean":
      case "string":
      case "bytes":
      case "number":
      case "enumeration":
        return leafCondition(leafDemands(type, place, this.#scope));
      case "reference":
        return callTest(call(this.#scope.predicate(type.target), [place.value]));
      case "union":
        return this.#unionCondition(type, place);
      case "intersection":
        return all(type.members.map((member, index) => this.partCondition(member, place, index)));
      case "not":
        return negated(this.partCondition(type.type, place, 0));
      case "conditional":
        return this.#sideCondition(type, place);
      case "unevaluated":
      case "list":
      case "record":
        return callTest(call(this.#scope.part("check", type, place), [place.value]));
      default:
        return type satisfies never;
    }
  }

  #statements(type: TypeNode, place: Place): readonly Statement[] {
    if (isSharedPart(type, place, this.#scope)) return failUnless(this.condition(type, place), place);
    if (type.kind === "record") return this.#recordStatements(type, place);
    if (type.kind === "list") return this.#listStatements(type, place);
    if (type.kind === "union") {
      const nullable = this.#nullableStatements(type, place);
      if (nullable !== undefined) return nullable;
    }
    return failUnless(this.condition(type, place), place);
  }

  /** Returns the statements for a union with a single member that needs a deeper check: the others are distinguished first. */
  #nullableStatements(type: UnionNode, place: Place): readonly Statement[] | undefined {
    const only = type.members.find(needsLookInside);
    if (only === undefined || !hasOneInside(type)) return undefined;
    if (type.mode === "one-of" && !areDisjoint(type.members, this.#scope.model)) return undefined;
    const others = any(
      type.members
        .filter((member) => member !== only)
        .map((member, index) => this.condition(member, { ...place, path: `${place.path}${index + 1}` })),
    );
    const inside = this.#statements(only, place);
    if (isAlways(others) || inside.length === 0) return [];
    const failure = negated(others);
    return isAlways(failure) ? inside : [ifStatement(failure, inside)];
  }

  #unionCondition(type: UnionNode, place: Place): Condition {
    const { mode, members } = type;
    if (mode === "any-of" && members.some((member) => member.kind === "any")) return all([]);
    if (isDecided(type, this.#scope.model)) {
      return callTest(call(this.#scope.part("check", type, place), [place.value]));
    }
    if (mode === "one-of" && !areDisjoint(members, this.#scope.model)) {
      return callTest(call(this.#scope.part("check-exactly-one", type, place), [place.value]));
    }
    return any(members.map((member, index) => this.condition(member, { ...place, path: `${place.path}${index + 1}` })));
  }

  /** Returns the statements for a tagged union: the tag selects the only member that can match. */
  #taggedStatements(type: UnionNode, place: Place): readonly Statement[] {
    const tag = tagOf(type, this.#scope.model);
    if (tag === undefined) throw new Error("A union without a tag is not distinguished by one");
    const { value } = place;
    const local = this.#locals.allocate(tag.property);
    const cases = tag.branches.map(({ values, type: member }, index) => ({
      labels: values.map(stringLiteral),
      body: [returned(this.partCondition(member, place, index))],
    }));
    return [
      failWhen(negated(callTest(`${this.#scope.helper("isRecord")}(${value})`))),
      statement(readMember(local, value, tag.property, this.#scope)),
      switchStatement(local, [...cases, { labels: [], body: [statement("return false;")] }]),
    ];
  }

  #sideCondition(type: ConditionalNode, place: Place): Condition {
    if (type.consequence.kind !== "any" && type.alternative.kind !== "any") {
      return callTest(call(this.#scope.part("check", type, place), [place.value]));
    }
    const condition = this.partCondition(type.condition, place, 0);
    if (type.alternative.kind === "any")
      return any([negated(condition), this.partCondition(type.consequence, place, 1)]);
    return any([condition, this.partCondition(type.alternative, place, 2)]);
  }

  #sideStatements(type: ConditionalNode, place: Place): readonly Statement[] {
    return sides(
      this.partCondition(type.condition, place, 0),
      returned(this.partCondition(type.consequence, place, 1)),
      returned(this.partCondition(type.alternative, place, 2)),
    );
  }

  #unevaluatedStatements(type: UnevaluatedNode, place: Place): readonly Statement[] {
    const evaluation = evaluationOf(type.base, this.#scope.model);
    if (evaluation === undefined) {
      const evaluate = this.#scope.part("evaluate", type.base, { ...place, path: `${place.path}1` });
      return [
        statement(`const seen = new Set<string | number>();`),
        failWhen(negated(callTest(call(evaluate, [place.value, "seen"])))),
        ...this.restStatements(type, place),
        statement("return true;"),
      ];
    }
    const rests = restTypes(type, evaluation);
    return [returned(all([type.base, ...rests].map((part, index) => this.partCondition(part, place, index))))];
  }

  /** Returns the statements for unevaluated members and elements: those that are not in the set `seen`. */
  restStatements({ members, elements }: UnevaluatedNode, place: Place, seen = "seen"): readonly Statement[] {
    const { value } = place;
    const name = this.#locals.allocate("name");
    const member = this.#locals.allocate("member");
    const index = this.#locals.allocate("index");
    const item = this.#locals.allocate("item");
    const memberChecks =
      members === undefined
        ? []
        : this.#statements(members, { ...place, value: member, path: `${place.path}Unevaluated` });
    const elementChecks =
      elements === undefined
        ? []
        : this.#statements(elements, { ...place, value: item, path: `${place.path}UnevaluatedItem` });
    return [
      ...(memberChecks.length === 0
        ? []
        : [
            ifStatement(callTest(`${this.#scope.helper("isRecord")}(${value})`), [
              ...membersLoop([ifStatement(unseen(seen, name), memberChecks)], { name, member, record: value }),
            ]),
          ]),
      ...(elementChecks.length === 0
        ? []
        : [
            ifStatement(callTest(`${this.#scope.helper("isList")}(${value})`), [
              loop(entriesHead(index, item, value), [ifStatement(unseen(seen, index), elementChecks)]),
            ]),
          ]),
    ];
  }

  /**
   * Returns the condition of a member of an intersection or a branch of a conditional, as a separate function: its check must not narrow
   * the type that the next one sees.
   */
  partCondition(type: TypeNode, place: Place, index: number): Condition {
    if (type.kind === "any") return all([]);
    if (type.kind === "never") return any([]);
    if (type.kind === "reference") return this.condition(type, place);
    return callTest(
      call(this.#scope.part("check", type, { ...place, path: `${place.path}${index + 1}` }), [place.value]),
    );
  }

  #recordStatements(type: RecordNode, place: Place): readonly Statement[] {
    const { value } = place;
    const known = new Map<string, string>();
    const inside = [
      ...this.#fieldsStatements(type, place, known),
      ...this.#otherMembers(type, place, known),
      ...this.#memberCounts(type, place),
      ...this.#nameStatements(type, place),
      ...this.#dependencyStatements(type, place),
    ];
    return this.#ofKind(type, callTest(`${this.#scope.helper("isRecord")}(${value})`), inside);
  }

  /**
   * Returns the statements for the fields: those without subschemas before those with, and all required ones before those that are as deep
   * as their values. In nested alternatives, a value of another alternative is then rejected before its parts are checked; otherwise the
   * time would multiply with each level.
   */
  #fieldsStatements(type: RecordNode, place: Place, known: Map<string, string>): readonly Statement[] {
    const { model } = this.#scope;
    const deep = new Set(type.members.filter((field) => hasParts(field, model)));
    const shallow = type.members.filter((field) => !deep.has(field));
    const isNested = deep.size > 1 && [...deep].some((field) => isDeep(field.type, model, deepDeclarations(model)));
    const required = isNested ? [...deep].filter((field) => field.required) : [];
    const present = required.map((field) => negated(hasMember(place.value, field.name)));
    return [
      ...shallow.flatMap((field) => this.#fieldStatements(field, type, place, known)),
      ...(present.length > 1 ? [failWhen(any(present))] : []),
      ...[...deep].flatMap((field) => this.#fieldStatements(field, type, place, known)),
    ];
  }

  /** Returns statements that reject a value of another kind, unless the schema constrains only values of this kind. */
  #ofKind(
    { isKindImplied = false }: { readonly isKindImplied?: boolean },
    isKind: Condition,
    inside: readonly Statement[],
  ): readonly Statement[] {
    if (!isKindImplied) return [failWhen(negated(isKind)), ...inside];
    return inside.length === 0 ? [] : [ifStatement(isKind, inside)];
  }

  #nameStatements({ names }: RecordNode, place: Place): readonly Statement[] {
    if (names === undefined) return [];
    const name = this.#locals.allocate("name");
    const inside = this.#statements(names, { ...place, value: name, path: `${place.path}Key` });
    return inside.length === 0 ? [] : [loop(`for (const ${name} in ${place.value})`, inside)];
  }

  /** Returns the statements for schemas that apply to the complete record if a member is present. */
  #dependencyStatements({ dependencies = [] }: RecordNode, place: Place): readonly Statement[] {
    return dependencies.flatMap(({ property, type }, index): readonly Statement[] => {
      const condition = this.partCondition(type, { ...place, path: `${place.path}With` }, index);
      if (isAlways(condition)) return [];
      return [failWhen(all([hasMember(place.value, property), negated(condition)]))];
    });
  }

  #fieldStatements(
    field: RecordMember,
    record: RecordNode,
    { value, path, isLossless }: Place,
    known: Map<string, string>,
  ): readonly Statement[] {
    const local = this.#locals.allocate(field.name);
    const place = { value: local, path: `${path}${pascalCase(field.name)}`, isLossless };
    // The type of a member without a description in `properties` is given by the patterns and by the type of the other members.
    const inside = field.isUndescribed === true ? [] : this.#statements(field.type, place);
    const isCounted = isClosed(record) && countsMembers(record);
    if (!field.required && inside.length === 0 && !isCounted) return [];
    const read = statement(readMember(local, value, field.name, this.#scope));
    known.set(field.name, local);
    if (field.required) {
      const present =
        field.isUndescribed === true || mayTakeUndefined(field.type, this.#scope.model)
          ? [failWhen(compare(local, "===", "undefined"))]
          : [];
      return [read, ...present, ...inside];
    }
    if (inside.length === 0) return [read];
    const isPresent = compare(local, "!==", "undefined");
    const condition = isSimple(field.type) ? this.condition(field.type, place) : undefined;
    if (field.type.kind === "never") return [read, ...inside];
    if (condition === undefined) return [read, ifStatement(isPresent, inside)];
    return [read, failWhen(all([isPresent, negated(condition)]))];
  }

  /** Returns the statements for members that no field names: none may be present, or all must match. */
  #otherMembers(type: RecordNode, place: Place, known: ReadonlyMap<string, string>): readonly Statement[] {
    const { patterns = [] } = type;
    const additional = additionalOf(type);
    const fields = describedFields(type);
    if (isClosed(type)) return this.#closedStatements(type, place, known);
    if (additional.kind === "any" && patterns.length === 0) return [];
    const name = this.#locals.allocate("name");
    const member = this.#locals.allocate("member");
    const tests = patterns.map(
      ({ pattern }) =>
        (): Condition =>
          callTest(call(`${this.#scope.pattern(pattern, `${place.path}Name`)}.test`, [name])),
    );
    const inside = patterns.flatMap(({ type: patternType }, index): readonly Statement[] => {
      const path = `${place.path}Pattern${index + 1}`;
      const checks = this.#statements(patternType, { ...place, value: member, path });
      const matches = tests[index];
      return checks.length === 0 || matches === undefined ? [] : [ifStatement(matches(), checks)];
    });
    const checks = this.#statements(additional, { ...place, value: member, path: `${place.path}Member` });
    if (checks.length > 0) {
      const named = namedTest(fields, name, place.path, this.#scope);
      const isOther = negated(any([...named, ...tests.map((matches) => matches())]));
      inside.push(...(isAlways(isOther) ? checks : [ifStatement(isOther, checks)]));
    }
    return membersLoop(inside, { name, member, record: place.value });
  }

  /** Returns statements that compare counts instead of names; the names are compared only when the counts differ, which is rare. */
  #closedStatements(
    record: RecordNode,
    { value, path }: Place,
    known: ReadonlyMap<string, string>,
  ): readonly Statement[] {
    const fields = describedFields(record);
    const count = `${this.#scope.helper("countMembers")}(${value})`;
    if (fields.length === 0) return [failWhen(fact(`${count} > 0`))];
    const names = this.#scope.names(
      fields.map((field) => field.name),
      path,
    );
    const others = callTest(`${this.#scope.helper("hasOtherMembers")}(${value}, ${names})`);
    const required = fields.filter((field) => field.required).length;
    const optional = fields.filter((field) => !field.required);
    if (!countsMembers(record)) return [failWhen(others)];
    if (optional.length === 0) {
      return [failWhen(all([fact(`${count} !== ${required}`), others]))];
    }
    const expected = this.#locals.allocate("expected");
    return [
      statement(`let ${expected} = ${required};`),
      ...optional.map((field) => {
        const local = known.get(field.name) ?? "undefined";
        return ifStatement(compare(local, "!==", "undefined"), [statement(`${expected} += 1;`)]);
      }),
      failWhen(all([fact(`${count} !== ${expected}`), others])),
    ];
  }

  #memberCounts({ minProperties, maxProperties }: RecordNode, { value }: Place): readonly Statement[] {
    const bounds = [
      ...(minProperties === undefined ? [] : [`< ${minProperties}`]),
      ...(maxProperties === undefined ? [] : [`> ${maxProperties}`]),
    ];
    return bounds.map((bound) => failWhen(fact(`${this.#scope.helper("countMembers")}(${value}) ${bound}`)));
  }

  #listStatements(type: ListNode, place: Place): readonly Statement[] {
    const { prefix = [], element, minItems = 0, maxItems, uniqueItems = false } = type;
    const { value } = place;
    const length = `${value}.length`;
    const most = element.kind === "never" ? Math.min(prefix.length, maxItems ?? prefix.length) : maxItems;
    const inside = [
      ...(minItems === 0 ? [] : [failWhen(fact(`${length} < ${minItems}`))]),
      ...(most === undefined ? [] : [failWhen(fact(`${length} > ${most}`))]),
      ...prefix.flatMap((member, index) => this.#prefixStatements(member, index, place)),
      ...this.#elementStatements(type, place),
      ...this.containsStatements(type, place),
      ...(uniqueItems ? [failWhen(fact(`${this.#scope.helper("findRepetition")}(${value}) !== undefined`))] : []),
    ];
    return this.#ofKind(type, callTest(`${this.#scope.helper("isList")}(${value})`), inside);
  }

  /** Returns statements that count the elements of a type; if `seen` is needed, their positions are recorded. */
  containsStatements({ contains }: ListNode, place: Place, notes = false): readonly Statement[] {
    if (contains === undefined) return [];
    const { type, minimum, maximum } = contains;
    if (minimum === 0 && maximum === undefined && !notes) return [];
    const matches = this.#locals.allocate("matches");
    const item = this.#locals.allocate("item");
    const index = this.#locals.allocate("index");
    const condition = this.condition(type, { ...place, value: item, path: `${place.path}Contains` });
    const isCounted = minimum > 0 || maximum !== undefined;
    const found = [
      ...(isCounted ? [statement(`${matches} += 1;`)] : []),
      ...(notes ? [statement(`seen.add(${index});`)] : []),
    ];
    const entries = isAlways(condition) ? keysHead(index, place.value) : entriesHead(index, item, place.value);
    const head = notes ? entries : `for (const ${item} of ${place.value})`;
    const counted = isNever(condition)
      ? []
      : isAlways(condition) && !notes
        ? [statement(`${matches} = ${place.value}.length;`)]
        : [loop(head, isAlways(condition) ? found : [ifStatement(condition, found)])];
    return [
      ...(isCounted ? [statement(`let ${matches} = 0;`)] : []),
      ...counted,
      ...(minimum === 0 ? [] : [failWhen(compare(matches, "<", minimum))]),
      ...(maximum === undefined ? [] : [failWhen(compare(matches, ">", maximum))]),
    ];
  }

  #prefixStatements(type: TypeNode, index: number, place: Place): readonly Statement[] {
    const { value, path } = place;
    const local = this.#locals.allocate(`item ${index}`);
    const inside = this.#statements(type, { ...place, value: local, path: `${path}Item${index}` });
    if (inside.length === 0) return [];
    const isThere = compare(`${value}.length`, ">", index);
    return [statement(`const ${local} = ${value}[${index}];`), ifStatement(isThere, inside)];
  }

  #elementStatements({ prefix = [], element }: ListNode, place: Place): readonly Statement[] {
    const { value, path } = place;
    if (element.kind === "never") return [];
    const local = this.#locals.allocate(value === "value" ? "item" : `${value} item`);
    const inside = this.#statements(element, { ...place, value: local, path: `${path}Item` });
    if (inside.length === 0) return [];
    if (prefix.length === 0) return [loop(`for (const ${local} of ${value})`, inside)];
    const index = this.#locals.allocate("index");
    const head = `for (let ${index} = ${prefix.length}; ${index} < ${value}.length; ${index} += 1)`;
    return [loop(head, [statement(`const ${local} = ${value}[${index}];`), ...inside])];
  }
}

function hasParts({ type, isUndescribed }: RecordMember, model: ApiModel): boolean {
  const kinds = kindsOf(type, model);
  return isUndescribed !== true && (kinds.has("object") || kinds.has("array"));
}

/** Returns the fields that `properties` describes. */
export function describedFields({ members: fields }: RecordNode): readonly RecordMember[] {
  return fields.filter((field) => field.isUndescribed !== true);
}

/** Returns whether an object has an own member with that name, as a condition. */
export function hasMember(record: string, name: string): Condition {
  const key = stringLiteral(name);
  if (name in Object.prototype) return callTest(call("Object.hasOwn", [record, key]));
  const member = group(`${record}[`, indent(softline, key), softline, "]");
  return compare(member, "!==", "undefined");
}

/** Returns the head of a loop over a list with its positions. */
export function entriesHead(index: string, item: string, list: string): Code {
  const pair = group("[", indent(softline, index, ",", line, item, trailingComma), softline, "]");
  return ["for (const ", pair, ` of ${list}.entries())`];
}

/** Returns the head of a loop over the positions of a list only. */
export function keysHead(index: string, list: string): Code {
  return `for (const ${index} of ${list}.keys())`;
}

/** Returns the condition that a member or position is not evaluated yet. */
export function unseen(seen: string, key: string): Condition {
  return negated(callTest(`${seen}.has(${key})`));
}

/** Returns `if (!condition) return false;`. */
export function failUnless(condition: Condition, { value }: Place): readonly Statement[] {
  if (isAlways(condition)) return [];
  // A condition that never holds is written as a comparison, so that the compiler does not report the code after it as unreachable.
  return [failWhen(isNever(condition) ? compare(value, "!==", "undefined") : negated(condition))];
}

/** Returns `return condition;`. */
export function returned(condition: Condition): Statement {
  if (isAlways(condition)) return statement("return true;");
  if (isNever(condition)) return statement("return false;");
  const { operator, operands } = operandsOf(condition);
  return statement(returnChain(operator, operands));
}

/** Returns `if (condition) met unmet`, where `met` returns. */
export function sides(condition: Condition, met: Statement, unmet: Statement): readonly Statement[] {
  if (isAlways(condition)) return [met];
  return isNever(condition) ? [unmet] : [ifStatement(condition, [met]), unmet];
}

/** Returns the types of a record or list with the constraints of `unevaluated` on the rest, if the rest is statically known. */
export function restTypes(
  { members, elements, source }: UnevaluatedNode,
  { names, patterns, allMembers, elements: seen }: Evaluation,
): readonly TypeNode[] {
  const anything: TypeNode = { kind: "any", source };
  const record: TypeNode[] =
    members === undefined || members.kind === "any" || allMembers
      ? []
      : [
          {
            kind: "record",
            isKindImplied: true,
            members: [...names].map((name) => ({
              name,
              type: anything,
              required: false,
              access: "read-write",
              arguments: [],
              source,
            })),
            patterns: patterns.map((pattern) => ({ pattern, type: anything })),
            additional: members,
            source,
          },
        ];
  const list: TypeNode[] =
    elements === undefined || elements.kind === "any" || seen === Number.POSITIVE_INFINITY
      ? []
      : [
          {
            kind: "list",
            isKindImplied: true,
            prefix: Array.from({ length: seen }, () => anything),
            element: elements,
            source,
          },
        ];
  return [...record, ...list];
}

/** Returns whether a property of the value decides which member of a union can match. */
function isDecided(type: UnionNode, model: ApiModel): boolean {
  return tagOf(type, model)?.isDecisive === true;
}

/** Returns whether a record inside a type also occurs elsewhere, so that a separate function checks it. */
export function isSharedPart(type: TypeNode, { value }: Place, scope: ValidatorScope): boolean {
  return type.kind === "record" && value !== "value" && scope.isShared(type);
}

/** Returns a condition that `name` is one of a record's fields; undefined where it has none. */
export function namedTest(
  fields: readonly RecordMember[],
  name: string,
  path: string,
  scope: ValidatorScope,
): readonly Condition[] {
  if (fields.length === 0) return [];
  const names = scope.names(
    fields.map((field) => field.name),
    path,
  );
  return [callTest(call(`${names}.has`, [name]))];
}

/** Returns a loop over a record's members, which reads a member only where `inside` uses it. */
export function membersLoop(
  inside: readonly Statement[],
  { name, member, record }: { readonly name: string; readonly member: string; readonly record: string },
): readonly Statement[] {
  if (inside.length === 0) return [];
  const isRead = new RegExp(`\\b${member}\\b`).test(renderCode(statementsCode(inside)));
  const read = isRead ? [statement(`const ${member} = ${record}[${name}];`)] : [];
  return [loop(`for (const ${name} in ${record})`, [...read, ...inside])];
}

/** Returns `const txid = value["txid"];`, without inherited properties. */
export function readMember(local: string, record: string, name: string, scope: ValidatorScope): Code {
  const key = stringLiteral(name);
  const member = group(`${record}[`, indent(softline, key), softline, "]");
  if (!(name in Object.prototype)) return group(`const ${local} =`, indent(line, member), ";");
  return [assignment(`const ${local}`, call(scope.helper("ownMember"), [record, key])), ";"];
}

/**
 * Maximum number of fields for which the members of a closed record are counted first; with more, TypeScript would lose the control flow.
 */
const maximumCounted = 200;

function countsMembers({ members: fields }: RecordNode): boolean {
  return fields.length <= maximumCounted;
}

function isClosed({ additional, patterns = [] }: RecordNode): boolean {
  return additional?.kind === "never" && patterns.length === 0;
}

/** Returns whether exactly one member of a union needs separate statements. */
function hasOneInside({ members }: UnionNode): boolean {
  return members.filter(needsLookInside).length === 1;
}

function needsLookInside(type: TypeNode): boolean {
  return type.kind === "record" || type.kind === "list";
}

/** Returns whether a check is a single expression that can be combined with another. */
function isSimple(type: TypeNode): boolean {
  return type.kind !== "record" && type.kind !== "list" && type.kind !== "union";
}
