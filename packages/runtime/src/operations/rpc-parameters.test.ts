import { describe, expect, it } from "vitest";
import type { ParameterFacts } from "./operation.ts";
import {
  namedParameters,
  readRpcParameters,
  withDocumentNames,
  writeRpcArguments,
  writeRpcParameters,
} from "./rpc-parameters.ts";

const parameter = (name: string, changes: Partial<ParameterFacts> = {}): ParameterFacts => ({
  name,
  property: `${name}Property`,
  location: "argument",
  required: false,
  ...changes,
});

const parameters = [
  parameter("first", { required: true }),
  parameter("second", { default: 2 }),
  parameter("third", { nullable: true }),
];
const tooMany = (most: number) => ({
  pointer: `/${most}`,
  keyword: "maxItems",
  message: `must have at most ${most} parameters`,
});
const unknown = (pointer: string) => ({
  pointer,
  keyword: "additionalProperties",
  message: "must be the name of a parameter",
});
const twice = (property: string) => ({
  pointer: `/${property}`,
  keyword: "givenTwice",
  message: "must not be given by position and by name",
});

describe("parameters of a call", () => {
  it.each<[string, readonly unknown[] | Readonly<Record<string, unknown>>, object]>([
    ["by position", [1, 3, 5], { firstProperty: 1, secondProperty: 3, thirdProperty: 5 }],
    ["by position, the last left out", [1], { firstProperty: 1, secondProperty: 2 }],
    [
      "by position, null for what was left out",
      [null, null, null],
      {
        firstProperty: null,
        secondProperty: 2,
        thirdProperty: null,
      },
    ],
    ["none", [], { secondProperty: 2 }],
    ["by name", { third: false, first: 0 }, { firstProperty: 0, secondProperty: 2, thirdProperty: false }],
    ["by name, with null", { second: null, third: null }, { secondProperty: 2, thirdProperty: null }],
  ])("are read %s", (_name, params, values) => {
    expect(readRpcParameters(parameters, params)).toEqual({ values, violations: [] });
  });

  it("by position are no more than the method has", () => {
    expect(readRpcParameters(parameters, [1, 2, 3]).violations).toEqual([]);
    expect(readRpcParameters(parameters, [1, 2, 3, 4])).toEqual({
      values: { firstProperty: 1, secondProperty: 2, thirdProperty: 3 },
      violations: [tooMany(3)],
    });
  });

  it("by name have names of the method's, of which ten at most are reported", () => {
    expect(readRpcParameters(parameters, { first: 1, "a~/b": 2, toString: 3 }).violations).toEqual([
      unknown("/a~0~1b"),
      unknown("/toString"),
    ]);
    const names = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`x${index}`, 1]));
    expect(readRpcParameters(parameters, names).violations).toHaveLength(10);
  });

  describe("by name, with the first of them in a list", () => {
    it("are read from both", () => {
      expect(readRpcParameters(parameters, { args: [1, 3], third: 5 }, "args")).toEqual({
        values: { firstProperty: 1, secondProperty: 3, thirdProperty: 5 },
        violations: [],
      });
      expect(readRpcParameters(parameters, { args: [], first: 1 }, "args").values).toEqual({
        firstProperty: 1,
        secondProperty: 2,
      });
    });

    it("are given once", () => {
      expect(readRpcParameters(parameters, { args: [1, 3], first: 2, third: 5 }, "args")).toEqual({
        values: { firstProperty: 1, secondProperty: 3, thirdProperty: 5 },
        violations: [twice("firstProperty")],
      });
    });

    it("are no more than the method has, and have its names", () => {
      expect(readRpcParameters(parameters, { args: [1, 2, 3, 4], other: 1 }, "args").violations).toEqual([
        unknown("/other"),
        tooMany(3),
      ]);
    });

    it("need a list, and a method without a parameter of that name", () => {
      expect(readRpcParameters(parameters, { args: 1 }, "args").violations).toEqual([unknown("/args")]);
      expect(readRpcParameters(parameters, { args: [1] }).violations).toEqual([unknown("/args")]);
      expect(readRpcParameters([parameter("args")], { args: [1] }, "args")).toEqual({
        values: { argsProperty: [1] },
        violations: [],
      });
    });
  });

  it("are all had by name", () => {
    expect(namedParameters(parameters, [1], "args")).toEqual([1]);
    expect(namedParameters(parameters, { first: 1 }, "args")).toEqual({ first: 1 });
    expect(namedParameters(parameters, { args: [1, 2], third: 3 }, "args")).toEqual({
      args: [1, 2],
      first: 1,
      second: 2,
      third: 3,
    });
    expect(namedParameters(parameters, { args: [1, 2, 3, 4] }, undefined)).toEqual({ args: [1, 2, 3, 4] });
  });
});

describe("other names of parameters", () => {
  const aliases = { call: { old: "first", older: "first" } };

  it.each<[string, readonly unknown[] | Readonly<Record<string, unknown>>, unknown]>([
    ["call", { old: 1, second: 2 }, { first: 1, second: 2 }],
    ["call", { old: 1, first: 2 }, { old: 1, first: 2 }],
    ["call", { second: 2 }, { second: 2 }],
    ["call", ["old"], ["old"]],
    ["other", { old: 1 }, { old: 1 }],
    ["toString", { old: 1 }, { old: 1 }],
  ])("are those of the document: %s %j", (method, params, named) => {
    expect(withDocumentNames(method, params, aliases)).toEqual(named);
    expect(withDocumentNames(method, params, undefined)).toBe(params);
  });
});

describe("arguments", () => {
  it.each<[object, readonly unknown[]]>([
    [{}, []],
    [{ firstProperty: 1 }, [1]],
    [{ firstProperty: 1, thirdProperty: 3 }, [1, null, 3]],
    [{ thirdProperty: null }, [null, null, null]],
    [{ other: 1 }, []],
  ])("are written by position, without those at the end that are left out: %j", (values, written) => {
    expect(writeRpcParameters(parameters, values as Readonly<Record<string, unknown>>)).toEqual(written);
  });

  const all = { firstProperty: 1, secondProperty: 2, thirdProperty: 3 };
  const gap = { firstProperty: 1, thirdProperty: 3 };
  const head = { firstProperty: 1 };

  it.each<["by-name" | "by-position" | "either" | undefined, Readonly<Record<string, unknown>>, unknown]>([
    ["by-name", head, { first: 1 }],
    ["by-name", all, { first: 1, second: 2, third: 3 }],
    ["by-position", gap, [1, null, 3]],
    ["either", gap, { first: 1, third: 3 }],
    ["either", all, [1, 2, 3]],
    ["either", head, [1]],
    [undefined, gap, { first: 1, third: 3 }],
    [undefined, {}, []],
  ])("are written as the document asks for, %s: %j", (parameterStructure, values, written) => {
    const method = { parameters, ...(parameterStructure === undefined ? {} : { parameterStructure }) };
    expect(writeRpcArguments(method, values)).toEqual(written);
  });
});
