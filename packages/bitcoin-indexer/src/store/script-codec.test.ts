import { describe, expect, it } from "vitest";
import { ByteReader, ByteWriter } from "./byte-codec.ts";
import { readScript, readSpentScript, writeScript, writeSpentScript } from "./script-codec.ts";

function written(script: Uint8Array): string {
  const writer = new ByteWriter();
  writeScript(writer, script);
  return writer.take().toString("hex");
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}

const of20 = "0102030405060708090a0b0c0d0e0f1011121314";
const of32 = `${of20}15161718191a1b1c1d1e1f20`;
const of33 = `02${of32}`;
const of65 = `04${of32}${of32}`;

/** Scripts of the forms in the order of their numbers, which is part of the layout; the stored rest of each; and the constant bytes. */
const forms = [
  { script: `76a914${of20}88ac`, rest: of20, constant: [0, 1, 2, 23, 24] },
  { script: `a914${of20}87`, rest: of20, constant: [0, 1, 22] },
  { script: `0014${of20}`, rest: of20, constant: [0, 1] },
  { script: `0020${of32}`, rest: of32, constant: [0, 1] },
  { script: `5120${of32}`, rest: of32, constant: [0, 1] },
  { script: `21${of33}ac`, rest: of33, constant: [0, 34] },
  { script: `41${of65}ac`, rest: of65, constant: [0, 66] },
];

describe("a script", () => {
  it.each(forms.map((form, number) => ({ ...form, number })))("$script is form $number", ({ script, rest, number }) => {
    expect(written(bytesOf(script))).toBe(`0${number}${rest}`);
    expect(Buffer.from(readScript(new ByteReader(bytesOf(`0${number}${rest}`)))).toString("hex")).toBe(script);
  });

  it.each(forms)("is plain where a constant byte of $script is another", ({ script, constant }) => {
    for (const position of constant) {
      const other = bytesOf(script);
      other[position] = 0xfe;
      const hex = written(other);
      expect(hex).toBe(`${(other.length + 16).toString(16).padStart(2, "0")}${other.toString("hex")}`);
      expect(Buffer.from(readScript(new ByteReader(bytesOf(hex)))).equals(other)).toBe(true);
    }
  });

  it.each([
    ["", "10"],
    ["6a", "116a"],
    ["00".repeat(112), `8001${"00".repeat(112)}`],
  ])("%s is written as %s", (script, hex) => {
    expect(written(bytesOf(script))).toBe(hex);
    expect(Buffer.from(readScript(new ByteReader(bytesOf(hex)))).toString("hex")).toBe(script);
  });

  it("of a form that is unknown is not read", () => {
    for (const number of ["07", "0e", "0f"]) {
      expect(() => readScript(new ByteReader(bytesOf(`${number}${of65}`)))).toThrow(
        "A row of the index names an unknown form of script",
      );
    }
  });
});

describe("a spent script", () => {
  const script = bytesOf(`0014${of20}`);

  function writtenBehind(before: Uint8Array | undefined): string {
    const writer = new ByteWriter();
    writeSpentScript(writer, script, before);
    return writer.take().toString("hex");
  }

  it("is one byte behind the same script", () => {
    expect(writtenBehind(Buffer.from(script))).toBe("0f");
    expect(writtenBehind(script.subarray(0, -1))).toBe(`02${of20}`);
    expect(writtenBehind(undefined)).toBe(`02${of20}`);
    expect(readSpentScript(new ByteReader(bytesOf("0f")), script)).toBe(script);
    expect(Buffer.from(readSpentScript(new ByteReader(bytesOf(`02${of20}`)), Buffer.of(1))).equals(script)).toBe(true);
  });

  it("is not read from that byte where there is no script before it", () => {
    expect(() => readSpentScript(new ByteReader(bytesOf("0f")), undefined)).toThrow("unknown form");
  });
});
