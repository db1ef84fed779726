import {
  additionalOf,
  type ConditionalNode,
  type ListNode,
  type NotNode,
  pascalCase,
  type RecordMember,
  type RecordNode,
  type TypeNode,
  type UnevaluatedNode,
  type UnionNode,
} from "@nodewright/model";
import { call, type Code, stringLiteral, templateText } from "@nodewright/output";
import {
  CheckWriter,
  isSharedPart,
  describedFields,
  entriesHead,
  hasMember,
  keysHead,
  membersLoop,
  namedTest,
  readMember,
  restTypes,
  unseen,
} from "./check-writer.ts";
import type { Place } from "./leaf-condition.ts";
import {
  all,
  any,
  bytesTest,
  callTest,
  compare,
  type Condition,
  fact,
  isAlways,
  isNever,
  negated,
  typeofTest,
} from "./condition.ts";
import { evaluationOf } from "./evaluation.ts";
import { type Demand, type LeafDemands, leafDemands } from "./leaf-condition.ts";
import { switchStatement, loop, type Statement, statement, ifStatement } from "./statement.ts";
import { type Tag, tagOf } from "../contract/tag.ts";
import { LocalNames, reportName, type ValidatorScope } from "./validator-scope.ts";
import { areDisjoint, kindNames, kindsOf, type ValueKind } from "../contract/value-kind.ts";

/** A place with the JSON Pointer to it, as the text of a template literal. */
interface ReportPlace extends Place {
  readonly pointer: string;
  /** Whether unevaluated parts are checked: the keyword is then `unevaluatedProperties` or `unevaluatedItems`. */
  readonly isRest?: boolean;
}

/** Pointer argument of the function. */
const rootPointer = `\${pointer}`;

/** Writes the form of a validator that adds every violation to the list `violations`. */
export class ReportWriter {
  readonly #scope: ValidatorScope;
  readonly #checks: CheckWriter;
  readonly #locals = new LocalNames();

  constructor(scope: ValidatorScope) {
    this.#scope = scope;
    this.#checks = new CheckWriter(scope);
  }

  /** Returns the body of a function of `value`, `pointer` and `violations`. */
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
        return this.#negationStatements(type, place);
      case "conditional":
        return this.#sideStatements(type, place);
      case "unevaluated":
        return this.#unevaluatedStatements(type, place);
      case "list":
        return this.#listStatements(type, place);
      case "record":
        if (!isSharedPart(type, place, this.#scope)) return this.#recordStatements(type, place);
        return [this.#delegate(this.#scope.part("report", type, place), place)];
      default:
        return type satisfies never;
    }
  }

  #leafStatements({ type, others, isKindImplied }: LeafDemands, place: ReportPlace): readonly Statement[] {
    const inside = others.flatMap((other) => this.#demand(other, place));
    if (!isKindImplied) return this.#demand(type, place, inside);
    return inside.length === 0 ? [] : [ifStatement(type.condition, inside)];
  }

  #negationStatements(type: NotNode, place: ReportPlace): readonly Statement[] {
    const failure = this.#checks.partCondition(type.type, place, 0);
    if (isNever(failure)) return [];
    const violation = this.#violate(place, "not", "must NOT be valid");
    return [isAlways(failure) ? violation : ifStatement(failure, [violation])];
  }

