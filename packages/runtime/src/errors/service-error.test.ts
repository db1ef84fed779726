import { describe, expect, it } from "vitest";
import { errorAppearances, isServiceError, ServiceError, type ServiceErrorCode } from "./service-error.ts";

describe("a service error", () => {
  // Clients depend on these: a change breaks them.
  it.each<[ServiceErrorCode, number, number, number, string]>([
    ["unauthenticated", 401, -32001, 401, "UNAUTHENTICATED"],
    ["method_disabled", 403, -32601, 200, "FORBIDDEN"],
    ["forbidden", 403, -32003, 403, "FORBIDDEN"],
    ["method_not_allowed", 405, -32600, 405, "BAD_USER_INPUT"],
    ["unknown_method", 404, -32601, 200, "BAD_USER_INPUT"],
    ["not_implemented", 501, -32601, 200, "NOT_IMPLEMENTED"],
    ["parse_error", 400, -32700, 200, "BAD_USER_INPUT"],
    ["invalid_request", 400, -32600, 200, "BAD_USER_INPUT"],
    ["invalid_input", 400, -32602, 200, "BAD_USER_INPUT"],
    ["unprocessable", 422, -32602, 200, "BAD_USER_INPUT"],
    ["not_found", 404, -32602, 200, "NOT_FOUND"],
    ["too_large", 413, -32600, 413, "BAD_USER_INPUT"],
    ["unsupported_media_type", 415, -32600, 415, "BAD_USER_INPUT"],
    ["expectation_failed", 417, -32600, 417, "BAD_USER_INPUT"],
    ["rate_limited", 429, -32005, 429, "RATE_LIMITED"],
    ["overloaded", 503, -32005, 503, "OVERLOADED"],
    ["not_installed", 404, -32601, 404, "NOT_INSTALLED"],
    ["installing", 503, -32603, 503, "UPSTREAM_UNAVAILABLE"],
    ["upstream_unavailable", 503, -32603, 503, "UPSTREAM_UNAVAILABLE"],
    ["upstream_timeout", 504, -32015, 504, "UPSTREAM_TIMEOUT"],
    ["internal", 500, -32603, 200, "INTERNAL_SERVER_ERROR"],
  ])("of the code %s has its statuses and codes", (code, httpStatus, rpcCode, rpcHttpStatus, graphqlCode) => {
    expect(new ServiceError(code, "")).toMatchObject({ httpStatus, rpcCode, rpcHttpStatus, graphqlCode });
  });

  it("is in this test with each of its codes", () => {
    expect(Object.keys(errorAppearances)).toHaveLength(21);
  });

  it("has what it was given, a code of an API's own too", () => {
    const options = { details: { a: 1 }, rpcCode: -8, retryAfterSeconds: 2, cause: "why" };
    expect(new ServiceError("internal", "text", options)).toMatchObject({
      name: "ServiceError",
      message: "text",
      ...options,
    });
    const { details, retryAfterSeconds, cause } = new ServiceError("internal", "text");
    expect([details, retryAfterSeconds, cause]).toEqual([undefined, undefined, undefined]);
  });

  it("is known by its name, and kept as it is", () => {
    const copy = Object.assign(new Error("of another copy"), { name: "ServiceError" });
    expect(
      [new ServiceError("internal", ""), copy, new Error("a"), { name: "ServiceError" }, null].map(isServiceError),
    ).toEqual([true, true, false, false, false]);
    expect(ServiceError.from(copy)).toBe(copy);
  });

  it("is made of what an error says that callers see of it", () => {
    const publicFailure = { code: "upstream_timeout", message: "Too late", retryAfterSeconds: 5 };
    const reason = Object.assign(new Error("http://secret"), { publicFailure });
    expect(ServiceError.from(reason)).toMatchObject({ name: "ServiceError", ...publicFailure, cause: reason });
  });

  it.each<[string, unknown]>([
    ["an error that says nothing", new Error("secret")],
    ["what is no error", { publicFailure: { code: "not_found", message: "secret" } }],
    ["nothing", undefined],
    ...[
      null,
      "secret",
      {},
      { code: "not_found" },
      { message: "secret" },
      { code: 5, message: "secret" },
      { code: "toString", message: "secret" },
    ].map((publicFailure): [string, unknown] => [
      `an error that says ${JSON.stringify(publicFailure)}`,
      Object.assign(new Error("secret"), { publicFailure }),
    ]),
  ])("is internal, without a word of it, for %s", (_name, reason) => {
    const error = ServiceError.from(reason);
    expect([error.code, error.message, error.cause]).toEqual(["internal", "Internal error", reason]);
  });
});
