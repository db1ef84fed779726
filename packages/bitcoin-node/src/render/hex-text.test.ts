import { expect, it } from "vitest";
import { answerText } from "../testing/answer-text.ts";
import { renderHex } from "./hex-text.ts";

it.each([0, 1, 131_072, 131_073, 524_288, 524_289, 1_300_000])(
  "%i bytes in hexadecimal are one JSON text",
  async (length) => {
    const bytes = Buffer.alloc(length, "0123456789");
    expect(await answerText(renderHex(bytes))).toBe(JSON.stringify(bytes.toString("hex")));
  },
);
