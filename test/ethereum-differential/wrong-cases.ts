import type { QueryCase } from "./query-case.ts";

/** Values as GraphQL's text, right and wrong ones, by the scalar that they are handed to. */
const literals: Readonly<Record<string, readonly string[]>> = {
  Long: [
    ...["0", "1", "-0", "-1", '"1"', '"0x1"', '"0x01"', '"0x"', '"01"', '""', '" 1"', '"1 "', '"latest"', '"one"'],
    ...["1.0", "1.5", "1e3", "true", "null", "{}", "[1]", "[]", "LATEST", '"0X1"', '"+1"', '"-1"', '"1e3"'],
    ...["2147483647", "2147483648", "9007199254740993", "9223372036854775807", "18446744073709551615"],
    ...["18446744073709551616", '"18446744073709551616"', '"0xffffffffffffffff"', '"0x10000000000000000"'],
  ],
  BigInt: [
    ...["0", "1", "-1", '"1"', '"0x1"', '"0x01"', '"0x"', '""', '"-0x1"', '"one"', "1.5", "true", "null", "[1]"],
    ...[`"0x${"f".repeat(64)}"`, `"0x1${"0".repeat(64)}"`, "340282366920938463463374607431768211456"],
  ],
  Bytes: ['"0x"', '"0x00"', '"0x0"', '"0xgg"', '"00"', '""', '"0X00"', "0", "true", "null", "[]", "{}", '"0xAB"'],
  Bytes32: [
    `"0x${"00".repeat(32)}"`,
    `"0x${"AB".repeat(32)}"`,
    `"0x${"00".repeat(31)}"`,
    `"0x${"00".repeat(33)}"`,
    `"${"00".repeat(32)}"`,
    ...['"0x0"', '"0x"', '""', "0", "true", "null", "[]"],
  ],
  Address: [
    `"0x${"00".repeat(20)}"`,
    `"0x${"Ab".repeat(20)}"`,
    `"0x${"00".repeat(19)}"`,
    `"0x${"00".repeat(21)}"`,
    `"${"00".repeat(20)}"`,
    ...['"0x"', '""', "0", "true", "null", "[]", `"0x${"zz".repeat(20)}"`],
  ],
};

/** Where values of a scalar go: `$` stands for the value, `T` for the type of a variable. */
const places: readonly (readonly [scalar: string, type: string, selection: string])[] = [
  ["Long", "Long", "block(number: $) { number }"],
  ["Long", "Long", "blocks(from: $, to: 1) { number }"],
  ["Long", "Long", "blocks(from: 0, to: $) { hash @skip(if: true) number @skip(if: true) __typename }"],
  ["Long", "Long", "block(number: 1) { miner(block: $) { balance } }"],
  ["Long", "Long!", "block(number: 1) { transactionAt(index: $) { hash } }"],
  ["Long", "Long!", "block(number: 1) { ommerAt(index: $) { hash } }"],
  ["Long", "Long", "logs(filter: { fromBlock: $, toBlock: 1 }) { index }"],
  ["Long", "Long", "block(number: 1) { call(data: { gas: $ }) { status } }"],
  ["BigInt", "BigInt", "block(number: 1) { call(data: { value: $ }) { status } }"],
  ["BigInt", "BigInt", "block(number: 1) { call(data: { gasPrice: $ }) { status } }"],
  ["Bytes", "Bytes", "block(number: 1) { call(data: { data: $ }) { status } }"],
  ["Bytes", "Bytes!", "sendRawTransaction(data: $)"],
  ["Bytes32", "Bytes32", "block(hash: $) { number }"],
  ["Bytes32", "Bytes32!", "transaction(hash: $) { hash }"],
  ["Bytes32", "Bytes32!", "block(number: 1) { logs(filter: { topics: [[$]] }) { index } }"],
  [
    "Bytes32",
    "Bytes32!",
    'block(number: 1) { account(address: "0x00000000000000000000000000000000000000c1") { storage(slot: $) } }',
  ],
  ["Address", "Address!", "block(number: 1) { account(address: $) { balance } }"],
  ["Address", "Address!", "block(number: 1) { logs(filter: { addresses: [$] }) { index } }"],
  ["Address", "Address", "block(number: 1) { call(data: { to: $ }) { status } }"],
];

/** Values of each scalar in each place, right and wrong ones, in the query's text and as variables; and wrong queries. */
export function listWrongCases(): readonly QueryCase[] {
  return [
    ...places.flatMap(([scalar, type, selection]) => {
      const operation = selection.startsWith("send") ? "mutation" : "query";
      const inText = (literals[scalar] ?? []).map((literal) => ({
        kind: `${scalar} in the text: ${shorten(literal)}`,
        query: `${operation} { ${selection.replace("$", literal)} }`,
      }));
      const asVariable = (literals[scalar] ?? [])
        .filter((literal) => literal !== "LATEST")
        .map((literal) => ({
          kind: `${scalar} as a variable: ${shorten(literal)}`,
          query: `${operation} q($v: ${type}) { ${selection.replace("$", "$v")} }`,
          variables: { v: JSON.parse(literal === "-0" ? "0" : literal) as unknown },
        }));
      return [...inText, ...asVariable];
    }),
    ...wrongDocuments.map((query) => ({ kind: `wrong document: ${query}`, query })),
  ];
}

const wrongDocuments: readonly string[] = [
  "",
  "{",
  "{ }",
  "{ nobody }",
  "{ block }",
  "{ block { } }",
  "{ block { nobody } }",
  "{ block { number { a } } }",
  "{ block(height: 1) { number } }",
  "{ transaction { hash } }",
  "{ logs { index } }",
  "{ block { account { balance } } }",
  "{ block { number ...f } }",
  "fragment f on Block { number }",
  "query a { gasPrice } query b { gasPrice }",
  "query q($v: Nobody) { block(number: $v) { number } }",
  "query q($v: Long) { gasPrice }",
  "query q { block(number: $v) { number } }",
  "query q($v: Long!) { block(number: $v) { number } }",
  "mutation { sendRawTransaction }",
  "subscription { block { number } }",
  "{ block { number: hash number } }",
  "{ block @nobody { number } }",
  "{ block @skip { number } }",
  "{ logs(filter: { nobody: 1 }) { index } }",
];

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 20)}… of ${text.length} characters` : text;
}
