import { ServiceError } from "@nodewright/runtime";
import { describe, expect, it } from "vitest";
import { legacyHttpStatus } from "./http-status.ts";
import { rpcError } from "./rpc-error.ts";

describe("the HTTP status of an error", () => {
  it.each([
    ["an unknown method", new ServiceError("unknown_method", ""), 404],
    ["a method that is off", new ServiceError("method_disabled", ""), 404],
    ["an invalid request", new ServiceError("invalid_request", ""), 400],
    ["wrong parameters", rpcError("invalidParameter", ""), 500],
    ["our own failure", new ServiceError("internal", ""), 500],
    ["a node that is away", new ServiceError("upstream_unavailable", ""), undefined],
    ["too many requests", new ServiceError("rate_limited", ""), undefined],
  ])("is Bitcoin Core's for callers of older versions: %s", (_name, error, status) => {
    for (const version of [undefined, "1.0", "1.1"]) expect(legacyHttpStatus(error, version)).toBe(status);
    expect(legacyHttpStatus(error, "2.0")).toBeUndefined();
  });
});
