import { describe, expect, it } from "vitest";
import { packageNameOf } from "./package-name.ts";

describe("packageNameOf", () => {
  it.each([
    ["petstore", "petstore"],
    ["PetStore", "petstore"],
    ["pet störe 1", "pet-store-1"],
    ["shop.api_v2", "shop.api_v2"],
    ["-x", "x"],
    ["...", "api"],
    ["日本", "api"],
    ["http", "http-api"],
    ["node_modules", "node_modules-api"],
    ["a".repeat(300), "a".repeat(200)],
  ])("calls the package in %j %j", (directory, name) => {
    expect(packageNameOf(directory)).toBe(name);
  });
});
