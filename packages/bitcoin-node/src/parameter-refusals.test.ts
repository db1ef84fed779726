import { documentText } from "@nodewright/bitcoin-api/document";
import { describe, expect, it } from "vitest";
import { createCommandReference } from "./description/command-reference.ts";
import { createParameterRefusal } from "./invalid-parameters.ts";

const refuse = createParameterRefusal(createCommandReference(JSON.parse(documentText)));

/** Returns code, message and the names of the parameters for violations of the form `keyword pointer`. */
function refusalOf(method: string, params: unknown, ...violations: readonly string[]) {
  const found = violations.map((violation) => {
    const [keyword = "", pointer = ""] = violation.split(" ");
    return { keyword, pointer, message: "" };
  });
  const { rpcCode, message, details } = refuse(method, found, params);
  const parameters = (details as { readonly parameters?: readonly string[] } | undefined)?.parameters;
  return [`${rpcCode} ${message}`, ...(parameters ?? [])];
}

const wrongType = (place: string, found: string, expected: string) =>
  `-3 Wrong type passed:\n{\n    "${place}": "JSON value of type ${found} is not of expected type ${expected}"\n}`;

type Row = [method: string, params: unknown, violation: string, refusal: string, name: string];

/** First parameters that are lists of strings. */
const lists = [
  ["combinepsbt", "txs"],
  ["combinerawtransaction", "txs"],
  ["joinpsbts", "txs"],
  ["submitpackage", "package"],
  ["testmempoolaccept", "rawtxs"],
] as const;

