import { describe, expect, it } from "vitest";
import { type ReadingOfSchemas, readSchemas } from "./testing/read-schemas.ts";

/** Returns the diagnostics about keyword values: place within the schema and message. */
function saidOf(schema: unknown, dialect: ReadingOfSchemas["dialect"] = "2020-12"): readonly string[] {
  return readSchemas({ schema }, { dialect }).diagnostics.map(
    ({ message, source }) => `${source.pointer.replace("/schema", "")} ${message}`,
  );
}

/** Valid values of a keyword, and invalid ones with their description in messages. */
interface Shape {
  readonly expected: string;
  readonly right: readonly unknown[];
  readonly wrong: readonly (readonly [value: unknown, found: string])[];
}

const count: Shape = {
  expected: "an integer of at least 0",
  right: [0, 1, 1000, 2.0],
  wrong: [
    [-1, "-1"],
    [0.5, "0.5"],
    ["1", '"1"'],
    [true, "true"],
    [null, "null"],
    [[1], "an array"],
  ],
};
const text: Shape = {
  expected: "a string",
  right: [""],
  wrong: [
    [1, "a number"],
    [true, "a boolean"],
    [[], "an array"],
    [{}, "an object"],
    [null, "null"],
  ],
};
const flag: Shape = {
  expected: "true or false",
  right: [true, false],
  wrong: [
    ["true", "a string"],
    [0, "a number"],
    [null, "null"],
  ],
};
const number: Shape = {
  expected: "a number",
  right: [0, -1.5],
  wrong: [
    ["1", "a string"],
    [[1], "an array"],
  ],
};
const schemas: Shape = {
  expected: "a list of schemas",
  right: [[true], [{}, { title: "a" }]],
  wrong: [
    [[], "an empty one"],
    [{}, "an object"],
    [true, "a boolean"],
  ],
};
const schemasByName: Shape = {
  expected: "an object of schemas",
  right: [{}, { a: true }],
  wrong: [
    [[], "an array"],
    ["a", "a string"],
  ],
};
const anchor: Shape = {
  expected: "a name of letters, digits, -, _ and .",
  right: ["a", "_", "a-B.9_"],
  wrong: [
    ["", '""'],
    ["1a", '"1a"'],
    ["a b", '"a b"'],
    ["a#", '"a#"'],
    [1, "1"],
    [{}, "an object"],
  ],
};
const object: Shape = {
  expected: "an object",
  right: [{}],
  wrong: [
    [[], "an array"],
    ["a", "a string"],
  ],
};
const list: Shape = {
  expected: "a list",
  right: [[1]],
  wrong: [
    [{}, "an object"],
    [1, "a number"],
  ],
};

describe("the values of a keyword that decides what matches", () => {
  it.each<[string, Shape, object?]>([
    ["minLength", count, { type: "string" }],
    ["maxLength", count, { type: "string" }],
    ["minItems", count, { type: "array" }],
    ["maxItems", count, { type: "array" }],
    ["minContains", count, { type: "array", contains: true }],
    ["maxContains", count, { type: "array", contains: true }],
    ["minProperties", count, { type: "object" }],
    ["maxProperties", count, { type: "object" }],
    ["minimum", number, { type: "number" }],
    ["maximum", number, { type: "number" }],
    ["exclusiveMinimum", { ...number, wrong: [...number.wrong, [true, "a boolean"]] }, { type: "number" }],
    ["exclusiveMaximum", { ...number, wrong: [...number.wrong, [false, "a boolean"]] }, { type: "number" }],
    [
      "multipleOf",
      {
        expected: "a number above 0",
        right: [1, 0.01],
        wrong: [
          [0, "0"],
          [-1, "-1"],
          ["1", '"1"'],
          [[], "an array"],
        ],
      },
      { type: "number" },
    ],
    ["uniqueItems", flag, { type: "array" }],
    ["pattern", text, { type: "string" }],
    ["format", text, { type: "string" }],
    ["$anchor", anchor],
    ["$dynamicAnchor", anchor],
    ["allOf", schemas],
    ["anyOf", schemas],
    ["oneOf", schemas],
    ["prefixItems", schemas, { type: "array" }],
    ["$defs", schemasByName],
    ["definitions", schemasByName],
    ["properties", schemasByName, { type: "object" }],
    ["patternProperties", schemasByName, { type: "object" }],
    ["dependentSchemas", schemasByName, { type: "object" }],
    ["discriminator", object],
    [
      "required",
      {
        expected: "a list of names",
        right: [[], ["a"]],
        wrong: [
          [true, "a boolean"],
          ["a", "a string"],
        ],
      },
      { type: "object" },
    ],
    [
      "dependentRequired",
      {
        expected: "an object of lists of names",
        right: [{}, { a: ["b"] }, { a: [] }],
        wrong: [
          [{ a: "b" }, "an object"],
          [{ a: ["b"], c: [1] }, "an object"],
          [[], "an array"],
        ],
      },
      { type: "object" },
    ],
    [
      "dependencies",
      {
        expected: "an object of schemas or lists of names",
        right: [{}, { a: ["b"], c: true }],
        wrong: [
          [[], "an array"],
          [1, "a number"],
        ],
      },
      { type: "object" },
    ],
    ["enum", { ...list, right: [[1], [null]] }],
  ])("%s are as JSON Schema says", (keyword, { expected, right, wrong }, beside = {}) => {
    for (const value of right) expect([value, saidOf({ ...beside, [keyword]: value })]).toEqual([value, []]);
    for (const [value, found] of wrong) {
      expect(saidOf({ ...beside, [keyword]: value })).toContain(
        `/${keyword} The keyword "${keyword}" takes ${expected}, not ${found}.`,
      );
    }
  });

  it("are flags next to bounds in OpenAPI 3.0 and draft 4", () => {
    for (const dialect of ["openapi-3.0", "draft-04"] as const) {
      for (const keyword of ["exclusiveMinimum", "exclusiveMaximum"]) {
        for (const value of [true, false, 3]) expect(saidOf({ type: "number", [keyword]: value }, dialect)).toEqual([]);
        expect(saidOf({ type: "number", [keyword]: "3" }, dialect)).toEqual([
          `/${keyword} The keyword "${keyword}" takes a number, not a string.`,
        ]);
      }
      for (const keyword of ["minimum", "maximum"]) {
        expect(saidOf({ type: "number", [keyword]: true }, dialect)).toEqual([
          `/${keyword} The keyword "${keyword}" takes a number, not a boolean.`,
        ]);
      }
    }
  });

  it("are reported at the element that is wrong", () => {
    expect(saidOf({ type: "object", required: ["a", null, 1] })).toEqual([
      '/required/1 The keyword "required" takes a list of names, not null.',
    ]);
  });
});

