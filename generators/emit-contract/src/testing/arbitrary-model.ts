import type { ApiModel, JsonValue, TypeNode } from "@nodewright/model";
import fc from "fast-check";
import {
  anything,
  declaration,
  field,
  list,
  model,
  node,
  nothing,
  nullNode,
  numberNode,
  record,
  reference,
} from "./type-nodes.ts";

const declarationCount = 8;

/**
 * Names that are awkward somewhere: in code, in patterns, in JSON Pointers, on prototypes. The empty name, which ajv never reports as
 * missing, and `__proto__`, which it skips, are not among them.
 */
const names = [
  "a",
  "b",
  "c d",
  "a/b",
  "m~n",
  "ü",
  "日本",
  "0",
  "-",
  "value",
  "pointer",
  "violations",
  "isRecord",
  "class",
  "undefined",
  "constructor",
  "toString",
  "hasOwnProperty",
  'quo"te',
  "it's",
  "new\nline",
  "back\\slash",
  `\${value}`,
  "`",
  "*/",
  "a name so long that what is written around it cannot stay on one line, however short the words of the language are",
];

const patterns = [
  "^a",
  "^[0-9a-f]{2,4}$",
  "^([0-9a-f]{2})*$",
  "^(?:[a-c]{2}){1,2}$",
  "^[a-z]+$",
  "^[a-zA-Z0-9]{2,}$",
  "\\u{1F600}",
  "^\\p{L}*$",
  "b$",
  "/",
  "[\\]\"'`]",
  "^.{1,2}$",
  "\\u0000|\\n",
];

const words = fc.constantFrom("", "a", "ab", "b", "it's", 'quo"te', "😀", "line\nfeed", "\u2028", "*/", `\${value}`);
const primitives = fc.oneof(fc.constant(null), fc.boolean(), fc.constantFrom(-1.5, -0, 0, 1, 2 ** 53, 1e19), words);
const jsonValues: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 5, arbitrary: primitives },
  { weight: 1, arbitrary: fc.array(primitives, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom("a", "b", "c d"), primitives, { maxKeys: 2 }) },
);

function optional<Value>(key: string, value: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Value>> {
  return fc.option(value, { nil: undefined, freq: 2 }).map((given) => (given === undefined ? {} : { [key]: given }));
}

const strings = fc
  .tuple(
    optional("minLength", fc.nat(3)),
    optional("maxLength", fc.nat(4)),
    optional("pattern", fc.constantFrom(...patterns)),
  )
  .map((facts) => node({ kind: "string", ...Object.assign({}, ...facts) }));

const numbers = fc
  .tuple(
    fc.boolean(),
    optional("minimum", fc.integer({ min: -3, max: 3 })),
    optional("maximum", fc.integer({ min: -2, max: 6 })),
    optional("exclusiveMinimum", fc.integer({ min: -3, max: 3 })),
    optional("exclusiveMaximum", fc.integer({ min: -2, max: 6 })),
    // Without 3, because ajv accepts 1e19 as a multiple of it: it divides in double precision.
    optional("multipleOf", fc.constantFrom(0.5, 2, 0.1, 4)),
  )
  .map(([integer, ...facts]) => numberNode({ integer, ...Object.assign({}, ...facts) }));

const enumerations = fc
  .uniqueArray(jsonValues, { minLength: 1, maxLength: 8, selector: (value) => JSON.stringify(value) })
  .map((values) => node({ kind: "enumeration", values }));

const leaves = fc.oneof(
  { weight: 1, arbitrary: fc.constant(anything) },
  { weight: 1, arbitrary: fc.constant(nullNode) },
  { weight: 1, arbitrary: fc.constant(node({ kind: "boolean" })) },
  { weight: 3, arbitrary: strings },
  { weight: 3, arbitrary: numbers },
  { weight: 2, arbitrary: enumerations },
);

/** Constraints on strings and numbers that do not require the kind. */
const implied = fc
  .oneof(strings, numbers)
  .map((type) => (type.kind === "number" && type.integer ? type : { ...type, isKindImplied: true }) as TypeNode);

const references = fc.nat(declarationCount - 1).map((index) => reference(`D${index}`));

/** Types of a bounded depth. References are only inside lists and records, so that each makes the value smaller. */
function types(depth: number, isInside: boolean, minds: boolean): fc.Arbitrary<TypeNode> {
  if (depth === 0)
    return isInside ? fc.oneof({ weight: 3, arbitrary: leaves }, { weight: 1, arbitrary: references }) : leaves;
  const same = types(depth - 1, isInside, minds);
  const inner = types(depth - 1, true, minds);
  return fc.oneof(
    { weight: 2, arbitrary: leaves },
    { weight: 2, arbitrary: lists(inner, minds) },
    { weight: 4, arbitrary: records(inner, minds) },
    { weight: 3, arbitrary: unions(same) },
    { weight: 1, arbitrary: implied },
    { weight: 1, arbitrary: same.map((type) => node({ kind: "not", type })) },
    { weight: 1, arbitrary: conditionals(same) },
    ...(minds ? [{ weight: 4, arbitrary: unevaluated(depth, inner) }] : []),
    {
      weight: 1,
      arbitrary: fc
        .array(same, { minLength: 2, maxLength: 3 })
        .map((members) => node({ kind: "intersection", members })),
    },
  );
}

function lists(inner: fc.Arbitrary<TypeNode>, minds: boolean): fc.Arbitrary<TypeNode> {
  const element = fc.oneof({ weight: 6, arbitrary: inner }, { weight: 1, arbitrary: fc.constant(nothing) });
  const plain = element.map((rest) => ({ prefix: [], element: rest }));
  // Simple ones: TypeScript reports an alias as circular that refers to itself two levels deep in the rest of a tuple.
  const tuple = fc.record({
    prefix: fc.array(fc.oneof(leaves, references), { minLength: 1, maxLength: 2 }),
    element: fc.oneof(
      { weight: 3, arbitrary: fc.oneof(leaves, references) },
      { weight: 1, arbitrary: fc.constant(nothing) },
    ),
  });
  const contains = fc.record({ type: inner, minimum: fc.nat(2) });
  const bounded = contains.map((type) => ({ ...type, maximum: type.minimum + 1 }));
  const facts = fc.tuple(
    optional("minItems", fc.nat(2)),
    optional("maxItems", fc.nat(4)),
    optional("uniqueItems", fc.boolean()),
    // Next to prefixItems, ajv counts the elements of the prefix as matches.
    minds ? optional("contains", fc.oneof(contains, bounded)) : fc.constant({}),
    optional("isKindImplied", fc.constant(true)),
  );
  return fc
    .tuple(fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: tuple }), facts)
    .map(([{ prefix, element: rest }, given]) => list(rest, { prefix, ...Object.assign({}, ...given) }));
}

