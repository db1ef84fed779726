import {
  type ListNode,
  pascalCase,
  type RecordField,
  type RecordNode,
  type TypeNode,
  type UnionNode,
} from "@nodewright/model";
import {
  call,
  type Code,
  group,
  indent,
  line,
  softline,
  stringLiteral,
  templateText,
  trailingComma,
} from "@nodewright/output";
import { CheckWriter, membersLoop, namedTest, type Place, readMember } from "./check-writer.ts";
import { all, any, callTest, type Condition, fact, isAlways, isNever, negated, test } from "./condition.ts";
import { type Demand, type LeafDemands, leafDemands } from "./leaf-condition.ts";
import { loop, type Statement, statement, when } from "./statement.ts";
import { LocalNames, type ValidatorScope } from "./validator-scope.ts";
import { areDisjoint, kindsOf, type ValueKind } from "./value-kind.ts";

/** A place with the JSON Pointer to it, as the text of a template literal. */
interface ReportPlace extends Place {
  readonly pointer: string;
}

/** The pointer that the function was given. */
const rootPointer = `\${pointer}`;

/** The name of the function that reports on a declaration's values. */
export function reportName(typeName: string): string {
  return `report${typeName}`;
}

/** Writes the form of a validator that notes every violation in the list `violations`. */
export class ReportWriter {
  readonly #scope: ValidatorScope;
  readonly #checks: CheckWriter;
  readonly #locals = new LocalNames();

  constructor(scope: ValidatorScope) {
    this.#scope = scope;
    this.#checks = new CheckWriter(scope);
  }

  /** The body of a function of `value`, `pointer` and `violations`. */
  static body(type: TypeNode, path: string, scope: ValidatorScope, isLossless: boolean): readonly Statement[] {
    return new ReportWriter(scope).#statements(type, { value: "value", path, isLossless, pointer: rootPointer });
  }

