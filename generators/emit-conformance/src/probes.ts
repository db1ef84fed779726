import {
  type ApiModel,
  isOfType,
  type JsonValue,
  type Parameter,
  resolveType,
  spellsType,
  type TypeNode,
} from "@nodewright/model";

/** A value to try in one input. */
export interface Probe {
  /** kebab-case. */
  readonly name: string;
  readonly value: JsonValue;
  /** False: a server has to refuse it. */
  readonly isValid: boolean;
}

/** Long enough to pass limits that somebody forgot, short enough for a line of a request. */
const longText: string = "a".repeat(300);
const enumerationValues = 6;

/** What stands in a URL or header whatever the type says. */
const textProbes: readonly (readonly [string, string])[] = [
  ["word", "abc"],
  ["negative", "-1"],
  ["fraction", "1.5"],
  ["zero", "0"],
  ["huge", "9".repeat(30)],
  ["long", longText],
  ["symbols", "<'&%\">"],
];

/** What stands in a list of parameters whatever the type says. */
const jsonProbes: readonly (readonly [string, JsonValue])[] = [
  ["null", null],
  ["true", true],
  ["word", "abc"],
  ["empty-text", ""],
  ["long-text", longText],
  ["zero", 0],
  ["negative", -1],
  ["fraction", 1.5],
  ["largest-integer", Number.MAX_SAFE_INTEGER],
  ["empty-list", []],
  ["empty-object", {}],
];

/** Values to try in an input, of the right and of the wrong type and at its bounds. `sample` is a value known to be good. */
export function probesOf(parameter: Parameter, sample: JsonValue | undefined, model: ApiModel): readonly Probe[] {
  return parameter.location === "argument"
    ? argumentProbes(parameter, sample, model)
    : textualProbes(parameter, sample, model);
}

function argumentProbes(parameter: Parameter, sample: JsonValue | undefined, model: ApiModel): readonly Probe[] {
  const candidates = [...jsonProbes, ...boundsOf(parameter.type, model), ...variantsOf(sample)];
  return unique(candidates).map(([name, value]) => ({
    name,
    value,
    // A null argument counts as left out.
    isValid: isOfType(value, parameter.type, model) || (value === null && !parameter.required),
  }));
}

function textualProbes(parameter: Parameter, sample: JsonValue | undefined, model: ApiModel): readonly Probe[] {
  const reading = textReading(parameter, model);
  // How a text would be read can't be said: nothing is sure to be refused.
  if (reading === "unknown") return [];
  const empty: readonly (readonly [string, JsonValue])[] = parameter.location === "path" ? [] : [["empty", ""]];
  const derived = [...boundsOf(parameter.type, model), ...variantsOf(sample)].filter(([, value]) => isScalar(value));
  const texts = [...textProbes, ...empty, ...derived].map(([name, value]) => [name, String(value)] as const);
  return unique(texts)
    .filter(([, text]) => parameter.location !== "path" || isPathSegment(text))
    .map(([name, value]) => ({ name, value, isValid: spellsType(String(value), parameter.type, model) }));
}

/** A text is read as one value, or it may be taken for a list, an object or a whole document. */
function textReading({ type, mediaType }: Parameter, model: ApiModel): "scalar" | "unknown" {
  if (mediaType !== undefined) return "unknown";
  return mayBeStructure(type, model, new Set()) ? "unknown" : "scalar";
}

function mayBeStructure(type: TypeNode, model: ApiModel, seen: Set<string>): boolean {
  const resolved = resolveType(type, model);
  if (type.kind === "reference") {
    if (seen.has(type.target)) return false;
    seen.add(type.target);
  }
  const isAny = (parts: readonly TypeNode[]): boolean => parts.some((part) => mayBeStructure(part, model, seen));
  switch (resolved.kind) {
    case "list":
    case "record":
      return true;
    case "union":
    case "intersection":
      return isAny(resolved.members);
    case "conditional":
      return isAny([resolved.consequence, resolved.alternative]);
    case "unevaluated":
      return isAny([resolved.base]);
    default:
      return false;
  }
}

/** The values at and just beyond the bounds of a type. */
function boundsOf(type: TypeNode, model: ApiModel): readonly (readonly [string, JsonValue])[] {
  const resolved = resolveType(type, model);
  switch (resolved.kind) {
    case "union":
    case "intersection":
      return resolved.members.flatMap((member) => boundsOf(member, model));
    case "enumeration":
      return resolved.values.slice(0, enumerationValues).map((value, index) => [`value-${index + 1}`, value] as const);
    case "boolean":
      return [["false", false]];
    case "number":
      return [
        ...numberBounds("minimum", resolved.minimum, -1),
        ...numberBounds("maximum", resolved.maximum, 1),
        ...numberBounds("exclusive-minimum", resolved.exclusiveMinimum, 1),
        ...numberBounds("exclusive-maximum", resolved.exclusiveMaximum, -1),
      ];
    case "string":
      return [...lengthBounds("shortest", resolved.minLength, -1), ...lengthBounds("longest", resolved.maxLength, 1)];
    default:
      return [];
  }
}

function numberBounds(
  name: string,
  bound: number | bigint | undefined,
  step: number,
): readonly (readonly [string, JsonValue])[] {
  // A bound beyond what a double holds can't be told from its neighbours.
  if (bound === undefined || !Number.isSafeInteger(Number(bound) + step)) return [];
  return [
    [name, Number(bound)],
    [`beyond-${name}`, Number(bound) + step],
  ];
}

function lengthBounds(
  name: string,
  length: number | undefined,
  step: number,
): readonly (readonly [string, JsonValue])[] {
  if (length === undefined || length > 1_000 || length + step < 0) return [];
  return [
    [name, "0".repeat(length)],
    [`beyond-${name}`, "0".repeat(length + step)],
  ];
}

/** A good text made a little worse. */
function variantsOf(sample: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  if (typeof sample !== "string" || sample.length < 2) return [];
  return [
    ["cut", sample.slice(0, -1)],
    ["lengthened", `${sample}0`],
    ["upper-case", sample.toUpperCase()],
    ["not-hex", `g${sample.slice(1)}`],
  ];
}

/** The first of equal values stays. */
function unique<Value extends JsonValue>(
  candidates: readonly (readonly [string, Value])[],
): readonly (readonly [string, Value])[] {
  const values = new Set<string>();
  const names = new Set<string>();
  return candidates.filter(([name, value]) => {
    const key = JSON.stringify(value);
    if (values.has(key) || names.has(name)) return false;
    values.add(key);
    names.add(name);
    return true;
  });
}

/** URL parsers resolve dots, so no server ever sees them. */
function isPathSegment(text: string): boolean {
  return text !== "" && text !== "." && text !== "..";
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}
