import { describe, expect, it } from "vitest";
import { createCommandReference } from "./description/command-reference.ts";
import { renderCommandHelp } from "./command/help-text.ts";
import { createParameterRefusal } from "./invalid-parameters.ts";

const hash = { $ref: "#/components/schemas/Hash" };
const reference = createCommandReference({
  openrpc: "1.3.2",
  info: { title: "Test", version: "1.0.0" },
  methods: [
    {
      name: "getblock",
      description: "A block.",
      params: [
        { name: "blockhash", required: true, schema: hash },
        { name: "verbosity", schema: { oneOf: [{ type: "integer" }, { type: "boolean" }], default: 1 } },
      ],
    },
    {
      name: "getblockhash",
      description: "A hash.",
      params: [{ name: "height", required: true, schema: { type: "integer" } }],
    },
    {
      name: "getrawtransaction",
      description: "A transaction.",
      params: [{ name: "txid", required: true, schema: hash }],
    },
    {
      name: "sendrawtransaction",
      description: "Sends.",
      params: [
        { name: "hexstring", required: true, schema: { type: "string" } },
        { name: "maxfeerate", schema: { type: "number" } },
        { name: "maxburnamount", schema: { type: "number" } },
      ],
    },
    {
      name: "gettxoutsetinfo",
      description: "Statistics.",
      params: [{ name: "hash_type", schema: { type: "string" } }],
    },
  ],
  components: { schemas: { Hash: { type: "string" } } },
});
const refuse = createParameterRefusal(reference);

function refusal(method: string, params: unknown, ...violations: (readonly [pointer: string, keyword: string])[]) {
  const error = refuse(
    method,
    violations.map(([pointer, keyword]) => ({ pointer, keyword, message: "" })),
    params,
  );
  return { code: error.rpcCode, message: error.message };
}