describe("the values of a keyword that people read", () => {
  it.each<[string, Shape]>([
    ["$comment", text],
    ["title", text],
    ["description", text],
    ["contentEncoding", text],
    ["contentMediaType", text],
    ["deprecated", flag],
    ["readOnly", flag],
    ["writeOnly", flag],
    ["examples", { ...list, right: [[], ["a"]] }],
    ["xml", object],
    ["externalDocs", object],
  ])("%s have no effect where they are wrong", (keyword, { expected, right, wrong }) => {
    for (const value of right) expect(saidOf({ type: "string", [keyword]: value })).toEqual([]);
    for (const [value, found] of wrong) {
      const { diagnostics } = readSchemas({ schema: { type: "string", [keyword]: value } });
      expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
        `warning: The keyword "${keyword}" takes ${expected}, not ${found}; it has no effect.`,
      ]);
    }
  });

  it.each(["default", "example", "const"])("%s may be anything", (keyword) => {
    for (const value of [0, "", [], {}, true]) expect(saidOf({ [keyword]: value })).toEqual([]);
  });
});

describe("a keyword that nobody knows", () => {
  it.each([
    ["minlength", "minLength"],
    ["Properties", "properties"],
    ["adtionalProperties", "additionalProperties"],
    ["discription", "description"],
    ["nulable", "nullable"],
  ])("%s is taken for a slip away from %s", (keyword, near) => {
    expect(saidOf({ [keyword]: 1 })).toEqual([
      `/${keyword} The keyword "${keyword}" is not known (did you mean "${near}"?); it has no effect.`,
    ]);
  });

  it("is reported without a suggestion where none is near, and passes where it belongs to others", () => {
    expect(saidOf({ widget: 1 })).toEqual(['/widget The keyword "widget" is not known; it has no effect.']);
    expect(saidOf({ "x-widget": 1, "x-": 1 })).toEqual([]);
    expect(saidOf({ id: "a" }, "draft-04")).toEqual([]);
    expect(saidOf({ id: "a" })).not.toEqual([]);
  });
});