  #statements(type: TypeNode, place: ReportPlace): readonly Statement[] {
    switch (type.kind) {
      case "any":
        return [];
      case "never":
        return [this.#violate(place, "false schema", "boolean schema is false")];
      case "null":
      case "boolean":
      case "string":
      case "bytes":
      case "number":
      case "enumeration":
        return this.#leafStatements(leafDemands(type, place, this.#scope), place);
      case "reference":
        return [this.#delegate(reportName(type.target), place)];
      case "intersection":
        return type.members.flatMap((member, index) => this.#partStatements(member, place, index));
      case "union":
        return this.#unionStatements(type, place);
      case "not":
        return [when(negated(this.#checks.condition(type, place)), [this.#violate(place, "not", "must NOT be valid")])];
      case "conditional":
        return [
          when(
            this.#checks.condition(type.condition, place),
            this.#partStatements(type.consequence, place, 1),
            this.#partStatements(type.alternative, place, 2),
          ),
        ];
      case "unevaluated":
        return this.#statements(type.base, place);
      case "list":
        return this.#listStatements(type, place);
      case "record":
        return this.#recordStatements(type, place);
      default:
        return type satisfies never;
    }
  }

  #leafStatements({ type, others }: LeafDemands, place: ReportPlace): readonly Statement[] {
    return this.#demand(
      type,
      place,
      others.flatMap((other) => this.#demand(other, place)),
    );
  }

  #demand(
    { keyword, message, condition }: Demand,
    place: ReportPlace,
    met: readonly Statement[] = [],
  ): readonly Statement[] {
    const failure = this.#violate(place, keyword, message);
    if (isNever(condition)) return [failure];
    return [when(negated(condition), [failure], met)];
  }

  #partStatements(type: TypeNode, place: ReportPlace, index: number): readonly Statement[] {
    if (type.kind === "any") return [];
    if (type.kind === "reference" || type.kind === "never") return this.#statements(type, place);
    return [this.#delegate(this.#scope.part("report", type, { ...place, path: `${place.path}${index + 1}` }), place)];
  }

  /** Where the members' kinds tell them apart, the one of the value's kind is reported on; else those that could be meant. */
  #unionStatements(type: UnionNode, place: ReportPlace): readonly Statement[] {
    const { model } = this.#scope;
    const members = type.members.filter((member) => member.kind !== "never");
    if (areDisjoint(members, model)) return this.#disjointStatements(members, place);
    const isMatch = this.#checks.condition(type, place);
    if (isAlways(isMatch)) return [];
    const keyword = type.mode === "one-of" ? "oneOf" : "anyOf";
    const message = type.mode === "one-of" ? "must match exactly one schema in oneOf" : "must match a schema in anyOf";
    const candidates = members.flatMap((member, index): Statement[] => {
      const isKind = this.#kindCondition(kindsOf(member, model), place);
      if (member.kind === "any" || isNever(isKind)) return [];
      const inside = this.#partStatements(member, place, index);
      return isAlways(isKind) ? [...inside] : [when(isKind, inside)];
    });
    return [when(negated(isMatch), [this.#violate(place, keyword, message), ...candidates])];
  }

  #disjointStatements(members: readonly TypeNode[], place: ReportPlace): readonly Statement[] {
    const { model } = this.#scope;
    const kinds = members.flatMap((member) => [...kindsOf(member, model)]);
    const possible = members.filter((member) => kindsOf(member, model).size > 0);
    const branches = possible.map((member, index) => ({
      isKind: this.#kindCondition(kindsOf(member, model), place),
      inside:
        member.kind === "union"
          ? this.#partStatements(member, place, index)
          : this.#insideOf(member, { ...place, path: `${place.path}${index + 1}` }),
    }));
    const plain = any(branches.filter(({ inside }) => inside.length === 0).map(({ isKind }) => isKind));
    const deep = branches.filter(({ inside }) => inside.length > 0);
    const failure = this.#violate(place, "type", `must be ${kinds.join(" or ")}`);
    let rest: readonly Statement[] = isAlways(plain)
      ? []
      : isNever(plain)
        ? [failure]
        : [when(negated(plain), [failure])];
    for (const { isKind, inside } of deep.toReversed()) {
      rest = isAlways(isKind) ? inside : [when(isKind, inside, rest)];
    }
    return rest;
  }

  /** What remains to be said of a value that has the type's kind. */
  #insideOf(type: TypeNode, place: ReportPlace): readonly Statement[] {
    if (type.kind === "null" || type.kind === "boolean" || type.kind === "bytes") return [];
    if (type.kind === "string") {
      const { others } = leafDemands(type, place, this.#scope);
      return others.flatMap((other) => this.#demand(other, place));
    }
    return this.#statements(type, place);
  }

  #recordStatements(type: RecordNode, place: ReportPlace): readonly Statement[] {
    const isRecord = callTest(`${this.#scope.helper("isRecord")}(${place.value})`);
    const inside = [
      ...type.fields.flatMap((field) => this.#fieldStatements(field, place)),
      ...this.#otherMembers(type, place),
      ...this.#memberCounts(type, place),
    ];
    return [when(negated(isRecord), [this.#violate(place, "type", "must be object")], inside)];
  }

  #fieldStatements(field: RecordField, place: ReportPlace): readonly Statement[] {
    const local = this.#locals.allocate(field.name);
    const inside = this.#statements(field.type, {
      ...place,
      value: local,
      path: `${place.path}${pascalCase(field.name)}`,
      pointer: `${place.pointer}/${templateText(escapeToken(field.name))}`,
    });
    if (!field.required && inside.length === 0) return [];
    const read = statement(readMember(local, place.value, field.name, this.#scope));
    const isAbsent = test(`${local} === undefined`, `${local} !== undefined`);
    if (!field.required) return [read, when(negated(isAbsent), inside)];
    const parameters = ["violations", pointerCode(place.pointer), stringLiteral(field.name)];
    const failure = statement([call(this.#scope.helper("missing"), parameters), ";"]);
    return [read, when(isAbsent, [failure], inside)];
  }

  #otherMembers(type: RecordNode, place: ReportPlace): readonly Statement[] {
    const { fields, patterns, additional } = type;
    if (additional.kind === "any" && patterns.length === 0) return [];
    const name = this.#locals.allocate("name");
    const member = this.#locals.allocate("member");
    const memberPlace = {
      ...place,
      value: member,
      pointer: `${place.pointer}/\${${this.#scope.helper("escapeToken")}(${name})}`,
    };
    const tests = patterns.map(
      ({ pattern }) =>
        (): Condition =>
          callTest(call(`${this.#scope.pattern(pattern, `${place.path}Name`)}.test`, [name])),
    );
    const inside = patterns.flatMap(({ type: patternType }, index): readonly Statement[] => {
      const reports = this.#statements(patternType, { ...memberPlace, path: `${place.path}Pattern${index + 1}` });
      const matches = tests[index];
      return reports.length === 0 || matches === undefined ? [] : [when(matches(), reports)];
    });
    const reports =
      additional.kind === "never"
        ? [this.#violate(memberPlace, "additionalProperties", "must NOT have additional properties")]
        : this.#statements(additional, { ...memberPlace, path: `${place.path}Member` });
    if (reports.length > 0) {
      const named = namedTest(fields, name, place.path, this.#scope);
      const isOther = negated(any([...named, ...tests.map((matches) => matches())]));
      inside.push(...(isAlways(isOther) ? reports : [when(isOther, reports)]));
    }
    return membersLoop(inside, { name, member, record: place.value });
  }

  #memberCounts({ minProperties, maxProperties }: RecordNode, place: ReportPlace): readonly Statement[] {
    const count = (): string => `${this.#scope.helper("countMembers")}(${place.value})`;
    return [
      ...(minProperties === undefined
        ? []
        : [
            this.#violateWhen(
              `${count()} < ${minProperties}`,
              place,
              "minProperties",
              `must NOT have fewer than ${minProperties} properties`,
            ),
          ]),
      ...(maxProperties === undefined
        ? []
        : [
            this.#violateWhen(
              `${count()} > ${maxProperties}`,
              place,
              "maxProperties",
              `must NOT have more than ${maxProperties} properties`,
            ),
          ]),
    ];
  }

  #listStatements(type: ListNode, place: ReportPlace): readonly Statement[] {
    const isList = callTest(`${this.#scope.helper("isList")}(${place.value})`);
    const inside = [
      ...this.#lengthStatements(type, place),
      ...type.prefix.flatMap((member, index) => this.#prefixStatements(member, index, place)),
      ...this.#elementStatements(type, place),
      ...(type.uniqueItems === true ? this.#uniqueStatements(place) : []),
    ];
    return [when(negated(isList), [this.#violate(place, "type", "must be array")], inside)];
  }

  #lengthStatements({ minItems = 0, maxItems, prefix, element }: ListNode, place: ReportPlace): readonly Statement[] {
    const length = `${place.value}.length`;
    return [
      ...(minItems === 0
        ? []
        : [
            this.#violateWhen(
              `${length} < ${minItems}`,
              place,
              "minItems",
              `must NOT have fewer than ${minItems} items`,
            ),
          ]),
      ...(maxItems === undefined
        ? []
        : [
            this.#violateWhen(
              `${length} > ${maxItems}`,
              place,
              "maxItems",
              `must NOT have more than ${maxItems} items`,
            ),
          ]),
      ...(element.kind !== "never"
        ? []
        : [
            this.#violateWhen(
              `${length} > ${prefix.length}`,
              place,
              "items",
              `must NOT have more than ${prefix.length} items`,
            ),
          ]),
    ];
  }

  #prefixStatements(type: TypeNode, index: number, place: ReportPlace): readonly Statement[] {
    const local = this.#locals.allocate(`item ${index}`);
    const inside = this.#statements(type, {
      ...place,
      value: local,
      path: `${place.path}Item${index}`,
      pointer: `${place.pointer}/${index}`,
    });
    if (inside.length === 0) return [];
    const read = type.kind === "never" ? [] : [statement(`const ${local} = ${place.value}[${index}];`)];
    return [...read, when(fact(`${place.value}.length > ${index}`), inside)];
  }

  #elementStatements({ prefix, element }: ListNode, place: ReportPlace): readonly Statement[] {
    if (element.kind === "never") return [];
    const local = this.#locals.allocate(place.value === "value" ? "item" : `${place.value} item`);
    const index = this.#locals.allocate("index");
    const inside = this.#statements(element, {
      ...place,
      value: local,
      path: `${place.path}Item`,
      pointer: `${place.pointer}/\${${index}}`,
    });
    if (inside.length === 0) return [];
    if (prefix.length === 0) {
      const pair = group("[", indent(softline, index, ",", line, local, trailingComma), softline, "]");
      return [loop(["for (const ", pair, ` of ${place.value}.entries())`], inside)];
    }
    const head = `for (let ${index} = ${prefix.length}; ${index} < ${place.value}.length; ${index} += 1)`;
    return [loop(head, [statement(`const ${local} = ${place.value}[${index}];`), ...inside])];
  }

  #uniqueStatements(place: ReportPlace): readonly Statement[] {
    const repetition = this.#locals.allocate("repetition");
    const message = `\`must NOT have duplicate items (items ## \${${repetition}[0]} and \${${repetition}[1]} are identical)\``;
    return [
      statement(`const ${repetition} = ${this.#scope.helper("findRepetition")}(${place.value});`),
      when(test(`${repetition} !== undefined`, `${repetition} === undefined`), [
        this.#violate(place, "uniqueItems", undefined, message),
      ]),
    ];
  }

  #kindCondition(kinds: ReadonlySet<ValueKind>, place: Place): Condition {
    if (kinds.size === 7) return all([]);
    return any([...kinds].map((kind) => this.#kindTest(kind, place)));
  }

  #kindTest(kind: ValueKind, { value, isLossless }: Place): Condition {
    switch (kind) {
      case "null":
        return test(`${value} === null`, `${value} !== null`);
      case "array":
        return callTest(`${this.#scope.helper("isList")}(${value})`);
      case "object":
        return callTest(`${this.#scope.helper("isRecord")}(${value})`);
      case "bytes":
        return test(`${value} instanceof Uint8Array`, `!(${value} instanceof Uint8Array)`);
      case "number":
        return isLossless
          ? any([typeofTest(value, "number"), typeofTest(value, "bigint")])
          : typeofTest(value, "number");
      case "boolean":
      case "string":
        return typeofTest(value, kind);
      default:
        return kind satisfies never;
    }
  }

  #violateWhen(condition: string, place: ReportPlace, keyword: string, message: string): Statement {
    return when(fact(condition), [this.#violate(place, keyword, message)]);
  }

  #violate({ pointer }: ReportPlace, keyword: string, message: string | undefined, messageCode?: Code): Statement {
    const text = messageCode ?? stringLiteral(message ?? "");
    const parameters = ["violations", pointerCode(pointer), stringLiteral(keyword), text];
    return statement([call(this.#scope.helper("violate"), parameters), ";"]);
  }

  #delegate(name: string, { value, pointer }: ReportPlace): Statement {
    return statement([call(name, [value, pointerCode(pointer), "violations"]), ";"]);
  }
}

function typeofTest(value: string, name: string): Condition {
  return test(`typeof ${value} === "${name}"`, `typeof ${value} !== "${name}"`);
}

/** RFC 6901, section 3. */
function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function pointerCode(pointer: string): string {
  return pointer === rootPointer ? "pointer" : `\`${pointer}\``;
}
