import {
  type ListNode,
  pascalCase,
  type RecordField,
  type RecordNode,
  type TypeNode,
  type UnionNode,
} from "@nodewright/model";
import {
  assignment,
  call,
  type Code,
  group,
  indent,
  line,
  predicateName,
  renderCode,
  returnChain,
  softline,
  stringLiteral,
} from "@nodewright/output";
import { all, any, callTest, type Condition, fact, isAlways, isNever, negated, operandsOf, test } from "./condition.ts";
import { leafCondition, leafDemands } from "./leaf-condition.ts";
import { failWhen, loop, type Statement, statement, statementsCode, when } from "./statement.ts";
import { LocalNames, type ValidatorScope } from "./validator-scope.ts";
import { areDisjoint, mayTakeUndefined } from "./value-kind.ts";

/** Where a check stands: the expression of the value, and the words that name the place. */
export interface Place {
  readonly value: string;
  readonly path: string;
  /** True where numbers are read without loss, so that a wire number may be a bigint. */
  readonly isLossless: boolean;
}

/** Writes the boolean form of a validator: the body returns false at the first demand that is not met. */
export class CheckWriter {
  readonly #scope: ValidatorScope;
  readonly #locals = new LocalNames();

  constructor(scope: ValidatorScope) {
    this.#scope = scope;
  }

