import type { EnumerationNode, JsonValue, NumberNode, StringNode, TypeNode } from "@nodewright/model";
import { call, numberLiteral, stringLiteral } from "@nodewright/output";
import { characterRun } from "./character-run.ts";
import { all, any, bytesTest, callTest, compare, type Condition, negated, typeofTest } from "./condition.ts";
import type { ValidatorScope } from "./validator-scope.ts";

/** The place of a check: the expression of the value, and the words that name the place. */
export interface Place {
  readonly value: string;
  readonly path: string;
  /** Whether numbers are read without loss, so that a wire number may be a bigint. */
  readonly isLossless: boolean;
}

/** One constraint of JSON Schema on a value, with the message when it is not met. */
export interface Demand {
  readonly keyword: string;
  readonly message: string;
  readonly condition: Condition;
}

/** The checks of a value without nested values: its type, then the constraints on values of that type. */
export interface LeafDemands {
  readonly type: Demand;
  readonly others: readonly Demand[];
  /** Whether values of another type match. */
  readonly isKindImplied: boolean;
}

export type LeafNode = Extract<TypeNode, { kind: "null" | "boolean" | "string" | "bytes" | "number" | "enumeration" }>;

/** Number of values from which a set is faster than single comparisons. */
const setSize = 5;

const alone = { others: [], isKindImplied: false } as const;

export function leafDemands(type: LeafNode, place: Place, scope: ValidatorScope): LeafDemands {
  const { value, path } = place;
  switch (type.kind) {
    case "null":
      return { type: typeDemand("null", compare(value, "===", "null")), ...alone };
    case "boolean":
      return { type: typeDemand("boolean", typeofTest(value, "boolean")), ...alone };
    case "bytes":
      return { type: typeDemand("bytes", bytesTest(value)), ...alone };
    case "string":
      return {
        type: typeDemand("string", typeofTest(value, "string")),
        others: stringDemands(type, value, path, scope),
        isKindImplied: type.isKindImplied === true,
      };
    case "number":
      return numberDemands(type, place, scope);
    case "enumeration":
      return { type: enumerationDemand(type, value, path, scope), ...alone };
    default:
      return type satisfies never;
  }
}

/** Returns the condition that all constraints are met; values of another kind meet them where the kind is implied. */
export function leafCondition({ type, others, isKindImplied }: LeafDemands): Condition {
  if (!isKindImplied) return all([type, ...others].map((demand) => demand.condition));
  return any([negated(type.condition), all(others.map((demand) => demand.condition))]);
}

function stringDemands(type: StringNode, value: string, path: string, scope: ValidatorScope): readonly Demand[] {
  const { minLength, maxLength, pattern, format, assertsFormat = false } = type;
  const demands: Demand[] = [];
  if (minLength !== undefined && minLength > 0) {
    demands.push({
      keyword: "minLength",
      message: `must NOT have fewer than ${minLength} characters`,
      condition: notCall(`${scope.helper("isShorterThan")}(${value}, ${minLength})`),
    });
  }
  if (maxLength !== undefined) {
    demands.push({
      keyword: "maxLength",
      message: `must NOT have more than ${maxLength} characters`,
      condition: notCall(`${scope.helper("isLongerThan")}(${value}, ${maxLength})`),
    });
  }
  if (pattern !== undefined) {
    demands.push({
      keyword: "pattern",
      message: `must match pattern "${pattern}"`,
      condition: patternCondition(pattern, value, path, scope),
    });
  }
  const isFormat = assertsFormat && format !== undefined ? scope.format(format) : undefined;
  if (isFormat !== undefined) {
    demands.push({
      keyword: "format",
      message: `must match format "${format}"`,
      condition: callTest(call(isFormat, [value])),
    });
  }
  return demands;
}

function patternCondition(pattern: string, value: string, path: string, scope: ValidatorScope): Condition {
  const run = characterRun(pattern);
  if (run === undefined) return callTest(call(`${scope.pattern(pattern, path)}.test`, [value]));
  const { characters, unit, minimum, maximum } = run;
  const length = `${value}.length`;
  const isRun = callTest(call(`${scope.run(characters, path)}.test`, [value]));
  if (minimum === maximum) {
    return all([compare(length, "===", minimum), isRun]);
  }
  return all([
    ...(minimum === 0 ? [] : [compare(length, ">=", minimum)]),
    ...(maximum === undefined ? [] : [compare(length, "<=", maximum)]),
    ...(unit === 1 ? [] : [compare(`${length} % ${unit}`, "===", "0")]),
    isRun,
  ]);
}

function numberDemands(type: NumberNode, { value, isLossless }: Place, scope: ValidatorScope): LeafDemands {
  const name = type.integer ? "integer" : "number";
  const check = `Number.${type.integer ? "isInteger" : "isFinite"}(${value})`;
  const isNumber = all([typeofTest(value, "number"), callTest(check)]);
  const condition = isLossless ? any([typeofTest(value, "bigint"), isNumber]) : isNumber;
  const others: Demand[] = [];
  for (const { keyword, sign } of comparisons) {
    const bound = type[keyword];
    if (bound === undefined) continue;
    const literal = unsignedZero(bound);
    others.push({
      keyword,
      message: `must be ${sign} ${bound}`,
      condition: compare(value, sign, literal),
    });
  }
  if (type.multipleOf !== undefined) {
    others.push({
      keyword: "multipleOf",
      message: `must be multiple of ${type.multipleOf}`,
      condition: callTest(`${scope.helper("isMultipleOf")}(${value}, ${numberLiteral(type.multipleOf)})`),
    });
  }
  return { type: typeDemand(name, condition), others, isKindImplied: type.isKindImplied === true };
}

const comparisons = [
  { keyword: "minimum", sign: ">=" },
  { keyword: "maximum", sign: "<=" },
  { keyword: "exclusiveMinimum", sign: ">" },
  { keyword: "exclusiveMaximum", sign: "<" },
] as const;

function enumerationDemand({ values }: EnumerationNode, value: string, path: string, scope: ValidatorScope): Demand {
  const keyword = values.length === 1 ? "const" : "enum";
  const message = values.length === 1 ? "must be equal to constant" : "must be equal to one of the allowed values";
  return { keyword, message, condition: enumerationCondition(values, value, path, scope) };
}

function enumerationCondition(
  values: readonly JsonValue[],
  value: string,
  path: string,
  scope: ValidatorScope,
): Condition {
  const primitives = values.filter((allowed) => typeof allowed !== "object" || allowed === null);
  const others = values.filter((allowed) => typeof allowed === "object" && allowed !== null);
  const deep = others.map((allowed) => callTest(call(scope.helper("isEqual"), [value, scope.value(allowed, path)])));
  if (primitives.length >= setSize) {
    return any([callTest(`${scope.values(primitives, path)}.has(${value})`), ...deep]);
  }
  return any([...primitives.map((allowed) => equalTest(value, allowed)), ...deep]);
}

function equalTest(value: string, allowed: JsonValue): Condition {
  const literal =
    typeof allowed === "string"
      ? stringLiteral(allowed)
      : typeof allowed === "number"
        ? unsignedZero(allowed)
        : String(allowed);
  return compare(value, "===", literal);
}

function typeDemand(name: string, condition: Condition): Demand {
  return { keyword: "type", message: `must be ${name}`, condition };
}

/** Returns a condition that holds when a call returns false. */
function notCall(call: string): Condition {
  return negated(callTest(call));
}

/** Returns the value without a sign if it is zero: comparisons do not distinguish 0 and -0. */
function unsignedZero(value: number | bigint): string {
  return numberLiteral(value === 0 ? 0 : value);
}