describe("integers of a format", () => {
  const read = (schema: object) => readSchemas({ schema }).type;

  it.each([
    ["int8", "number"],
    ["uint8", "number"],
    ["int16", "number"],
    ["uint16", "number"],
    ["int32", "number"],
    ["uint32", "number"],
    ["int64", "bigint"],
    ["uint64", "bigint"],
    ["other", "number"],
  ])("%s are held as a %s", (format, representation) => {
    expect(read({ type: "integer", format })).toMatchObject({ kind: "number", integer: true, representation });
    expect(read({ type: "number", format })).toMatchObject({ integer: false, representation: "number" });
  });

  it("are held by the bounds that are next to the format, where there are some", () => {
    const safe = Number.MAX_SAFE_INTEGER;
    const of = (facts: object) =>
      (read({ type: "integer", ...facts }) as { readonly representation?: string }).representation;
    expect(of({ format: "int64", minimum: 0, maximum: 9 })).toBe("number");
    expect(of({ format: "int64", minimum: 0 })).toBe("bigint");
    expect(of({ format: "uint64", maximum: 9 })).toBe("number");
    expect(of({ format: "int64", maximum: 9 })).toBe("bigint");
    expect(of({ minimum: -safe, maximum: safe })).toBe("number");
    expect(of({ maximum: safe + 1 })).toBe("bigint");
    expect(of({ minimum: -safe - 1 })).toBe("bigint");
    expect(of({ exclusiveMaximum: safe + 1 })).toBe("bigint");
    expect(of({ exclusiveMinimum: -safe - 1 })).toBe("bigint");
  });

  it("are amounts where a number has that format, and an integer has not", () => {
    expect(read({ type: "number", format: "bitcoin-amount" })).toMatchObject({ representation: "bitcoin-amount" });
    expect(read({ type: "integer", format: "bitcoin-amount" })).toMatchObject({ representation: "number" });
  });
});

describe("the range of a format", () => {
  const representationOf = (schema: object) =>
    (readSchemas({ schema: { type: "integer", ...schema } }).type as { readonly representation?: string })
      .representation;
  const safe = Number.MAX_SAFE_INTEGER;

  it("is narrowed by each bound alone", () => {
    expect(representationOf({ format: "int64", minimum: 0, exclusiveMaximum: 9 })).toBe("bigint");
    expect(representationOf({ format: "uint64", minimum: 5 })).toBe("bigint");
    expect(representationOf({ format: "int32", maximum: safe + 1 })).toBe("bigint");
    expect(representationOf({ format: "int32", minimum: -safe - 1 })).toBe("bigint");
    expect(representationOf({ format: "uint64", maximum: safe })).toBe("number");
  });

  it("does not become a bound of its own", () => {
    const { type } = readSchemas({ schema: { type: "integer", format: "int8" } });
    for (const bound of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])
      expect(type).not.toHaveProperty(bound);
  });
});

describe("bounds", () => {
  const read = (schema: string, dialect: ReadingOfSchemas["dialect"] = "2020-12") =>
    readSchemas(`{"schema": {"type": "integer", ${schema}}}`, { dialect }).type;

  it("are exact where a double would round them", () => {
    for (const bound of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]) {
      expect(read(`"${bound}": 9007199254740993`)).toHaveProperty(bound, 9007199254740993n);
      expect(read(`"${bound}": -9007199254740993`)).toHaveProperty(bound, -9007199254740993n);
      expect(read(`"${bound}": 9007199254740991`)).toHaveProperty(bound, 9007199254740991);
      expect(read(`"${bound}": 1e300`)).toHaveProperty(bound, 1e300);
      expect(read(`"${bound}": 9007199254740993.0`)).toHaveProperty(bound, 9007199254740992);
    }
  });

  it("are compared as what they are", () => {
    const said = readSchemas(
      '{"schema": {"type": "integer", "minimum": 9007199254740993, "maximum": 9007199254740992}}',
    );
    expect(said.diagnostics.map(({ message }) => message)).toEqual([
      "Nothing can match: 9007199254740993 is above 9007199254740992.",
    ]);
  });

  it.each(["draft-04", "openapi-3.0"] as const)(
    "are exclusive by a flag in %s, and only where it is true",
    (dialect) => {
      const upper = read('"maximum": 5, "exclusiveMaximum": true, "minimum": 1, "exclusiveMinimum": false', dialect);
      expect(upper).toMatchObject({ exclusiveMaximum: 5, minimum: 1 });
      expect(upper).not.toHaveProperty("maximum");
      expect(upper).not.toHaveProperty("exclusiveMinimum");
      const lower = read('"minimum": 1, "exclusiveMinimum": true, "maximum": 5', dialect);
      expect(lower).toMatchObject({ exclusiveMinimum: 1, maximum: 5 });
      expect(lower).not.toHaveProperty("minimum");
    },
  );

  it("are left out where they are no bounds", () => {
    const { type } = readSchemas({
      schema: { type: "number", minimum: "1", maximum: null, multipleOf: 0, exclusiveMinimum: true },
    });
    for (const bound of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])
      expect(type).not.toHaveProperty(bound);
    expect(readSchemas({ schema: { type: "number", multipleOf: -2 } }).type).not.toHaveProperty("multipleOf");
    expect(readSchemas({ schema: { type: "number", multipleOf: 0.5 } }).type).toHaveProperty("multipleOf", 0.5);
  });
});