describe("createParameterRefusal", () => {
  it("answers a missing parameter with the help of the method", () => {
    const help = renderCommandHelp(reference.commands.get("getblock") ?? expect.unreachable());
    expect(refusal("getblock", [], ["", "required"])).toEqual({ code: -1, message: help });
    expect(refusal("getblock", [], ["/blockhash", "required"])).toEqual({ code: -1, message: help });
  });

  it("answers one parameter too many with the help of the method", () => {
    expect(refusal("getblockhash", [1, 2], ["/1", "maxItems"])).toEqual({
      code: -1,
      message: expect.stringContaining("getblockhash height"),
    });
  });

  it("names an unknown parameter", () => {
    expect(refusal("getblock", { blockhash: "00", depth: 1 }, ["/depth", "additionalProperties"])).toEqual({
      code: -8,
      message: "Unknown named parameter depth",
    });
  });

  it("names a parameter that is given by position and by name", () => {
    const params = { args: ["00"], blockhash: "00" };
    expect(refusal("getblock", params, ["/blockhash", "givenTwice"])).toEqual({
      code: -8,
      message: "Parameter blockhash specified twice both as positional and named argument",
    });
  });

  it("says the position, the name and both types of a wrong type", () => {
    expect(refusal("getblock", [170], ["/blockhash", "type"])).toEqual({
      code: -3,
      message:
        'Wrong type passed:\n{\n    "Position 1 (blockhash)": "JSON value of type number is not of expected type string"\n}',
    });
  });

  it("names every parameter of a wrong type", () => {
    const { message } = refusal("getblock", [null, "1"], ["/blockhash", "type"], ["/verbosity", "oneOf"]);
    expect(message).toContain("JSON value of type null is not of expected type string");
    expect(message).toContain(
      '"Position 2 (verbosity)": "JSON value of type string is not of expected type number or bool"',
    );
  });

  it("finds values that were sent by name", () => {
    expect(refusal("getblock", { blockhash: true }, ["/blockhash", "type"]).message).toContain("type bool");
  });

  it("finds parameters whose names have underscores", () => {
    expect(refusal("gettxoutsetinfo", [1], ["/hashType", "type"]).message).toContain("Position 1 (hash_type)");
  });

  it("says the length of a hash that is too short, in bytes", () => {
    expect(refusal("getblock", ["zz"], ["/blockhash", "pattern"])).toEqual({
      code: -8,
      message: "blockhash must be of length 64 (not 2, for 'zz')",
    });
    expect(refusal("getrawtransaction", ["é"], ["/txid", "pattern"]).message).toBe(
      "parameter 1 must be of length 64 (not 2, for 'é')",
    );
  });

  it("says that a hash of the right length is not hexadecimal", () => {
    expect(refusal("getblock", ["z".repeat(64)], ["/blockhash", "pattern"]).message).toBe(
      `blockhash must be hexadecimal string (not '${"z".repeat(64)}')`,
    );
  });

  it("sends no long text back", () => {
    expect(refusal("getblock", ["z".repeat(100_000)], ["/blockhash", "pattern"]).message.length).toBeLessThan(200);
    expect(
      refusal("getblock", { ["y".repeat(100_000)]: 1 }, [`/${"y".repeat(100_000)}`, "additionalProperties"]).message
        .length,
    ).toBeLessThan(200);
  });

  it.each([
    ["below what there is", -1, "minimum", -8, "Block height out of range"],
    ["below what an integer can be", -(2 ** 31) - 1, "minimum", -1, "JSON integer out of range"],
    ["above what a height can be", 2 ** 31, "maximum", -1, "JSON integer out of range"],
    ["above what a double holds", 2n ** 70n, "maximum", -1, "JSON integer out of range"],
    ["with a fraction", 1.5, "type", -1, "JSON integer out of range"],
  ])("refuses a height %s", (_what, height, keyword, code, message) => {
    expect(refusal("getblockhash", [height], ["/height", keyword])).toEqual({ code, message });
  });

  it.each([
    ["a number that is out of range", "getblockhash", [1.5], ["/height", "type"], ["height"]],
    ["a number sent by name", "getblockhash", { height: 2 ** 31 }, ["/height", "maximum"], ["height"]],
    ["a hash that Bitcoin Core gives another name", "getrawtransaction", ["zz"], ["/txid", "pattern"], ["txid"]],
    ["a name with underscores", "gettxoutsetinfo", [1], ["/hashType", "type"], ["hash_type"]],
    ["a missing one", "getblock", [], ["/blockhash", "required"], ["blockhash"]],
    ["an amount", "sendrawtransaction", ["00", 1e-9, 1], ["", "format"], ["maxfeerate"]],
    ["an amount sent by name", "sendrawtransaction", { maxburnamount: 1e-9 }, ["", "format"], ["maxburnamount"]],
    ["a part of one", "getblock", ["00", [1]], ["/verbosity/0", "type"], ["verbosity"]],
  ] as const)("names the parameter beside the message: %s", (_what, method, params, [pointer, keyword], parameters) => {
    expect(refuse(method, [{ pointer, keyword, message: "" }], params).details).toEqual({ parameters });
  });

  it("names every parameter that does not fit, and none where there are too many", () => {
    const violations = ["/blockhash", "/verbosity"].map((pointer) => ({ pointer, keyword: "type", message: "" }));
    expect(refuse("getblock", violations, [1, "1"]).details).toEqual({ parameters: ["blockhash", "verbosity"] });
    const surplus = { pointer: "/1", keyword: "maxItems", message: "" };
    expect(refuse("getblockhash", [surplus], [1, 2]).details).toBeUndefined();
  });

  it("takes only what no parameter is named for as an amount", () => {
    expect(refusal("getblock", ["00"], ["", "format"])).toEqual({ code: -3, message: "Invalid amount" });
    expect(refusal("getblock", ["00"], ["", "type"])).toEqual({ code: -8, message: "Invalid parameter" });
    expect(refusal("getblock", ["00"], ["/blockhash", "format"])).toEqual({
      code: -8,
      message: "Invalid parameter blockhash",
    });
  });

  it("has a response for what it can't explain", () => {
    expect(refusal("getblock", ["00"])).toEqual({ code: -8, message: "Invalid parameter" });
    expect(refusal("nosuchmethod", [], ["/0", "maxItems"]).code).toBe(-8);
  });
});
