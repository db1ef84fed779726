import { describe, expect, it } from "vitest";
import { readDuration, renderDuration } from "./duration.ts";

describe("readDuration", () => {
  it.each([
    ["500ms", 500],
    ["30s", 30_000],
    ["10m", 600_000],
    ["1h30m", 5_400_000],
    ["1.5s", 1500],
    ["1d", 86_400_000],
    ["7", 7000],
  ])("reads %s", (text, milliseconds) => {
    expect(readDuration(text)).toBe(milliseconds);
  });

  it.each([[""], ["0"], ["0s"], ["-1s"], ["10 m"], ["m"], ["1e3s"], ["5y"], ["99999d"], ["1..5s"], ["NaN"]])(
    "refuses %j",
    (text) => {
      expect(readDuration(text)).toBeUndefined();
    },
  );
});

describe("renderDuration", () => {
  it.each([
    [12.4, "12 ms"],
    [1834, "1.8 s"],
    [61_000, "61 s"],
    [200_000, "3 min 20 s"],
    [600_000, "10 min"],
    [7_500_000, "2 h 5 min"],
  ])("writes %d ms", (milliseconds, text) => {
    expect(renderDuration(milliseconds)).toBe(text);
  });
});