function records(inner: fc.Arbitrary<TypeNode>, minds: boolean): fc.Arbitrary<TypeNode> {
  const member = fc.tuple(fc.constantFrom(...names), inner, fc.boolean());
  const fields = fc.uniqueArray(member, { maxLength: 5, selector: ([name]) => name });
  const additional = fc.oneof(
    { weight: 2, arbitrary: fc.constant(anything) },
    { weight: 2, arbitrary: fc.constant(nothing) },
    { weight: 1, arbitrary: inner },
  );
  const pattern = fc.record({ pattern: fc.constantFrom(...patterns), type: inner });
  const dependency = fc.record({
    property: fc.constantFrom(...names),
    type: inner,
    keyword: fc.constant("dependentSchemas"),
  });
  const facts = fc.tuple(
    optional("minProperties", fc.nat(2)),
    optional("maxProperties", fc.nat(4)),
    optional("names", strings),
    minds ? optional("dependencies", fc.array(dependency, { minLength: 1, maxLength: 2 })) : fc.constant({}),
    optional("isKindImplied", fc.constant(true)),
  );
  return fc
    .tuple(fields, additional, fc.uniqueArray(pattern, { maxLength: 1 }), facts)
    .map(([members, rest, named, given]) =>
      record(
        members.map(([name, type, required]) => field(name, type, required)),
        { additional: rest, patterns: named, ...Object.assign({}, ...given) },
      ),
    );
}

function unions(same: fc.Arbitrary<TypeNode>): fc.Arbitrary<TypeNode> {
  return fc
    .tuple(fc.constantFrom("any-of" as const, "one-of" as const), fc.array(same, { minLength: 2, maxLength: 3 }))
    .map(([mode, members]) => node({ kind: "union", mode, members }));
}

function conditionals(same: fc.Arbitrary<TypeNode>): fc.Arbitrary<TypeNode> {
  return fc
    .tuple(same, same, same)
    .map(([condition, consequence, alternative]) => node({ kind: "conditional", condition, consequence, alternative }));
}

/** Returns `unevaluated` nodes over in-place applicators, including alternatives. */
function unevaluated(depth: number, inner: fc.Arbitrary<TypeNode>): fc.Arbitrary<TypeNode> {
  const part = fc.oneof(records(leaves, true), lists(leaves, true), types(depth - 1, false, true));
  const base = fc.oneof(
    part,
    unions(part),
    conditionals(part),
    fc.array(part, { minLength: 2, maxLength: 3 }).map((members) => node({ kind: "intersection", members })),
  );
  const rest = fc.oneof(fc.constant(nothing), inner);
  return fc
    .tuple(base, optional("members", rest), optional("elements", rest))
    .map(([given, ...rests]) => node({ kind: "unevaluated", base: given, ...Object.assign({}, ...rests) }));
}

function modelsOf(minds: boolean): fc.Arbitrary<ApiModel> {
  return fc
    .array(types(3, false, minds), { minLength: declarationCount, maxLength: declarationCount })
    .map((declared) => model(declared.map((type, index) => declaration(`D${index}`, type))));
}

/** Models of a few declarations that refer to one another. */
export const models: fc.Arbitrary<ApiModel> = modelsOf(false);

/** Models that also constrain unevaluated parts. */
export const mindfulModels: fc.Arbitrary<ApiModel> = modelsOf(true);
