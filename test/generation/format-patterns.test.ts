import * as formats from "@nodewright/runtime/formats";
import { patternHazard } from "@nodewright/model";
import { describe, expect, it } from "vitest";

/** Texts that lead each check through all of its expressions. */
const texts: Readonly<Record<keyof typeof formats, readonly string[]>> = {
  isBase64: ["YQ=="],
  isBase64Url: ["YQ"],
  isDate: ["2024-02-29"],
  isDateTime: ["2024-02-29T00:00:00Z"],
  isDuration: ["P1Y2M3DT4H5M6S"],
  isEmail: ["jane@example.com", '"a b"@example.com', "jane@[IPv6:::1]", "jane@[192.0.2.1]", "é@x"],
  isHostname: ["www.example.com", "xn--bcher-kva.example"],
  isIdnEmail: ["é@bücher.example", '"é b"@example.com'],
  isIdnHostname: [
    "bücher.example",
    "xn--bcher-kva.example",
    "l\u00b7l",
    "क\u094d\u200d",
    "ب\u200cب",
    "\u0660a",
    "ア\u30fb",
  ],
  isInt32Text: ["1"],
  isInt64Text: ["1"],
  isIpv4: ["192.0.2.1"],
  isIpv6: ["2001:db8::1", "::192.0.2.1"],
  isIri: ["https://é@bücher.example:1/é?é#é"],
  isIriReference: ["é"],
  isJsonPointer: ["/a~1b"],
  isRegex: ["a"],
  isRelativeJsonPointer: ["1/a"],
  isTime: ["15:59:60.5-08:00"],
  isUint32Text: ["1"],
  isUint64Text: ["1"],
  isUri: ["https://a:b@example.com:1/a?b#c", "https://[v1.a]/", "https://[::1]/"],
  isUriReference: ["a/b"],
  isUriTemplate: ["/{a}/{+b,c:3}{?d*}"],
  isUuid: ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6"],
};

const checks: ReadonlyMap<string, (text: string) => boolean> = new Map(Object.entries(formats));

/** The expressions that a check matches texts with. */
function expressionsOf(check: () => unknown): ReadonlySet<RegExp> {
  const used = new Set<RegExp>();
  const { exec } = RegExp.prototype;
  const watch = function (this: RegExp, text: string): RegExpExecArray | null {
    used.add(this);
    return exec.call(this, text);
  };
  // `test`, `match`, `replace` and their kind call `exec` when it is not the engine's own.
  Object.defineProperty(RegExp.prototype, "exec", { value: watch, configurable: true, writable: true });
  try {
    check();
  } finally {
    Object.defineProperty(RegExp.prototype, "exec", { value: exec, configurable: true, writable: true });
  }
  return used;
}

describe("formats of the runtime", () => {
  it("are all looked at", () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(formats).toSorted());
    const all = Object.entries(texts).map(([name, each]) =>
      expressionsOf(() => each.map((text) => checks.get(name)?.(text))),
    );
    expect(new Set(all.flatMap((used) => [...used].map(({ source }) => source))).size).toBeGreaterThan(35);
  });

  it.each(Object.entries(texts))("%s matches with expressions that take linear time", (name, each) => {
    const used = expressionsOf(() => each.map((text) => checks.get(name)?.(text)));
    for (const { source, flags } of used) {
      const hazard = patternHazard(source, flags.includes("u") ? "u" : "");
      expect(hazard, `/${source}/ ${hazard?.attack}`).toBeUndefined();
    }
  });
});
