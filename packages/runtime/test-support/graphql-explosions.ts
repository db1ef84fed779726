/** A short request that would cause much work, against the schema in specs/ethereum. */
export interface Explosion {
  readonly name: string;
  readonly query: string;
  /** Variables as JSON text of an object. Absent: there are none. */
  readonly variables?: string;
  /** Limit that rejects it before anything is executed; undefined where validation, or the reading of variables, does. */
  readonly limit: string | undefined;
}

const zeros = `"0x${"0".repeat(64)}"`;

function times(count: number, piece: (index: number) => string, separator = " "): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join(separator);
}

/** Returns `count` fragments on Block, each with `body`. */
function fragments(count: number, body: (index: number) => string): string {
  return times(count, (index) => `fragment F${index} on Block { ${body(index)} }`);
}

function nested(count: number, open: string, inside: string, close: string): string {
  return `${open.repeat(count)}${inside}${close.repeat(count)}`;
}

/** Requests of fewer than a million characters each, which is the limit of a request. */
export const explosions: readonly Explosion[] = [
  { name: "600 aliases", query: `{ ${times(600, (index) => `a${index}: block { hash }`)} }`, limit: "aliases" },
  { name: "a field 3,000 times", query: `{ block { ${"hash ".repeat(3_000)}} }`, limit: "repetitions" },
  { name: "a list's field 1,000 times", query: `{ ${"block { hash } ".repeat(1_000)}}`, limit: "repetitions" },
  {
    name: "fields repeated on three levels",
    query: `{ ${`block { ${`parent { ${"hash ".repeat(12)}} `.repeat(12)}} `.repeat(12)} }`,
    limit: "repetitions",
  },
  {
    name: "40 fragments that double",
    query: `{ block { ...F0 } } ${fragments(40, (index) => (index === 39 ? "hash" : `...F${index + 1} ...F${index + 1}`))}`,
    limit: "fields",
  },
  {
    name: "40 fragments that double on each level",
    query: `{ block { ...F0 } } ${fragments(40, (index) => (index === 39 ? "hash" : `a: parent { ...F${index + 1} } b: parent { ...F${index + 1} }`))}`,
    limit: "depth",
  },
  {
    name: "90 fragments, each with all that follow",
    query: `{ block { ...F0 } } ${fragments(90, (index) => `x${index}: hash ${times(89 - index, (next) => `...F${index + next + 1}`)}`)}`,
    limit: "aliases",
  },
  {
    name: "100 fragments of 45 fields in one place",
    query: `{ block { ${times(99, (index) => `...F${index}`)} } } ${fragments(99, (index) => times(45, (field) => `a${index}_${field}: hash`))}`,
    limit: "tokens",
  },
  {
    name: "99 fragments of 5 fields in one place",
    query: `{ block { ${times(99, (index) => `...F${index}`)} } } ${fragments(99, (index) => times(5, (field) => `a${index}_${field}: hash`))}`,
    limit: undefined,
  },
  {
    name: "a fragment in itself",
    query: `{ block { ...F0 } } ${fragments(1, () => "parent { ...F0 }")}`,
    limit: undefined,
  },
  {
    name: "90 fragments in a circle",
    query: `{ block { ...F0 } } ${fragments(90, (index) => `parent { ...F${(index + 1) % 90} }`)}`,
    limit: undefined,
  },
  {
    name: "40 fragments, each in all",
    query: `{ block { ...F0 } } ${fragments(40, () => times(40, (other) => `...F${other}`))}`,
    limit: undefined,
  },
  { name: "4,900 unknown directives", query: `{ block ${"@a ".repeat(4_900)}{ hash } }`, limit: "directives" },
  { name: "10,000 directives", query: `{ block ${"@skip(if: true) ".repeat(10_000)}{ hash } }`, limit: "tokens" },
  {
    name: "500 directives on one field",
    query: `{ block ${"@include(if: true) ".repeat(500)}{ hash } }`,
    limit: undefined,
  },
  {
    name: "25 parents",
    query: `{ ${nested(25, "block { parent { ".slice(8), "hash", "} ").replace("parent", "block")} }`,
    limit: "depth",
  },
  { name: "2,000 parents", query: `{ block { ${nested(2_000, "parent { ", "hash", " }")} } }`, limit: "nesting" },
  { name: "500,000 braces", query: "{".repeat(500_000), limit: "tokens" },
  { name: "4,000 brackets", query: `{ block(number: ${"[".repeat(4_000)}`, limit: "nesting" },
  {
    name: "150 inline fragments inside each other",
    query: `{ ${nested(150, "... { ", "block { hash }", " }")} }`,
    limit: "nesting",
  },
  {
    name: "3,000 inline fragments inside each other",
    query: `{ ${nested(3_000, "... { ", "block { hash }", " }")} }`,
    limit: "nesting",
  },
  {
    name: "a list 100 deep as literal",
    query: `{ logs(filter: { topics: ${nested(100, "[", zeros, "]")} }) { data } }`,
    limit: undefined,
  },
  {
    name: "an object 3,000 deep as literal",
    query: `{ logs(filter: ${nested(3_000, "{ a: ", "1", " }")}) { data } }`,
    limit: "tokens",
  },
  {
    name: "a list 90 deep as variable",
    query: "query ($f: FilterCriteria!) { logs(filter: $f) { data } }",
    variables: `{"f":{"topics":${nested(90, "[", zeros, "]")}}}`,
    limit: undefined,
  },
  {
    name: "a list 100,000 deep as variable",
    query: "query ($f: FilterCriteria!) { logs(filter: $f) { data } }",
    variables: `{"f":${nested(100_000, "[", "1", "]")}}`,
    limit: "variables",
  },
  {
    name: "an object 100,000 deep as variable",
    query: "query ($f: FilterCriteria!) { logs(filter: $f) { data } }",
    variables: nested(100_000, '{"f":', "1", "}"),
    limit: "variables",
  },
  {
    name: "300,000 wrong elements in a variable",
    query: "query ($f: FilterCriteria!) { logs(filter: $f) { data } }",
    variables: `{"f":{"addresses":[${times(300_000, () => "1", ",")}]}}`,
    limit: "variables",
  },
  {
    name: "4,500 wrong elements in a variable",
    query: "query ($f: FilterCriteria!) { logs(filter: $f) { data } }",
    variables: `{"f":{"addresses":[${times(4_500, () => "{}", ",")}]}}`,
    limit: undefined,
  },
  {
    name: "9,000 unknown members of a variable",
    query: "query ($f: FilterCriteria!) { logs(filter: $f) { data } }",
    variables: `{"f":{${times(9_000, (index) => `"fromBlok${index}":1`, ",")}}}`,
    limit: undefined,
  },
  {
    name: "50,000 unknown members of a variable",
    query: "query ($f: FilterCriteria!) { logs(filter: $f) { data } }",
    variables: `{"f":{${times(50_000, (index) => `"fromBlok${index}":1`, ",")}}}`,
    limit: "variables",
  },
  {
    name: "a member's name of 900,000 characters in a variable",
    query: "query ($f: FilterCriteria!) { logs(filter: $f) { data } }",
    variables: `{"f":{"${"a".repeat(900_000)}":1}}`,
    limit: "variableName",
  },
  {
    name: "an integer of 900,000 digits as literal",
    query: `{ block(number: ${"9".repeat(900_000)}) { hash } }`,
    limit: "name",
  },
  {
    name: "an integer of 900,000 digits as variable",
    query: "query ($n: Long) { block(number: $n) { hash } }",
    variables: `{"n":${"9".repeat(900_000)}}`,
    limit: undefined,
  },
  {
    name: "a text of 900,000 characters for a number",
    query: "query ($n: Long) { block(number: $n) { hash } }",
    variables: `{"n":"${"9".repeat(900_000)}"}`,
    limit: undefined,
  },
  {
    name: "a literal of 900,000 characters for a number",
    query: `{ block(number: "${"9".repeat(900_000)}") { hash } }`,
    limit: undefined,
  },
  { name: "a field's name of 900,000 characters", query: `{ ${"a".repeat(900_000)} }`, limit: "name" },
  {
    name: "20 fields' names of 45,000 characters",
    query: `{ ${times(20, (index) => `${"a".repeat(45_000)}${index}`)} }`,
    limit: "name",
  },
  {
    name: "330,000 escapes in a string",
    query: `{ block(hash: "${"\\n".repeat(330_000)}") { hash } }`,
    limit: "escapes",
  },
  {
    name: "120,000 escaped quotes in a block string",
    query: `{ block(hash: """${'\\"""'.repeat(120_000)}""") { hash } }`,
    limit: "escapes",
  },
  {
    name: "450,000 carriage returns in a block string",
    query: `{ block(hash: """${"\r".repeat(450_000)}""") { hash } }`,
    limit: "lines",
  },
  { name: "250,000 comments", query: `${"#\n".repeat(250_000)}{ block { hash } }`, limit: "lines" },
  {
    name: "400,000 empty lines before unknown fields",
    query: `{ ${"\n".repeat(400_000)} ${times(20, (index) => `a${index}`)} }`,
    limit: "lines",
  },
  {
    name: "4,900 empty lines before unknown fields",
    query: `{ ${"\n".repeat(4_900)} ${times(300, (index) => `a${index}`)} }`,
    limit: undefined,
  },
  {
    name: "9,000 empty lines before unknown fields",
    query: `{ ${"\n".repeat(9_000)} ${times(300, (index) => `a${index}`)} }`,
    limit: "lines",
  },
  { name: "3,000 unknown fields", query: `{ ${times(3_000, (index) => `blcok${index}`)} }`, limit: undefined },
  {
    name: "2,000 unknown arguments",
    query: `{ block(${times(2_000, (index) => `numbr${index}: 1`)}) { hash } }`,
    limit: undefined,
  },
  {
    name: "2,000 unknown members",
    query: `{ logs(filter: { ${times(2_000, (index) => `topic${index}: 1`)} }) { data } }`,
    limit: undefined,
  },
  {
    name: "90 unknown types",
    query: `{ block { hash } } ${times(90, (index) => `fragment F${index} on Blok${index} { a }`)}`,
    limit: undefined,
  },
  {
    name: "1,200 operations",
    query: times(1_200, (index) => `query Q${index} { block { hash } }`),
    limit: "definitions",
  },
  {
    name: "3,000 fragments that are not there",
    query: `{ block { ${times(3_000, (index) => `...F${index}`)} } }`,
    limit: "definitions",
  },
  { name: "1,200 fragments", query: `{ block { hash } } ${fragments(1_200, () => "hash")}`, limit: "definitions" },
  {
    name: "95 operations over 400 uses of a variable",
    query: `${times(95, (index) => `query Q${index}($n: Long) { ...F }`)} fragment F on Query { ${times(400, () => `block(number: $n) { hash }`)} }`,
    limit: "fields",
  },
  {
    name: "95 operations over 20 uses of a variable",
    query: `${times(95, (index) => `query Q${index}($n: Long) { ...F }`)} fragment F on Query { ${times(20, () => "block(number: $n) { hash }")} }`,
    limit: "repetitions",
  },
  {
    name: "2,400 variables",
    query: `query (${times(2_400, (index) => `$v${index}: Long`)}) { block { hash } }`,
    limit: undefined,
  },
  {
    name: "1,600 uses of unknown variables",
    query: `{ logs(filter: { topics: [[${times(1_600, (index) => `$v${index}`)}]] }) { data } }`,
    limit: undefined,
  },
  {
    name: "lists in lists of introspection",
    query: "{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }",
    limit: "introspection",
  },
  {
    name: "500 introspections",
    query: `{ ${times(500, (index) => `a${index}: __schema { types { fields { name args { name } } } }`)} }`,
    limit: "introspection",
  },
  {
    name: "400 introspections of a type's fields' types",
    query: `{ ${times(400, (index) => `a${index}: __type(name: "Block") { fields { type { ofType { fields { name } } } } }`)} }`,
    limit: "introspection",
  },
  {
    name: "introspection of 100 types inside each other",
    query: `{ __type(name: "Block") { ${nested(100, "ofType { ", "name", " }")} } }`,
    limit: "introspectionDepth",
  },
  {
    name: "introspection that doubles",
    query: `{ __schema { queryType { ...F0 } } } ${times(15, (index) => `fragment F${index} on __Type { ${index === 14 ? "name" : `a: ofType { ...F${index + 1} } b: ofType { ...F${index + 1} }`} }`)}`,
    limit: "aliases",
  },
];