describe("the facts of a schema", () => {
  it("are those that it has, and none for keywords that it lacks or that hold something else", () => {
    const read = (schema: object) => readSchemas({ schema }).type;
    expect(read({ type: "string", minLength: 0, maxLength: 5, pattern: "a", format: "email" })).toMatchObject({
      minLength: 0,
      maxLength: 5,
      pattern: "a",
      format: "email",
    });
    expect(read({ type: "array", minItems: 0, maxItems: 5, uniqueItems: false })).toMatchObject({
      minItems: 0,
      maxItems: 5,
      uniqueItems: false,
    });
    expect(read({ type: "object", minProperties: 0, maxProperties: 5 })).toMatchObject({
      minProperties: 0,
      maxProperties: 5,
    });
    const wrong = { minLength: -1, maxLength: 1.5, pattern: 1, format: 1, minItems: "1", maxItems: -1, uniqueItems: 1 };
    expect(Object.keys(read({ type: "string", ...wrong })).toSorted()).toEqual(["kind", "source"]);
    expect(Object.keys(read({ type: "array", ...wrong })).toSorted()).toEqual(["element", "kind", "prefix", "source"]);
    expect(Object.keys(read({ type: "object", minProperties: -1, maxProperties: 0.5 })).toSorted()).toEqual([
      "additional",
      "kind",
      "members",
      "patterns",
      "source",
    ]);
    expect(read({ type: "array", contains: true, minContains: -1, maxContains: 0.5 })).toMatchObject({
      contains: { type: { kind: "any" }, minimum: 1 },
    });
    expect(read({ type: "array", contains: true })).not.toHaveProperty("contains.maximum");
  });

  it("take the names from a list of them that are names", () => {
    const { type } = readSchemas({ schema: { type: "object", required: ["a", 1, null, "b", "a"] } });
    expect(type).toMatchObject({ members: [{ name: "a" }, { name: "b" }] });
  });
});

describe("bounds that contradict each other", () => {
  it.each<[object, string]>([
    [{ type: "string", minLength: 2, maxLength: 1 }, "/maxLength Nothing can match: 2 is above 1."],
    [{ type: "array", minItems: 2, maxItems: 1 }, "/maxItems Nothing can match: 2 is above 1."],
    [{ type: "number", minimum: 0.5, maximum: -0.5 }, "/maximum Nothing can match: 0.5 is above -0.5."],
  ])("are told: %j", (schema, said) => {
    expect(saidOf(schema)).toEqual([said]);
  });

  it("are not when they are equal", () => {
    expect(saidOf({ type: "string", minLength: 1, maxLength: 1 })).toEqual([]);
    expect(saidOf({ type: "number", minimum: 1, maximum: 1 })).toEqual([]);
  });
});

describe("listed values", () => {
  it.each<[unknown, string | readonly string[], string]>([
    ["a", "integer", '"a"'],
    [1.5, "integer", "1.5"],
    [1, ["string", "null"], "1"],
    [null, "string", "null"],
    [[1], "object", "[1]"],
    [{ a: 1 }, "array", '{"a":1}'],
    [true, "string", "true"],
  ])("%j among those of type %j can never match", (value, type, shown) => {
    const types = typeof type === "string" ? type : type.join(" or ");
    const said = `The value ${shown} is not of type ${types}, so nothing can match it.`;
    expect(saidOf({ type, enum: [value] })).toEqual([`/enum/0 ${said}`]);
    expect(saidOf({ type, const: value })).toEqual([`/const ${said}`]);
  });

  it("are shown to 60 characters", () => {
    const saidOfLength = (length: number) => saidOf({ type: "integer", const: "x".repeat(length) })[0];
    expect(saidOfLength(58)).toContain(`"${"x".repeat(58)}" is`);
    expect(saidOfLength(59)).toContain(`"${"x".repeat(59)}… is`);
  });

  it("are those of the list and of const, which hold for each other and for what is next to them", () => {
    const read = (schema: object) => readSchemas({ schema }).type;
    expect(read({ enum: [1, "a"], const: "a" })).toMatchObject({ kind: "enumeration", values: ["a"] });
    expect(read({ enum: [{ a: 1, b: 2 }], const: { b: 2, a: 1 } })).toMatchObject({ values: [{ b: 2, a: 1 }] });
    expect(read({ enum: [1], const: "a" })).toMatchObject({ kind: "never" });
    expect(read({ type: "integer", enum: [1, 5, 9], minimum: 2, maximum: 8 })).toMatchObject({ values: [5] });
    expect(saidOf({ type: "integer", enum: [1, 5, 9], minimum: 2, maximum: 8 })).toEqual([]);
    expect(read({ type: "string", enum: [] })).toMatchObject({ kind: "never" });
  });
});
