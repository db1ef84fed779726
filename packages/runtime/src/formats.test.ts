import { domainToASCII } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as formats from "./formats.ts";
import { decodePunycode, encodePunycode } from "./formats/punycode.ts";
import { cpuMillisecondsOf } from "../../../test/support/cpu-time.ts";

const predicates: ReadonlyMap<string, (text: string) => boolean> = new Map(Object.entries(formats));

/** Valid and invalid examples of each function, beyond those of the JSON-Schema-Test-Suite. */
const cases: readonly (readonly [keyof typeof formats, right: readonly string[], wrong: readonly string[]])[] = [
  [
    "isDateTime",
    ["2024-02-29t00:00:00z", "1998-12-31T15:59:60.5-08:00"],
    [
      "2023-02-29T00:00:00Z",
      "2024-01-01 00:00:00Z",
      "2024-01-01",
      "2024-01-01T",
      "2024-01-01T00:00:00",
      "x2024-01-01T00:00:00Z",
    ],
  ],
  [
    "isDate",
    ["2000-02-29", "0000-01-31", "2024-04-30", "1999-12-31", "0400-02-29", "1900-02-28"],
    [
      ...[
        "1900-02-29",
        "2023-02-29",
        "2024-02-30",
        "2024-00-10",
        "2024-13-01",
        "2024-04-31",
        "2024-01-00",
        "2024-01-32",
      ],
      ...["2024-1-01", "2024-01-1", "12024-01-01", "02024-01-01", "2024-01-01\n", "2024-01-011", "2024/01/01", ""],
    ],
  ],
  [
    "isTime",
    [
      ...["00:00:00-00:00", "23:59:59z", "00:00:00.123456789Z", "23:59:60Z", "23:59:60.9Z", "00:59:60+01:00"],
      ...["22:59:60-01:00", "23:29:60-00:30", "00:00:60+00:01", "23:58:60-00:01", "12:00:00+23:59", "00:14:60+00:15"],
    ],
    [
      ...[
        "00:00:00",
        "00:00:60+00:02",
        "24:00:00Z",
        "23:60:00Z",
        "23:59:61Z",
        "22:59:60Z",
        "23:58:60Z",
        "12:00:00+24:00",
      ],
      ...["12:00:00+23:60", "12:00:00.Z", "12:00:00,5Z", "1:00:00Z", "12:0:00Z", "12:00:0Z", "12:00Z", "12:00:00+1:00"],
      ...[
        "12:00:00+01",
        "12:00:00+0100",
        "12:00:00+01:0",
        "x12:00:00Z",
        "12:00:00Zx",
        "23:59:60+01:00",
        "00:59:60-01:00",
      ],
    ],
  ],
  [
    "isDuration",
    [
      "P1W",
      "PT0S",
      "P1Y2M3DT4H5M6S",
      "P1D",
      "P1M",
      "P1M2D",
      "P1Y",
      "P1Y2M",
      "PT1H",
      "PT1H2M",
      "PT1M",
      "PT1M2S",
      "P10DT10H",
      "P12W",
    ],
    [
      ...[
        "P",
        "PT",
        "P1Y1D",
        "P1W1D",
        "PT1.5S",
        "P1DT",
        "PT1H1S",
        "xP1D",
        "P1Dx",
        "P1H",
        "PT1D",
        "p1d",
        "P-1D",
        "PD",
        "PTS",
      ],
      ...["PT1S1M", "P1D1M", "P1M1Y", "1D", "P1WT1H", "P 1D", ""],
    ],
  ],
  [
    "isEmail",
    [
      ...[
        '"a\\"b"@x.y',
        "a@[IPv6:::]",
        "a@[ipv6:2001:db8::1]",
        "a@[192.0.2.1]",
        "a.b.c@x",
        "!#$%&'*+-/=?^_`{|}~09AZaz@x",
      ],
      ...[`${"a".repeat(64)}@x`, '"a@b"@x', '" "@x', '""@x', '"\\ "@x', "a@1"],
    ],
    [
      ...[
        "a@b@c",
        "@x",
        "a@",
        "ax",
        `${"a".repeat(65)}@x`,
        "é@x.y",
        "a@-x",
        ".a@x",
        "a.@x",
        "a..b@x",
        "a b@x",
        '"a"b@x',
        'a"b"@x',
      ],
      ...['"a@x', '"a"b"@x', '"\\"@x', '"é"@x', "a@[192.0.2.1", "a@192.0.2.1]", "a@[::1]", "a@[x]", "a@[IPv6:1.2.3.4]"],
      ...["a@[xIPv6:::]", "a@[]", "a@x..y", "a\n@x", "\na@x", '"\n"@x', ""],
    ],
  ],
  [
    "isIdnEmail",
    ["é@bücher.example", "a.é@x", '"é"@x', '"a\\"b"@x', "a@[192.0.2.1]", "\u0080@x", "\u{10ffff}@x"],
    ["a b@x.y", "é@-", "é..b@x", ".é@x", "é.@x", '"é@x', 'é"@x', '"é"b@x', '"\n"@x', "é", "é@[x]", "@x"],
  ],
  [
    "isHostname",
    [
      "a".repeat(63),
      "1.2.3.4",
      "xn--bcher-kva.example",
      "a-b",
      "A",
      "a--b",
      "xn-a",
      "axn--b",
      `${"a.".repeat(126)}a`,
      "XN--bcher-kva",
    ],
    [
      ...[
        "a..b",
        "a.",
        ".a",
        "",
        "-a",
        "a-",
        "a_b",
        "a b",
        "bücher.example",
        "a".repeat(64),
        `${"a.".repeat(127)}a`,
        "xn--X",
      ],
      ...["xn--", "xn--a", "a\n"],
    ],
  ],
  [
    "isIdnHostname",
    [
      ...[
        "bücher.example",
        "faß.de",
        "xn--bcher-kva.example",
        "a。b",
        "a．b",
        "a｡b",
        "l·l",
        "\u0375α",
        "א׳",
        "ゝ・",
        "・一",
        "カ・",
      ],
      ...["٠١", "۰۱", "क्\u200d", "क्\u200cष", "ب\u200cب", "ب\u064b\u200c\u064bب", "〇", "۽", "۾", "ς", "a-b"],
      ...["0", `${"a".repeat(63)}.é`],
    ],
    [
      ...["xn--a", "xn--bcher-kvA1", "Bücher", "ab--cd", "éa--d", "a\u00ad", "", "é.", "-é", "é-", "\u0301é"],
      ...[
        "e\u0301",
        "l·a",
        "a·l",
        "·",
        "\u0375a",
        "\u0375",
        "a׳",
        "׳",
        "a・",
        "・",
        "٠۰",
        "a\u200d",
        "\u200d",
        "a\u200c",
        "a\u200ca",
      ],
      ...["ب\u200ca", "a\u200cب", "ا\u200cب", "ـ", "〮", "〱", "〻", "é_", "é b", "Ⅷ", "ﬁ", "ǅ", "é\u20d0", "é\u{1d165}"],
      ...[
        "ᄀ",
        "ꥠ",
        "ힰ",
        "\ufdd0",
        "é\u034f",
        "\u3000é",
        "é!",
        "é€",
        `é${"a".repeat(63)}`,
        `${`${"a".repeat(62)}.`.repeat(4)}é`,
      ],
      ...["xn--bcher-kva-", "xn--99999999", "ab--é"],
    ],
  ],
  [
    "isIpv4",
    ["0.0.0.0", "255.255.255.255", "1.10.100.199", "200.209.249.250", "9.99.109.25"],
    [
      ...[
        "256.0.0.1",
        "1.1.1.256",
        "260.1.1.1",
        "300.1.1.1",
        "01.1.1.1",
        "00.0.0.0",
        "1.1.1",
        "1.1.1.1.1",
        "1.1.1.1\n",
        "x1.1.1.1",
      ],
      ...["1.1.1.1x", "1,1,1,1", "1.1.1.", "1..1.1", "1e1.1.1.1", "-1.1.1.1", "1 .1.1.1", ""],
    ],
  ],
  [
    "isIpv6",
    [
      ...[
        "::",
        "1::",
        "::1",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7:8",
        "::1.2.3.4",
        "1:2:3:4:5:6:1.2.3.4",
        "aF0::",
      ],
      ...["1::1.2.3.4", "abcd:ABCD:0123:4567:89ef:0000:255.255.255.255", "1:2:3::5:6:7:8"],
    ],
    [
      ...[
        "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "1:2:3:4::5:6:7:8",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        ":::",
        "1::2::3",
      ],
      ...[
        "1.2.3.4::",
        "1.2.3.4",
        "g::",
        "12345::",
        "::12345",
        "1:",
        ":1",
        "1:2:3:4:5:6:7:1.2.3.4",
        "1:2:3:4:5:1.2.3.4",
        "::256.1.1.1",
      ],
      ...["::1.2.3.4:5", "::1%eth0", "::1/64", "", "[::1]", "abcd:abcd:abcd:abcd:abcd:abcd:0255.255.255.255"],
    ],
  ],
  [
    "isUri",
    [
      ...[
        "a:",
        "urn:x",
        "http://[v1.a:b]/",
        "http://h:",
        "http://[::1]:80",
        "http://u:p@h/",
        "a+-.1:b",
        "A:",
        "http://h/?a/b?c#d/e?f",
      ],
      ...["x://", "x:%2F", "x:a:@/b", "x:!$&'()*+,;=-._~", "http://@h", "http://a%41b", "file:///a", "x:/a?#"],
    ],
    [
      ...[
        "",
        "a",
        "http://[::1",
        "http://h:8a",
        "x:%zz",
        "x:%2",
        "x:%2g",
        "x:é",
        "1a:b",
        "é:b",
        "a_b:c",
        ":a",
        "x:a b",
        "x:<a>",
      ],
      ...[
        "http://a@b@c",
        "http://h:1:2",
        "http://[::1]a",
        "http://[v.a]",
        "http://[v1.]",
        "http://[vg.a]",
        "http://[1]",
        "http://[]",
      ],
      ...[
        "x:a#b#c",
        "x:[a]",
        "x:?[",
        "x:#[",
        "http://u[@h",
        "http://h[",
        "x:\n",
        "x:a\\b",
        "http://[x::1]",
        "/a",
        "//h",
      ],
    ],
  ],
  [
    "isUriReference",
    ["", "?", "#", "../a", "a/b:c", "//h", "/a", "?a#b", "#a?b", "a@b", "./1:b", "//u@h:1/a"],
    ["a b", "1:b", "%", "%a", "//h:a", "//[", "é", "#a#b", "\\", "//a@b@c"],
  ],
  [
    "isIri",
    ["http://é/", "http://h/é?\ue000#é", "x:\u{1fffd}", "x:\u00a0", "http://é@é", "x:?\u{f0000}\u{100000}"],
    [
      "http://\ue000/",
      "http:// /",
      "é",
      "x:\ue000",
      "x:#\ue000",
      "x:\u{1fffe}",
      "x:\ufdd0",
      "x:\u0080",
      "x:\u{e0fff}",
      "http://\ue000@h",
    ],
  ],
  ["isIriReference", ["?\ue000", "é", "", "//é/é"], ["#\ue000", "\ue000", "//\ue000", "%é", " "]],
  [
    "isUriTemplate",
    [
      ...[
        "{+a,b*}{?c:3}",
        "{a.b}",
        "%20",
        "",
        "a",
        "é",
        "{a:9999}",
        "{a:1,b*,c}",
        "{%41}",
        "{a%41.b_1}",
        "x{a}y{b}z",
        "[]:/?#@!$&()*+,;=",
      ],
      ..."+#./;?&=,!@|".split("").map((operator) => `{${operator}a}`),
    ],
    [
      ...[
        "{}",
        "{a",
        "a}",
        "{a:0}",
        "{a:10000}",
        "{a}}",
        "%2",
        "{a}b}",
        "{-a}",
        "{a,}",
        "{,}",
        "{,,a}",
        "{a..b}",
        "{.}",
        "{a.}",
        "{a*:1}",
      ],
      ...[
        "{a:}",
        "{a-b}",
        "{é}",
        "{{a}}",
        "{a}{",
        "a b",
        "a'b",
        'a"b',
        "<",
        ">",
        "\\",
        "^",
        "`",
        "|",
        "\n",
        "%zz",
        "{%4}",
        "{a}%2",
        "{a:1*}",
      ],
      ...["x{+}", "{a,b,}", "\u007f", "b%g{a}"],
    ],
  ],
  [
    "isUuid",
    ["00000000-0000-0000-0000-000000000000", "0123abcd-45ef-6789-ABCD-EF0123456789"],
    [
      ...[
        "{00000000-0000-0000-0000-000000000000}",
        "00000000-0000-0000-0000-00000000000",
        "00000000-0000-0000-0000-0000000000000",
      ],
      ...["0000000-0000-0000-0000-000000000000", "00000000-0000-0000-000000000000", "00000000000000000000000000000000"],
      ...[
        "0000000g-0000-0000-0000-000000000000",
        "00000000-0000-0000-0000-00000000000g",
        "00000000-000g-0000-0000-000000000000",
        "",
      ],
    ],
  ],
  ["isJsonPointer", ["", "/", "/a~0b~1", "/a\nb", "//", "/~01"], ["a", "/~", "/~2", "/a~", "/a~/b", "a/b", "#/a"]],
  [
    "isRelativeJsonPointer",
    ["0", "1/a", "0#", "10", "120/~0", "0/"],
    ["", "#", "01", "1#a", "-1", "/a", "1a", "1~", "1/~", "a1", "00", "0##", "+1"],
  ],
  ["isRegex", ["\\p{L}", "", "a|b", "(?<a>b)\\k<a>"], ["(", "\\-", "[b-a]", "a{2,1}", "*"]],
  [
    "isBase64",
    ["", "AA==", "AAA=", "+/+/", "AAAA", "azAZ", "0189"],
    ["A", "AA", "AAA", "A===", "====", "A=AA", "-_-_", "AA==\n", "AA=A", "=AAA", "AAAAA===", "AAA*"],
  ],
  [
    "isBase64Url",
    ["", "AA", "AAA", "AA==", "-_", "AAA=", "AAAA", "azAZ09-_"],
    ["A", "AA=", "+/", "A===", "AAAA=", "AAAAA", "AA=A", "AAAA==", "=A", "AA\n"],
  ],
  [
    "isInt32Text",
    ["-2147483648", "2147483647", "0", "-0", "10"],
    ["2147483648", "-2147483649", "01", "-01", "1.0", "", "-", "+1", "1e1", "x1", "1x", " 1", "1\n"],
  ],
  [
    "isInt64Text",
    ["-9223372036854775808", "9223372036854775807"],
    ["9223372036854775808", "-9223372036854775809", "9".repeat(100), "-10000000000000000000"],
  ],
  ["isUint32Text", ["0", "4294967295"], ["-1", "4294967296", "00"]],
  ["isUint64Text", ["0", "18446744073709551615"], ["-1", "18446744073709551616"]],
];