  /** The body of a function that checks its parameter `value`. */
  static body(type: TypeNode, path: string, scope: ValidatorScope, isLossless: boolean): readonly Statement[] {
    const writer = new CheckWriter(scope);
    const place = { value: "value", path, isLossless };
    if (type.kind === "any") return [statement("return value !== undefined;")];
    if (type.kind === "never") return [statement("return false;")];
    if (!isSimple(type) && !(type.kind === "union" && !hasOneInside(type))) {
      return [...writer.#statements(type, place), statement("return true;")];
    }
    const { operator, operands } = operandsOf(writer.condition(type, place));
    return [statement(operands.length === 0 ? "return value !== undefined;" : returnChain(operator, operands))];
  }

  /** The body of a function that counts which members of a union match `value`. */
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
        return [isAlways(condition) ? count : when(condition, [count])];
      }),
      statement("return matches === 1;"),
    ];
  }

  /** The condition that a value matches; what needs more than an expression becomes a function of its own. */
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
        return callTest(call(predicateName(type.target), [place.value]));
      case "union":
        return this.#unionCondition(type, place);
      case "intersection":
        return all(type.members.map((member, index) => this.#partCondition(member, place, index)));
      case "not":
        return negated(this.#partCondition(type.type, place, 0));
      case "conditional": {
        const [condition, consequence, alternative] = [type.condition, type.consequence, type.alternative].map(
          (part, index) => this.#partCondition(part, place, index),
        );
        if (condition === undefined || consequence === undefined || alternative === undefined) return all([]);
        return all([any([negated(condition), consequence]), any([condition, alternative])]);
      }
      case "unevaluated":
        return this.condition(type.base, place);
      case "list":
      case "record":
        return callTest(call(this.#scope.part("check", type, place), [place.value]));
      default:
        return type satisfies never;
    }
  }

  #statements(type: TypeNode, place: Place): readonly Statement[] {
    if (type.kind === "record") return this.#recordStatements(type, place);
    if (type.kind === "list") return this.#listStatements(type, place);
    if (type.kind === "union") {
      const nullable = this.#nullableStatements(type, place);
      if (nullable !== undefined) return nullable;
    }
    return this.#failUnless(this.condition(type, place), place);
  }

  #failUnless(condition: Condition, { value }: Place): readonly Statement[] {
    if (isAlways(condition)) return [];
    const failure = negated(condition);
    // What never matches is written as a comparison, so that the compiler does not find code after it unreachable.
    return [failWhen(isAlways(failure) ? test(`${value} !== undefined`, `${value} === undefined`) : failure)];
  }

  /** A union of which one member alone needs a look inside: the others are told apart first. */
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
    return isAlways(failure) ? inside : [when(failure, inside)];
  }

  #unionCondition(type: UnionNode, place: Place): Condition {
    const { mode, members } = type;
    if (mode === "one-of" && !areDisjoint(members, this.#scope.model)) {
      return callTest(call(this.#scope.part("check-exactly-one", type, place), [place.value]));
    }
    return any(members.map((member, index) => this.condition(member, { ...place, path: `${place.path}${index + 1}` })));
  }

  /** Members of an intersection are functions of their own: a check of one must not narrow the type that the next sees. */
  #partCondition(type: TypeNode, place: Place, index: number): Condition {
    if (type.kind === "any") return all([]);
    if (type.kind === "reference") return this.condition(type, place);
    return callTest(
      call(this.#scope.part("check", type, { ...place, path: `${place.path}${index + 1}` }), [place.value]),
    );
  }

  #recordStatements(type: RecordNode, place: Place): readonly Statement[] {
    const { value } = place;
    const known = new Map<string, string>();
    const fields = type.fields.flatMap((field) => this.#fieldStatements(field, type, place, known));
    return [
      failWhen(negated(callTest(`${this.#scope.helper("isRecord")}(${value})`))),
      ...fields,
      ...this.#otherMembers(type, place, known),
      ...this.#memberCounts(type, place),
    ];
  }

  #fieldStatements(
    field: RecordField,
    record: RecordNode,
    { value, path, isLossless }: Place,
    known: Map<string, string>,
  ): readonly Statement[] {
    const local = this.#locals.allocate(field.name);
    const place = { value: local, path: `${path}${pascalCase(field.name)}`, isLossless };
    const inside = this.#statements(field.type, place);
    const isCounted = isClosed(record);
    if (!field.required && inside.length === 0 && !isCounted) return [];
    const read = statement(readMember(local, value, field.name, this.#scope));
    known.set(field.name, local);
    if (field.required) {
      const present = mayTakeUndefined(field.type, this.#scope.model)
        ? [failWhen(test(`${local} === undefined`, `${local} !== undefined`))]
        : [];
      return [read, ...present, ...inside];
    }
    if (inside.length === 0) return [read];
    const isPresent = test(`${local} !== undefined`, `${local} === undefined`);
    const condition = isSimple(field.type) ? this.condition(field.type, place) : undefined;
    if (field.type.kind === "never") return [read, ...inside];
    if (condition === undefined) return [read, when(isPresent, inside)];
    return [read, failWhen(all([isPresent, negated(condition)]))];
  }

  /** Members that no field names: none may be there, or all have to match. */
  #otherMembers(type: RecordNode, place: Place, known: ReadonlyMap<string, string>): readonly Statement[] {
    const { fields, patterns, additional } = type;
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
      return checks.length === 0 || matches === undefined ? [] : [when(matches(), checks)];
    });
    const checks = this.#statements(additional, { ...place, value: member, path: `${place.path}Member` });
    if (checks.length > 0) {
      const named = namedTest(fields, name, place.path, this.#scope);
      const isOther = negated(any([...named, ...tests.map((matches) => matches())]));
      inside.push(...(isAlways(isOther) ? checks : [when(isOther, checks)]));
    }
    return membersLoop(inside, { name, member, record: place.value });
  }

  /** Counts instead of comparing names: a count that differs, which is rare, is looked into. */
  #closedStatements(
    { fields }: RecordNode,
    { value, path }: Place,
    known: ReadonlyMap<string, string>,
  ): readonly Statement[] {
    const count = `${this.#scope.helper("countMembers")}(${value})`;
    if (fields.length === 0) return [failWhen(fact(`${count} > 0`))];
    const names = this.#scope.names(
      fields.map((field) => field.name),
      path,
    );
    const others = callTest(`${this.#scope.helper("hasOtherMembers")}(${value}, ${names})`);
    const required = fields.filter((field) => field.required).length;
    const optional = fields.filter((field) => !field.required);
    if (optional.length === 0) {
      return [failWhen(all([fact(`${count} !== ${required}`), others]))];
    }
    const expected = this.#locals.allocate("expected");
    return [
      statement(`let ${expected} = ${required};`),
      ...optional.map((field) => {
        const local = known.get(field.name) ?? "undefined";
        return when(test(`${local} !== undefined`, `${local} === undefined`), [statement(`${expected} += 1;`)]);
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
    const { prefix, element, minItems = 0, maxItems, uniqueItems = false } = type;
    const { value } = place;
    const length = `${value}.length`;
    const most = element.kind === "never" ? Math.min(prefix.length, maxItems ?? prefix.length) : maxItems;
    return [
      failWhen(negated(callTest(`${this.#scope.helper("isList")}(${value})`))),
      ...(minItems === 0 ? [] : [failWhen(fact(`${length} < ${minItems}`))]),
      ...(most === undefined ? [] : [failWhen(fact(`${length} > ${most}`))]),
      ...prefix.flatMap((member, index) => this.#prefixStatements(member, index, place)),
      ...this.#elementStatements(type, place),
      ...(uniqueItems ? [failWhen(fact(`${this.#scope.helper("findRepetition")}(${value}) !== undefined`))] : []),
    ];
  }

  #prefixStatements(type: TypeNode, index: number, place: Place): readonly Statement[] {
    const { value, path } = place;
    const local = this.#locals.allocate(`item ${index}`);
    const inside = this.#statements(type, { ...place, value: local, path: `${path}Item${index}` });
    if (inside.length === 0) return [];
    const isThere = test(`${value}.length > ${index}`, `${value}.length <= ${index}`);
    return [statement(`const ${local} = ${value}[${index}];`), when(isThere, inside)];
  }

  #elementStatements({ prefix, element }: ListNode, place: Place): readonly Statement[] {
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

/** Whether `name` is one of a record's fields; nothing where it has none. */
export function namedTest(
  fields: readonly RecordField[],
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

/** A loop over a record's members, which reads a member only where `inside` looks at it. */
export function membersLoop(
  inside: readonly Statement[],
  { name, member, record }: { readonly name: string; readonly member: string; readonly record: string },
): readonly Statement[] {
  if (inside.length === 0) return [];
  const isRead = new RegExp(`\\b${member}\\b`).test(renderCode(statementsCode(inside)));
  const read = isRead ? [statement(`const ${member} = ${record}[${name}];`)] : [];
  return [loop(`for (const ${name} in ${record})`, [...read, ...inside])];
}

/** `const txid = value["txid"];`, without what an object inherits. */
export function readMember(local: string, record: string, name: string, scope: ValidatorScope): Code {
  const key = stringLiteral(name);
  const member = group(`${record}[`, indent(softline, key), softline, "]");
  if (!(name in Object.prototype)) return group(`const ${local} =`, indent(line, member), ";");
  return [assignment(`const ${local}`, call(scope.helper("ownMember"), [record, key])), ";"];
}

/** Whether a record may have no members but those that its fields name. */
function isClosed({ additional, patterns }: RecordNode): boolean {
  return additional.kind === "never" && patterns.length === 0;
}

/** Whether exactly one member of a union needs statements of its own. */
function hasOneInside({ members }: UnionNode): boolean {
  return members.filter(needsLookInside).length === 1;
}

function needsLookInside(type: TypeNode): boolean {
  return type.kind === "record" || type.kind === "list";
}

/** Whether a check is a single expression that may stand beside another. */
function isSimple(type: TypeNode): boolean {
  return type.kind !== "record" && type.kind !== "list" && type.kind !== "union";
}