describe("parameters of the interface that don't fit", () => {
  it.each<Row>([
    ["getblockhash", [-1], "minimum /height", "-8 Block height out of range", "height"],
    ["getblockhash", [2 ** 31], "maximum /height", "-1 JSON integer out of range", "height"],
    ["getblockhash", [-0x80000000], "minimum /height", "-8 Block height out of range", "height"],
    ["getblockhash", [-0x80000001], "minimum /height", "-1 JSON integer out of range", "height"],
    ["getnodeaddresses", [-1], "minimum /count", "-8 Address count out of range", "count"],
    [
      "getchaintxstats",
      [-1],
      "minimum /nblocks",
      "-8 Invalid block count: should be between 0 and the block's height - 1",
      "nblocks",
    ],
    ["getnetworkhashps", [-2], "minimum /blocks", "-8 Invalid nblocks. Must be a positive number or -1.", "blocks"],
    ["getnetworkhashps", [1, -2], "minimum /height", "-8 Block does not exist at specified height", "height"],
    ["getnetworkhashps", { height: -2 }, "minimum /height", "-8 Block does not exist at specified height", "height"],
    ["estimatefee", [0], "minimum /numblocks", "-8 Invalid numblocks, must be between 1 and 1008", "numblocks"],
    ["estimatefee", [1009], "maximum /numblocks", "-8 Invalid numblocks, must be between 1 and 1008", "numblocks"],
    [
      "estimatesmartfee",
      [0],
      "minimum /confTarget",
      "-8 Invalid conf_target, must be between 1 and 1008",
      "conf_target",
    ],
    ["estimatesmartfee", [1.5], "type /confTarget", "-1 JSON integer out of range", "conf_target"],
    ["getblock", ["00"], "pattern /blockhash", "-8 blockhash must be of length 64 (not 2, for '00')", "blockhash"],
    ["getrawtransaction", ["00"], "pattern /txid", "-8 parameter 1 must be of length 64 (not 2, for '00')", "txid"],
    [
      "getrawtransaction",
      ["00", 1, "00"],
      "pattern /blockhash",
      "-8 parameter 3 must be of length 64 (not 2, for '00')",
      "blockhash",
    ],
    ["getblock", [7], "type /blockhash", wrongType("Position 1 (blockhash)", "number", "string"), "blockhash"],
    ["getblock", [["a"]], "type /blockhash", wrongType("Position 1 (blockhash)", "array", "string"), "blockhash"],
    // Bitcoin Core's messages about parts.
    ["gettxout", ["00", 0], "pattern /txid", "-8 txid must be of length 64 (not 2, for '00')", "txid"],
    ["gettxoutproof", [[]], "minItems /txids", "-8 Parameter 'txids' cannot be empty", "txids"],
    [
      "getheaders",
      [["00"]],
      "pattern /blocklocators/0",
      "-8 blocklocators must be of length 64 (not 2, for '00')",
      "blocklocators",
    ],
    ["getblockstats", [-1], "minimum /hashOrHeight", "-8 Target block height -1 is negative", "hash_or_height"],
    ["gettxspendingprevout", [[]], "minItems /outputs", "-8 Invalid parameter, outputs are missing", "outputs"],
    [
      "createrawtransaction",
      [[], null],
      "type /outputs",
      "-8 Invalid parameter, output argument must be non-null",
      "outputs",
    ],
    [
      "createrawtransaction",
      [[1], {}],
      "type /inputs/0",
      wrongType("Position 1 (inputs), at [0]", "number", "object"),
      "inputs",
    ],
    ["createrawtransaction", [1, {}], "type /inputs", wrongType("Position 1 (inputs)", "number", "array"), "inputs"],
    [
      "deriveaddresses",
      ["raw(00)", "x"],
      "type /range",
      "-8 Range must be specified as end or as [begin,end]",
      "range",
    ],
    ["deriveaddresses", { range: -1 }, "minimum /range", "-8 End of range is too high", "range"],
    ["scantxoutset", ["begin"], "enum /action", "-8 Invalid action 'begin'", "action"],
    ...lists.map(([method, name]): Row => {
      return [method, [["00", 7]], `type /${name}/1`, wrongType(`${name}[1]`, "number", "string"), name];
    }),
    [
      "searchrawtransactions",
      { filteraddrs: [7] },
      "type /filteraddrs/0",
      wrongType("filteraddrs[0]", "number", "string"),
      "filteraddrs",
    ],
    [
      "getblock",
      ["00", "x"],
      "pattern /verbosity",
      wrongType("Position 2 (verbosity)", "string", "number or bool"),
      "verbosity",
    ],
    ["getblock", [[]], "pattern /blockhash", wrongType("Position 1 (blockhash)", "array", "string"), "blockhash"],
    ["getblock", ["00"], "maxLength /blockhash", "-8 Invalid parameter blockhash", "blockhash"],
    ["getblock", ["00", 9], "minimum /verbosity", "-8 Invalid parameter verbosity", "verbosity"],
    ["getblock", ["00", 9], "maximum /verbosity", "-1 JSON integer out of range", "verbosity"],
  ])("%s %o: %s", (method, params, violation, refusal, name) => {
    expect(refusalOf(method, params, violation)).toEqual([refusal, name]);
  });

  it("are told of in the order of the method, the types before the values", () => {
    expect(refusalOf("getblock", ["zz", "x"], "type /verbosity", "pattern /blockhash")).toEqual([
      wrongType("Position 2 (verbosity)", "string", "number or bool"),
      "blockhash",
      "verbosity",
    ]);
    expect(refusalOf("getblock", ["zz", 9], "maximum /verbosity", "pattern /blockhash")[0]).toMatch(
      /blockhash must be/,
    );
  });

  it("may be too many or too few", () => {
    const help = /^-1 getblock "blockhash"/;
    expect(refusalOf("getblock", [], "required /blockhash")[0]).toMatch(help);
    expect(refusalOf("getblock", [], "required ")[0]).toMatch(help);
    expect(refusalOf("getblock", ["00", 1, 2], "maxItems /2")[0]).toMatch(help);
    expect(refusalOf("getblock", ["00", 1, 2], "additionalProperties /2")[0]).not.toMatch(/Unknown named/);
    // The message about a part differs.
    expect(refusalOf("createrawtransaction", [[{}], {}], "required /inputs/0")[0]).not.toMatch(/^-1 createraw/);
    expect(refusalOf("gettxoutproof", [Array(9).fill("00")], "maxItems /txids")[0]).not.toMatch(/^-1 gettxoutproof/);
    expect(refusalOf("getblock", { blockhash: "00", "a/b~": 1 }, "additionalProperties /a~1b~0")).toEqual([
      "-8 Unknown named parameter a/b~",
    ]);
  });

  it("may be given twice", () => {
    const twice = (name: string) => `-8 Parameter ${name} specified twice both as positional and named argument`;
    expect(refusalOf("estimatesmartfee", { args: [1], conf_target: 1 }, "givenTwice /confTarget")).toEqual([
      twice("conf_target"),
      "conf_target",
    ]);
  });

  it("may hold parts of a satoshi, in whatever parameter", () => {
    expect(refusalOf("sendrawtransaction", ["00", 1e-9], "format ")).toEqual(["-3 Invalid amount", "maxfeerate"]);
    expect(refusalOf("sendrawtransaction", ["00", 1, 1e-9], "format ")).toEqual(["-3 Invalid amount", "maxburnamount"]);
    expect(refusalOf("createrawtransaction", [[], [{ a: 1 }, { b: 1e-9 }]], "format ")).toEqual([
      "-3 Invalid amount",
      "outputs",
    ]);
    expect(refusalOf("createrawtransaction", { inputs: [], outputs: { a: null, b: 1e-9 } }, "format ")).toEqual([
      "-3 Invalid amount",
      "outputs",
    ]);
  });

  it("are told of by the first of thousands of violations", () => {
    const txs = Array(20_000).fill(7);
    const violations = txs.map((_, index) => `type /txs/${index}`);
    expect(refusalOf("combinepsbt", [txs], ...violations)).toEqual([wrongType("txs[0]", "number", "string"), "txs"]);
  });

  it("of a method that nobody knows are not explained", () => {
    expect(refusalOf("nobody", [], "required /a")).toEqual(["-8 Invalid parameter"]);
    expect(refusalOf("getblock", null)).toEqual(["-8 Invalid parameter"]);
  });
});