  /** Returns the statements of the branch that the condition selects, and a report of which branch that is. */
  #sideStatements({ condition, consequence, alternative }: ConditionalNode, place: ReportPlace): readonly Statement[] {
    const isMet = this.#checks.partCondition(condition, place, 0);
    const sides = [consequence, alternative].map((side, index): readonly Statement[] => {
      const inside = this.#partStatements(side, place, index + 1);
      if (inside.length === 0) return [];
      const before = this.#locals.allocate("before");
      const text = `must match "${index === 0 ? "then" : "else"}" schema`;
      return [
        statement(`const ${before} = violations.length;`),
        ...inside,
        ifStatement(compare("violations.length", ">", before), [this.#violate(place, "if", text)]),
      ];
    });
    const [met = [], unmet = []] = sides;
    if (isAlways(isMet)) return met;
    if (isNever(isMet)) return unmet;
    if (met.length === 0) return unmet.length === 0 ? [] : [ifStatement(negated(isMet), unmet)];
    return [ifStatement(isMet, met, unmet)];
  }

  /** Returns the statements of the base, then of the unevaluated parts; where these depend on the value, only once the base matches. */
  #unevaluatedStatements(type: UnevaluatedNode, place: ReportPlace): readonly Statement[] {
    const evaluation = evaluationOf(type.base, this.#scope.model);
    const base = this.#partStatements(type.base, place, 0);
    if (evaluation !== undefined) {
      const rests = restTypes(type, evaluation);
      const restPlace = { ...place, path: `${place.path}Rest`, isRest: true };
      return [...base, ...rests.flatMap((rest) => this.#statements(rest, restPlace))];
    }
    const evaluate = this.#scope.part("evaluate", type.base, { ...place, path: `${place.path}1` });
    const seen = this.#locals.allocate("seen");
    const rest = this.#restStatements(type, place, seen);
    if (rest.length === 0) return base;
    return [
      ...base,
      statement(`const ${seen} = new Set<string | number>();`),
      ifStatement(callTest(call(evaluate, [place.value, seen])), rest),
    ];
  }

  #restStatements({ members, elements }: UnevaluatedNode, place: ReportPlace, seen: string): readonly Statement[] {
    const restPlace = { ...place, path: `${place.path}Rest`, isRest: true };
    const name = this.#locals.allocate("name");
    const member = this.#locals.allocate("member");
    const index = this.#locals.allocate("index");
    const item = this.#locals.allocate("item");
    const memberReports =
      members === undefined ? [] : this.#otherStatements(members, memberPlace(restPlace, name, member, this.#scope));
    const elementReports =
      elements === undefined
        ? []
        : this.#otherElementStatements(elements, {
            ...restPlace,
            value: item,
            pointer: `${place.pointer}/\${${index}}`,
          });
    return [
      ...(memberReports.length === 0
        ? []
        : [
            ifStatement(callTest(`${this.#scope.helper("isRecord")}(${place.value})`), [
              ...membersLoop([ifStatement(unseen(seen, name), memberReports)], { name, member, record: place.value }),
            ]),
          ]),
      ...(elementReports.length === 0
        ? []
        : [
            ifStatement(callTest(`${this.#scope.helper("isList")}(${place.value})`), [
              loop(elements?.kind === "never" ? keysHead(index, place.value) : entriesHead(index, item, place.value), [
                ifStatement(unseen(seen, index), elementReports),
              ]),
            ]),
          ]),
    ];
  }

