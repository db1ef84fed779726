import { describe, expect, it } from "vitest";
import * as formats from "./formats.ts";
import { decodePunycode, encodePunycode } from "./formats/punycode.ts";
import { cpuMillisecondsOf } from "../../../test/support/cpu-time.ts";

const predicates: ReadonlyMap<string, (text: string) => boolean> = new Map(Object.entries(formats));

/** What each function takes and refuses, beside what the JSON-Schema-Test-Suite has. */
const cases: readonly (readonly [keyof typeof formats, right: readonly string[], wrong: readonly string[]])[] = [
  [
    "isDateTime",
    ["2024-02-29t00:00:00z", "1998-12-31T15:59:60.5-08:00"],
    ["2023-02-29T00:00:00Z", "2024-01-01 00:00:00Z"],
  ],
  ["isDate", ["2000-02-29", "0000-01-31"], ["1900-02-29", "2024-00-10", "2024-13-01", "2024-1-01", "2024-01-01\n"]],
  ["isTime", ["00:00:00-00:00"], ["00:00:00", "00:00:60+00:02"]],
  ["isDuration", ["P1W", "PT0S", "P1Y2M3DT4H5M6S"], ["P", "PT", "P1Y1D", "P1W1D", "PT1.5S", "P1DT"]],
  ["isEmail", ['"a\\"b"@x.y', "a@[IPv6:::]"], ["a@b@c", "@x", "a@", `${"a".repeat(65)}@x`, "é@x.y", "a@-x"]],
  ["isIdnEmail", ["é@bücher.example"], ["a b@x.y", "é@-"]],
  [
    "isHostname",
    ["a".repeat(63), "1.2.3.4", "xn--bcher-kva.example"],
    ["a..b", "a.", "bücher.example", `${"a.".repeat(127)}a`, "xn--X"],
  ],
  [
    "isIdnHostname",
    ["bücher.example", "faß.de", "xn--bcher-kva.example"],
    ["xn--a", "xn--bcher-kvA1", "Bücher", "ab--cd", "a\u00ad"],
  ],
  ["isIpv4", ["0.0.0.0", "255.255.255.255"], ["256.0.0.1", "01.1.1.1", "1.1.1", "1.1.1.1.1", "1.1.1.1\n"]],
  ["isIpv6", ["::", "1::", "1:2:3:4:5:6:7::", "::1.2.3.4"], ["1:2:3:4:5:6:7:8::", ":::", "1.2.3.4::", "g::"]],
  [
    "isUri",
    ["a:", "urn:x", "http://[v1.a:b]/", "http://h:"],
    ["", "a", "http://[::1", "http://h:8a", "x:%zz", "x:é", "1a:b"],
  ],
  ["isUriReference", ["", "?", "#", "../a", "a/b:c"], ["a b", "1:b", "%"]],
  ["isIri", ["http://é/"], ["http://\ue000/", "http:// /"]],
  ["isIriReference", ["?\ue000"], ["#\ue000"]],
  ["isUriTemplate", ["{+a,b*}{?c:3}", "{a.b}", "%20"], ["{}", "{a", "a}", "{a:0}", "{a:10000}", "{a}}", "%2", "{a}b}"]],
  ["isUuid", ["00000000-0000-0000-0000-000000000000"], ["{00000000-0000-0000-0000-000000000000}"]],
  ["isJsonPointer", ["", "/", "/a~0b~1", "/a\nb"], ["a", "/~", "/~2"]],
  ["isRelativeJsonPointer", ["0", "1/a", "0#"], ["", "#", "01", "1#a"]],
  ["isRegex", ["\\p{L}"], ["(", "\\-"]],
  ["isBase64", ["", "AA==", "AAA=", "+/+/"], ["A", "AA", "A===", "A=AA", "-_-_", "AA==\n"]],
  ["isBase64Url", ["", "AA", "AAA", "AA==", "-_"], ["A", "AA=", "+/", "A==="]],
  ["isInt32Text", ["-2147483648", "2147483647"], ["2147483648", "-2147483649", "01", "1.0", ""]],
  ["isInt64Text", ["-9223372036854775808", "9223372036854775807"], ["9223372036854775808", "9".repeat(100)]],
  ["isUint32Text", ["0", "4294967295"], ["-1", "4294967296"]],
  ["isUint64Text", ["18446744073709551615"], ["18446744073709551616"]],
];

describe("formats", () => {
  it.each(cases)("%s takes and refuses", (name, right, wrong) => {
    const isFormat = (text: string): boolean => predicates.get(name)?.(text) === true;
    expect(right.filter((text) => !isFormat(text))).toEqual([]);
    expect(wrong.filter(isFormat)).toEqual([]);
  });

  it("are all tried here", () => {
    expect(cases.map(([name]) => name).toSorted()).toEqual(Object.keys(formats).toSorted());
  });

  it("are decided in a time linear to the text", () => {
    const hostile = [
      "a".repeat(100_000),
      `${"a.".repeat(50_000)}!`,
      `"${"\\a".repeat(50_000)}`,
      "1".repeat(100_000),
      `{${"a,".repeat(50_000)}`,
    ];
    const decide = () => {
      for (const [name] of cases) for (const text of hostile) predicates.get(name)?.(text);
    };
    expect(cpuMillisecondsOf(decide)).toBeLessThan(2000);
  });
});

describe("punycode", () => {
  // RFC 3492, section 7.1: (A), (B), (L).
  it.each([
    ["ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"],
    ["他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"],
    ["3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"],
  ])("writes and reads %s", (text, encoded) => {
    const codePoints = [...text].map((character) => character.codePointAt(0) ?? 0);
    expect(encodePunycode(codePoints)).toBe(encoded);
    expect(decodePunycode(encoded)).toEqual(codePoints);
  });

  it("finds nothing in what stands for no code points", () => {
    expect(["99999999", "a", "b-é", "zzzzzzzzzzzzzzzzzzzz"].map(decodePunycode)).toContain(undefined);
    expect(decodePunycode("99999999")).toBeUndefined();
  });
});