it("is a boolean, whatever is asked", () => {
  expect([formats.isRegex("("), formats.isRegex("(a)")]).toEqual([false, true]);
  const uuid = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
  expect([formats.isUuid(uuid), formats.isUuid(`x${uuid}`), formats.isUuid(`${uuid}0`)]).toEqual([true, false, false]);
});

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

  it("reads what it writes, as the platform does", () => {
    const letter = fc.constantFrom(..."az09éüßαжあ一\u{1f600}".split(/(?:)/u));
    fc.assert(
      fc.property(fc.array(letter, { minLength: 1, maxLength: 12 }), (letters) => {
        const codePoints = letters.map((character) => character.codePointAt(0) ?? 0);
        const encoded = encodePunycode(codePoints);
        expect(decodePunycode(encoded)).toEqual(codePoints);
        expect(decodePunycode(encoded.toUpperCase())?.filter((codePoint) => codePoint >= 128)).toEqual(
          codePoints.filter((codePoint) => codePoint >= 128),
        );
        if (!codePoints.some((codePoint) => codePoint >= 128)) return;
        const ascii = domainToASCII(`x${letters.join("")}`);
        if (ascii !== "") expect(`xn--${encodePunycode([0x78, ...codePoints])}`).toBe(ascii);
      }),
    );
  });

  it("finds nothing in what stands for no code points", () => {
    expect(["99999999", "a", "b-é", "zzzzzzzzzzzzzzzzzzzz"].map(decodePunycode)).toContain(undefined);
    expect(decodePunycode("99999999")).toBeUndefined();
  });
});