  #demand(
    { keyword, message, condition }: Demand,
    place: ReportPlace,
    met: readonly Statement[] = [],
  ): readonly Statement[] {
    const failure = this.#violate(place, keyword, message);
    if (isNever(condition)) return [failure];
    return [ifStatement(negated(condition), [failure], met)];
  }

  #partStatements(type: TypeNode, place: ReportPlace, index: number): readonly Statement[] {
    if (type.kind === "any") return [];
    if (type.kind === "reference" || type.kind === "never") return this.#statements(type, place);
    return [this.#delegate(this.#scope.part("report", type, { ...place, path: `${place.path}${index + 1}` }), place)];
  }

  /**
   * Returns the statements of a union: where the members have different kinds, they report on the one of the value's kind; otherwise on the
   * possible ones.
   */
  #unionStatements(type: UnionNode, place: ReportPlace): readonly Statement[] {
    const { model } = this.#scope;
    const members = type.members.filter((member) => member.kind !== "never");
    if (areDisjoint(members, model)) return this.#disjointStatements(members, place);
    const tag = tagOf(type, model);
    if (tag?.isDecisive === true) return this.#taggedStatements(type, tag, place);
    const isMatch = this.#checks.condition(type, place);
    if (isAlways(isMatch)) return [];
    const [keyword, message] = unionMessage(type);
    if (tag !== undefined) return [ifStatement(negated(isMatch), this.#selectedStatements(type, tag, place))];
    const candidates = members.flatMap((member, index): Statement[] => {
      const kinds = kindsOf(member, model);
      const isKind = this.#kindCondition(kinds, place);
      if (member.kind === "any" || isNever(isKind)) return [];
      const inside = this.#partStatements(member, place, index);
      const hasParts = kinds.has("object") || kinds.has("array");
      const isWanted = hasParts ? all([this.#isBrief(), isKind]) : isKind;
      return isAlways(isWanted) ? [...inside] : [ifStatement(isWanted, inside)];
    });
    return [ifStatement(negated(isMatch), [this.#violate(place, keyword, message), ...candidates])];
  }

  /** Returns the condition that few violations were reported so far: those of nested alternatives multiply. */
  #isBrief(): Condition {
    return callTest(`${this.#scope.helper("isBrief")}(violations)`);
  }

  /** Returns the statements of a tagged union: they report only on the member that the tag selects. */
  #taggedStatements(type: UnionNode, tag: Tag, place: ReportPlace): readonly Statement[] {
    const isRecord = callTest(`${this.#scope.helper("isRecord")}(${place.value})`);
    const branches = this.#branchStatements(type, tag, place);
    return [ifStatement(negated(isRecord), [this.#violate(place, "type", "must be object")], branches)];
  }

  /**
   * Returns the statements for a discriminator that does not decide: the value may be invalid although the selected member reports nothing.
   */
  #selectedStatements(type: UnionNode, tag: Tag, place: ReportPlace): readonly Statement[] {
    const before = this.#locals.allocate("before");
    const [keyword, message] = unionMessage(type);
    return [
      statement(`const ${before} = violations.length;`),
      ...this.#taggedStatements(type, tag, place),
      ifStatement(compare("violations.length", "===", before), [this.#violate(place, keyword, message)]),
    ];
  }

  #branchStatements(type: UnionNode, { property, branches }: Tag, place: ReportPlace): readonly Statement[] {
    const local = this.#locals.allocate(property);
    const tagPlace = { ...place, pointer: `${place.pointer}/${templateText(escapeToken(property))}` };
    const values = branches.flatMap((branch) => branch.values).map((value) => JSON.stringify(value));
    const keyword = type.discriminator === undefined ? "enum" : "discriminator";
    const shown = values.length > shownValues ? [...values.slice(0, shownValues), "…"] : values;
    const absent = [
      call(this.#scope.helper("missing"), ["violations", pointerCode(place.pointer), stringLiteral(property)]),
      ";",
    ];
    const unknown = [
      ifStatement(
        compare(local, "===", "undefined"),
        [statement(absent)],
        [this.#violate(tagPlace, keyword, `must be one of ${shown.join(", ")}`)],
      ),
    ];
    const cases = branches.map((branch, index) => ({
      labels: branch.values.map(stringLiteral),
      body: [...this.#partStatements(branch.type, place, index), statement("break;")],
    }));
    return [
      statement(readMember(local, place.value, property, this.#scope)),
      switchStatement(local, [...cases, { labels: [], body: unknown }]),
    ];
  }

  #disjointStatements(members: readonly TypeNode[], place: ReportPlace): readonly Statement[] {
    const { model } = this.#scope;
    const kinds = [...new Set(members.flatMap((member) => kindNames(member, model)))];
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
        : [ifStatement(negated(plain), [failure])];
    for (const { isKind, inside } of deep.toReversed()) {
      rest = isAlways(isKind) ? inside : [ifStatement(isKind, inside, rest)];
    }
    return rest;
  }

  /** Returns the statements that remain for a value of the type's kind. */
  #insideOf(type: TypeNode, place: ReportPlace): readonly Statement[] {
    if (type.kind === "null" || type.kind === "boolean" || type.kind === "bytes") return [];
    if (type.kind === "string" && type.isKindImplied !== true) {
      const { others } = leafDemands(type, place, this.#scope);
      return others.flatMap((other) => this.#demand(other, place));
    }
    return this.#statements(type, place);
  }

  #recordStatements(type: RecordNode, place: ReportPlace): readonly Statement[] {
    const isRecord = callTest(`${this.#scope.helper("isRecord")}(${place.value})`);
    const inside = [
      ...type.members.flatMap((field) => this.#fieldStatements(field, place)),
      ...this.#otherMembers(type, place),
      ...this.#memberCounts(type, place),
      ...this.#nameStatements(type, place),
      ...this.#dependencyStatements(type, place),
    ];
    if (type.isKindImplied !== true)
      return [ifStatement(negated(isRecord), [this.#violate(place, "type", "must be object")], inside)];
    return inside.length === 0 ? [] : [ifStatement(isRecord, inside)];
  }

  #nameStatements({ names }: RecordNode, place: ReportPlace): readonly Statement[] {
    if (names === undefined) return [];
    const name = this.#locals.allocate("name");
    const pointer = memberPlace(place, name, name, this.#scope).pointer;
    if (names.kind === "never") {
      const violation = this.#violate({ ...place, pointer }, "propertyNames", "property name must NOT be there");
      return [loop(`for (const ${name} in ${place.value})`, [violation])];
    }
    const report =
      names.kind === "reference"
        ? reportName(names.target)
        : this.#scope.part("report", names, { ...place, path: `${place.path}Key` });
    const parameters = [
      "violations",
      pointerCode(pointer),
      call(this.#scope.helper("violationsFrom"), [report, name, '""']),
    ];
    const failure = statement([call(this.#scope.helper("violateName"), parameters), ";"]);
    return [loop(`for (const ${name} in ${place.value})`, [failure])];
  }

  #dependencyStatements({ dependencies = [] }: RecordNode, place: ReportPlace): readonly Statement[] {
    return dependencies.flatMap((dependency, index): readonly Statement[] => {
      const inside = requiredNames(dependency.type);
      const depending = hasMember(place.value, dependency.property);
      if (inside !== undefined) {
        return inside.map((name) => {
          const message = `must have property ${name} when property ${dependency.property} is present`;
          const isAbsent = negated(hasMember(place.value, name));
          return ifStatement(all([depending, isAbsent]), [this.#violate(place, "dependentRequired", message)]);
        });
      }
      const reports = this.#partStatements(dependency.type, { ...place, path: `${place.path}With` }, index);
      return reports.length === 0 ? [] : [ifStatement(depending, reports)];
    });
  }

  #fieldStatements(field: RecordMember, place: ReportPlace): readonly Statement[] {
    const plain = field.isUndescribed === true ? undefined : plainKind(field.type);
    if (plain !== undefined) {
      const need = field.required ? '"required"' : '"optional"';
      const facts = [place.value, stringLiteral(field.name), need, `"${plain}"`, pointerCode(place.pointer)];
      return [statement([call(this.#scope.helper("reportMember"), [...facts, "violations"]), ";"])];
    }
    const local = this.#locals.allocate(field.name);
    const inside =
      field.isUndescribed === true
        ? []
        : this.#statements(field.type, {
            ...inner(place),
            value: local,
            path: `${place.path}${pascalCase(field.name)}`,
            pointer: `${place.pointer}/${templateText(escapeToken(field.name))}`,
          });
    if (!field.required && inside.length === 0) return [];
    const read = statement(readMember(local, place.value, field.name, this.#scope));
    const isAbsent = compare(local, "===", "undefined");
    if (!field.required) return [read, ifStatement(negated(isAbsent), inside)];
    const parameters = ["violations", pointerCode(place.pointer), stringLiteral(field.name)];
    const failure = statement([call(this.#scope.helper("missing"), parameters), ";"]);
    return [read, ifStatement(isAbsent, [failure], inside)];
  }

  #otherMembers(type: RecordNode, place: ReportPlace): readonly Statement[] {
    const { patterns = [] } = type;
    const additional = additionalOf(type);
    const fields = describedFields(type);
    if (additional.kind === "any" && patterns.length === 0) return [];
    const name = this.#locals.allocate("name");
    const member = this.#locals.allocate("member");
    const otherPlace = memberPlace(place, name, member, this.#scope);
    const tests = patterns.map(
      ({ pattern }) =>
        (): Condition =>
          callTest(call(`${this.#scope.pattern(pattern, `${place.path}Name`)}.test`, [name])),
    );
    const inside = patterns.flatMap(({ type: patternType }, index): readonly Statement[] => {
      const reports = this.#statements(patternType, { ...inner(otherPlace), path: `${place.path}Pattern${index + 1}` });
      const matches = tests[index];
      return reports.length === 0 || matches === undefined ? [] : [ifStatement(matches(), reports)];
    });
    const reports = this.#otherStatements(additional, otherPlace);
    if (reports.length > 0) {
      const named = namedTest(fields, name, place.path, this.#scope);
      const isOther = negated(any([...named, ...tests.map((matches) => matches())]));
      inside.push(...(isAlways(isOther) ? reports : [ifStatement(isOther, reports)]));
    }
    return membersLoop(inside, { name, member, record: place.value });
  }

  /** Returns the statements for a member that no field names. */
  #otherStatements(type: TypeNode, place: ReportPlace): readonly Statement[] {
    if (type.kind !== "never") return this.#statements(type, { ...inner(place), path: `${place.path}Member` });
    if (place.isRest === true) {
      return [this.#violate(place, "unevaluatedProperties", "must NOT have unevaluated properties")];
    }
    return [this.#violate(place, "additionalProperties", "must NOT have additional properties")];
  }

  #otherElementStatements(type: TypeNode, place: ReportPlace): readonly Statement[] {
    if (type.kind === "never") return [this.#violate(place, "unevaluatedItems", "must NOT have unevaluated items")];
    return this.#statements(type, { ...inner(place), path: `${place.path}Item` });
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
      ...(type.prefix ?? []).flatMap((member, index) => this.#prefixStatements(member, index, place)),
      ...this.#elementStatements(type, place),
      ...this.#containsStatements(type, place),
      ...(type.uniqueItems === true ? this.#uniqueStatements(place) : []),
    ];
    if (type.isKindImplied !== true)
      return [ifStatement(negated(isList), [this.#violate(place, "type", "must be array")], inside)];
    return inside.length === 0 ? [] : [ifStatement(isList, inside)];
  }

  #containsStatements({ contains }: ListNode, place: ReportPlace): readonly Statement[] {
    if (contains === undefined) return [];
    const { type, minimum, maximum } = contains;
    if (minimum === 0 && maximum === undefined) return [];
    const matches = this.#locals.allocate("matches");
    const item = this.#locals.allocate("item");
    const isMatch = this.#checks.condition(type, { ...place, value: item, path: `${place.path}Contains` });
    const found = statement(`${matches} += 1;`);
    const counted = isNever(isMatch)
      ? []
      : isAlways(isMatch)
        ? [statement(`${matches} = ${place.value}.length;`)]
        : [loop(`for (const ${item} of ${place.value})`, [ifStatement(isMatch, [found])])];
    const bounds = [
      ...(minimum === 0 ? [] : [compare(matches, "<", minimum)]),
      ...(maximum === undefined ? [] : [compare(matches, ">", maximum)]),
    ];
    const most = maximum === undefined ? "" : ` and no more than ${maximum}`;
    const message = `must contain at least ${minimum}${most} valid item(s)`;
    return [
      statement(`let ${matches} = 0;`),
      ...counted,
      ifStatement(any(bounds), [this.#violate(place, "contains", message)]),
    ];
  }

  #lengthStatements(
    { minItems = 0, maxItems, prefix = [], element }: ListNode,
    place: ReportPlace,
  ): readonly Statement[] {
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
              place.isRest === true ? "unevaluatedItems" : "items",
              `must NOT have more than ${prefix.length} items`,
            ),
          ]),
    ];
  }

  #prefixStatements(type: TypeNode, index: number, place: ReportPlace): readonly Statement[] {
    const local = this.#locals.allocate(`item ${index}`);
    const inside = this.#statements(type, {
      ...inner(place),
      value: local,
      path: `${place.path}Item${index}`,
      pointer: `${place.pointer}/${index}`,
    });
    if (inside.length === 0) return [];
    const read = type.kind === "never" ? [] : [statement(`const ${local} = ${place.value}[${index}];`)];
    return [...read, ifStatement(fact(`${place.value}.length > ${index}`), inside)];
  }

  #elementStatements({ prefix = [], element }: ListNode, place: ReportPlace): readonly Statement[] {
    if (element.kind === "never") return [];
    const local = this.#locals.allocate(place.value === "value" ? "item" : `${place.value} item`);
    const index = this.#locals.allocate("index");
    const inside = this.#statements(element, {
      ...inner(place),
      value: local,
      path: `${place.path}Item`,
      pointer: `${place.pointer}/\${${index}}`,
    });
    if (inside.length === 0) return [];
    if (prefix.length === 0) {
      return [loop(entriesHead(index, local, place.value), inside)];
    }
    const head = `for (let ${index} = ${prefix.length}; ${index} < ${place.value}.length; ${index} += 1)`;
    return [loop(head, [statement(`const ${local} = ${place.value}[${index}];`), ...inside])];
  }

  #uniqueStatements(place: ReportPlace): readonly Statement[] {
    const repetition = this.#locals.allocate("repetition");
    const message = `\`must NOT have duplicate items (items ## \${${repetition}[0]} and \${${repetition}[1]} are identical)\``;
    return [
      statement(`const ${repetition} = ${this.#scope.helper("findRepetition")}(${place.value});`),
      ifStatement(compare(repetition, "!==", "undefined"), [this.#violate(place, "uniqueItems", undefined, message)]),
    ];
  }

  #kindCondition(kinds: ReadonlySet<ValueKind>, place: Place): Condition {
    if (kinds.size === 7) return all([]);
    return any([...kinds].map((kind) => this.#kindTest(kind, place)));
  }

  #kindTest(kind: ValueKind, { value, isLossless }: Place): Condition {
    switch (kind) {
      case "null":
        return compare(value, "===", "null");
      case "array":
        return callTest(`${this.#scope.helper("isList")}(${value})`);
      case "object":
        return callTest(`${this.#scope.helper("isRecord")}(${value})`);
      case "bytes":
        return bytesTest(value);
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
    return ifStatement(fact(condition), [this.#violate(place, keyword, message)]);
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

/** Maximum number of values that a message lists. */
const shownValues = 20;

function unionMessage({ mode }: UnionNode): readonly [keyword: string, message: string] {
  if (mode === "one-of") return ["oneOf", "must match exactly one schema in oneOf"];
  return ["anyOf", "must match a schema in anyOf"];
}

/** Returns the place of the current member of a loop. */
function memberPlace(place: ReportPlace, name: string, member: string, scope: ValidatorScope): ReportPlace {
  return { ...place, value: member, pointer: `${place.pointer}/\${${scope.helper("escapeToken")}(${name})}` };
}

/** Returns a place without `isRest`: the inside of an unevaluated part is not an unevaluated part. */
function inner(place: ReportPlace): ReportPlace {
  return { ...place, isRest: false };
}

/** Returns the members that a type requires; undefined if it has any other constraint. */
function requiredNames(type: TypeNode): readonly string[] | undefined {
  if (type.kind !== "record" || type.isKindImplied !== true || additionalOf(type).kind !== "any") return undefined;
  const { members: fields, patterns = [], names, dependencies = [], minProperties, maxProperties } = type;
  const isMore = patterns.length + dependencies.length > 0 || names !== undefined;
  if (isMore || minProperties !== undefined || maxProperties !== undefined) return undefined;
  return fields.every((field) => field.isUndescribed === true) ? fields.map((field) => field.name) : undefined;
}

/** Escapes a token of a JSON Pointer (RFC 6901, section 3). */
function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Returns the kind of a type without other constraints: most members of most documents have such types. */
function plainKind(type: TypeNode): "string" | "boolean" | undefined {
  if (type.kind === "boolean") return "boolean";
  if (type.kind !== "string" || type.isKindImplied === true || type.assertsFormat === true) return undefined;
  const isBound = type.minLength !== undefined || type.maxLength !== undefined || type.pattern !== undefined;
  return isBound ? undefined : "string";
}

function pointerCode(pointer: string): string {
  return pointer === rootPointer ? "pointer" : `\`${pointer}\``;
}
