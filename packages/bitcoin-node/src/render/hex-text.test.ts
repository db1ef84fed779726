import { expect, it } from "vitest";
import { responseText } from "../testing/response-text.ts";
import { renderHex } from "./hex-text.ts";

it.each([0, 1, 131_072, 131_073, 524_288, 524_289, 1_300_000])(
  "%i bytes in hexadecimal are one JSON text",
  async (length) => {
    const bytes = Buffer.alloc(length, "0123456789");
    expect(await responseText(renderHex(bytes))).toBe(JSON.stringify(bytes.toString("hex")));
  },
);
