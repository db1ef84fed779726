import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretMask } from "./secret-mask.ts";

const secret = fc
  .string({ minLength: 8, maxLength: 40, unit: "grapheme-ascii" })
  .filter((text) => !/^[\s$A-Z_]*$/.test(text));

describe("a secret", () => {
  test("is gone from behind a backslash that makes an escape of its first letter", () => {
    const { mask, holdsSecret } = createSecretMask([{ value: "b        ", placeholder: "$K" }]);
    const text = `\\${encodeURIComponent("b        ")}`;
    expect(holdsSecret(text)).toBe(true);
    expect(mask(text)).toBe("\\$K");
  });

  test.each([
    ["\\", "r\\        "],
    ["%", '41\\"<>    '],
    ["&", 'lt;"<> abcd'],
    ["\\u00", '41"<> abcd'],
  ])("is gone from behind %j, which makes an escape of how %j begins", (before, value) => {
    const { mask, holdsSecret } = createSecretMask([{ value, placeholder: "$K" }]);
    for (const form of [
      JSON.stringify(value).slice(1, -1),
      JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
    ]) {
      expect(holdsSecret(before + form)).toBe(true);
      expect(mask(before + form)).toBe(`${before}$K`);
    }
  });

  test("is gone from in front of what makes an escape of its end", () => {
    const { mask, holdsSecret } = createSecretMask([{ value: ' "     %0', placeholder: "$K" }]);
    expect(holdsSecret(' \\"     %00')).toBe(true);
    expect(mask(' \\"     %00')).toBe("$K0");
  });

  test("is gone from any text, however it is written", () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const { mask, holdsSecret } = createSecretMask([{ value, placeholder: "$K" }]);
        const written = [
          value,
          encodeURIComponent(value),
          new URLSearchParams({ a: value }).toString().slice(2),
          JSON.stringify(value).slice(1, -1),
          Buffer.from(value).toString("base64"),
          Buffer.from(value).toString("base64url"),
          Buffer.from(value).toString("hex"),
        ];
        for (const form of written) {
          expect(holdsSecret(`${before}${form}${after}`)).toBe(true);
          expect(mask(`${before}\n${form}\n${after}`)).not.toContain(form);
        }
      }),
    );
  });

  test("that was cut is gone as well", () => {
    const { mask } = createSecretMask([{ value: "0123456789abcdef", placeholder: "$K" }]);
    expect(mask("the key 0123456789abc… is wrong")).toBe("the key $K… is wrong");
    expect(mask("…6789abcdef is wrong")).toBe("…$K is wrong");
    expect(mask("0123… is short")).toBe("0123… is short");
  });

  test("that was cut inside of an escape is gone as well", () => {
    const { mask } = createSecretMask([{ value: "a+b/c=d&e%f", placeholder: "$K" }]);
    expect(mask("a%2Bb%2Fc%3Dd%2…")).toBe("$K%2…");
    expect(mask("a\\u002bb\\u002fc\\u003dd\\u00… (99 characters)")).toBe("$K\\u00… (99 characters)");
  });

  test("is gone in upper and lower case, unless it is short", () => {
    const { mask } = createSecretMask([
      { value: "Sesame-42", placeholder: "$K" },
      { value: "Main", placeholder: "$S" },
    ]);
    expect(mask("SESAME-42, sesame-42, Sesame-4x, 536573616D652D3432")).toBe("$K, $K, $Kx, $K");
    expect(mask("Main and main")).toBe("$S and main");
  });

  test("leaves other texts alone, and is not told of where it is short", () => {
    const { mask, holdsSecret } = createSecretMask([
      { value: "main", placeholder: "$K" },
      { value: "", placeholder: "$E" },
    ]);
    expect(mask("nothing here")).toBe("nothing here");
    expect(holdsSecret("the main chain")).toBe(false);
  });
});
