import type { FastifyRequest } from "fastify";
import { describe, expect, it, vi } from "vitest";
import type { ValueFacts } from "../operations/operation.ts";
import { restOperations } from "../testing/hand-made-operations.ts";
import { createResponseCheck } from "./response-check.ts";
import type { PluginOptions } from "./plugin-options.ts";

const violations = [
  { pointer: "/a", keyword: "type", message: "is wrong" },
  { pointer: "", keyword: "required", message: "lacks b" },
];
const output: ValueFacts<unknown> = {
  is: (value): value is unknown => value === "right",
  violationsOf: () => violations,
} as ValueFacts<unknown>;
const operation = { ...restOperations.getHeight, name: "getHeight", output };

const check = (options: Partial<PluginOptions<unknown>>, wire: () => unknown) => {
  const warn = vi.fn();
  const request = { log: { warn } } as unknown as FastifyRequest;
  const responses = createResponseCheck({ context: () => undefined, ...options } as PluginOptions<unknown>);
  return { isOn: responses.isOn, request, warn, assert: () => responses.assert(operation, wire, request) };
};

describe("a response that is validated", () => {
  it("is not looked at where nobody wants that", () => {
    const wire = vi.fn(() => "wrong");
    const { isOn, assert } = check({ validateResponses: "off" }, wire);
    assert();
    expect([isOn, wire.mock.calls.length]).toEqual([false, 0]);
  });

  it.each(["log", "throw"] as const)("passes when it conforms to its type: %s", (validateResponses) => {
    const onInvalidResponse = vi.fn();
    const { isOn, warn, assert } = check({ validateResponses, onInvalidResponse }, () => "right");
    assert();
    expect([isOn, warn.mock.calls.length, onInvalidResponse.mock.calls.length]).toEqual([true, 0, 0]);
  });

  it("is an internal error for who wants that, with the reasons for the log", () => {
    const { assert, warn } = check({ validateResponses: "throw" }, () => "wrong");
    let thrown: unknown;
    try {
      assert();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({
      code: "internal",
      message: "Internal error",
      cause: { message: "The response of getHeight does not match its document: /a: is wrong; : lacks b" },
    });
    expect(warn).not.toHaveBeenCalled();
  });

  it("is reported to whoever listens, or else to the log", () => {
    const onInvalidResponse = vi.fn();
    const listened = check({ validateResponses: "log", onInvalidResponse }, () => "wrong");
    listened.assert();
    expect(onInvalidResponse).toHaveBeenCalledExactlyOnceWith(operation, violations, listened.request);
    expect(listened.warn).not.toHaveBeenCalled();
    const logged = check({ validateResponses: "log" }, () => "wrong");
    logged.assert();
    expect(logged.warn).toHaveBeenCalledExactlyOnceWith(
      { violations },
      "The response of getHeight does not match its document",
    );
  });
});
