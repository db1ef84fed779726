import { describe, expect, it } from "vitest";
import { maskKey } from "./mask-key.ts";

const key = 'correct-horse.(1)"\\';
const start = "correct-horse.(1";
const hidden = "(API key)";

describe("hideKey", () => {
  it.each([
    ["alone", key, hidden],
    ["twice", `a ${key}, b ${key}`, `a ${hidden}, b ${hidden}`],
    ["next to an escape", `%20${key}%20`, `%20${hidden}%20`],
    ["with a character escaped", 'correct%2Dhorse.(1)"\\', hidden],
    ["with another one escaped, in lower case", 'correct-horse%2e(1)"\\', hidden],
    ["with another one escaped, in capitals", 'correct-horse%2E(1)"\\', hidden],
    ["with a character escaped twice", 'correct-horse%252e(1)"\\', hidden],
    ["with characters escaped behind the first ones", "correct-horse.(1%29%22%5c%20", `${hidden}%20`],
    ["escaped and not", `${key} correct-horse.%281)"\\`, `${hidden} ${hidden}`],
    ["in JSON", JSON.stringify({ [key]: `a ${key}` }), `{"${hidden}":"a ${hidden}"}`],
    ["cut off", `'${key.slice(0, -2)}…'`, `'${hidden}…'`],
    ["cut off behind its first 16 characters", `'${start}…'`, `'${hidden}…'`],
  ])("replaces a key: %s", (_name, text, expected) => {
    expect(maskKey(text, key)).toBe(expected);
  });

  it.each([
    ["something else in place of a character", "correct-horsex(1)%20"],
    ["fewer than 16 characters of it", `${start.slice(0, -1)}%20`],
    ["its end", `${key.slice(1)}%20`],
    ["another character escaped", "correct-horse.(%32)"],
    ["its characters in capitals", key.toUpperCase()],
    ["its characters in capitals, next to an escape", `${key.toUpperCase()}%20`],
    ["nothing", ""],
  ])("leaves other text as it is: %s", (_name, text) => {
    expect(maskKey(text, key)).toBe(text);
  });

  it.each([
    [15, "x".repeat(15)],
    [16, hidden],
    [256, hidden],
  ])("leaves keys alone that are too short to be unmistakable: %i characters", (length, expected) => {
    expect(maskKey("x".repeat(length), "x".repeat(length))).toBe(expected);
  });

  it.each([
    ["%".repeat(256), "%25".repeat(5_000)],
    ["%25".repeat(80), "%2525".repeat(3_000)],
    [`${"\\".repeat(15)}x`, "\\".repeat(15_000)],
    [`${"%".repeat(15)}x`, `%${"25".repeat(7_500)}`],
  ])("takes time with the length of the text alone: %#", (repetitive, text) => {
    const before = process.cpuUsage();
    maskKey(text, repetitive);
    const { user, system } = process.cpuUsage(before);

    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});
