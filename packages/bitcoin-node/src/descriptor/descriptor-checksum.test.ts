import { describe, expect, it } from "vitest";
import { descriptorChecksum } from "./descriptor-checksum.ts";

describe("descriptorChecksum", () => {
  it("is that of BIP 380", () => {
    expect(descriptorChecksum("raw(deadbeef)")).toBe("89f8spxm");
  });

  it("is right where characters of all groups are mixed", () => {
    const key =
      "xpub6DJ2dNUysrn5Vt36jH2KLBT2i1auw1tTSSomg8PhqNiUtx8QX2SvC9nrHu81fT41fvDUnhMjEzQgXnQjKEu3oaqMSzhSrHMxyyoEAmUHQbY";
    expect(descriptorChecksum(`wpkh([d34db33f/84h/0h/0h]${key}/0/*)`)).toBe("cjjspncu");
  });

  it("changes with each character", () => {
    const text =
      "pk(04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c38)";
    const checksums = new Set([descriptorChecksum(text)]);
    for (const position of text.slice(3, -1).split("").keys()) {
      const other = text[position + 3] === "0" ? "1" : "0";
      checksums.add(descriptorChecksum(text.slice(0, position + 3) + other + text.slice(position + 4)));
    }
    expect(checksums.size).toBe(text.length - 4 + 1);
  });

  it("refuses a character that descriptors don't have", () => {
    expect(() => descriptorChecksum("raw(é)")).toThrow("é");
  });
});
