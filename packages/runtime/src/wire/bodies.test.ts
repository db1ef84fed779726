import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContentFacts, PropertyFacts } from "../operations/operation.ts";
import { decodeBody, decodeItems, encodeBody, encodeItem } from "./body.ts";
import type { ServerSentEvent } from "./event-stream.ts";
import { FileBytes } from "./file-bytes.ts";
import { isWireError, type WireErrorKind } from "./wire-error.ts";
import { defaultWireLimits } from "./wire-limits.ts";

const encoder = new TextEncoder();

function exchange(content: ContentFacts, value: unknown): unknown {
  const { body, contentType } = encodeBody(content, value);
  return decodeBody(content, typeof body === "string" ? encoder.encode(body) : body, contentType);
}

function decode(content: ContentFacts, body: string, contentType?: string): unknown {
  return decodeBody(content, encoder.encode(body), contentType);
}

function expectRefusal(kind: WireErrorKind, action: () => unknown): void {
  expect(action).toThrow(expect.toSatisfy((error) => isWireError(error) && error.kind === kind));
}

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for (const size of [...sizes, bytes.length]) {
    if (size > 0) yield bytes.subarray(offset, offset + size);
    offset += size;
  }
}

async function collect(items: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const collected: unknown[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function itemsOf(content: ContentFacts, text: string, sizes?: readonly number[]): Promise<readonly unknown[]> {
  return collect(decodeItems(content, chunksOf(encoder.encode(text), sizes)));
}

const texts = fc.string({ unit: "grapheme" }).filter((text) => text.isWellFormed());

describe("a body", () => {
  it("of JSON, text or bytes is read as it was written", () => {
    const json = { mediaType: "application/json", form: "json" } as const;
    expect(exchange(json, { a: [1, null, "é"] })).toEqual({ a: [1, null, "é"] });
    expect(exchange({ mediaType: "text/plain", form: "text", decoding: "integer" }, 5)).toBe(5);
    const bytes = Uint8Array.of(0, 255, 13, 10);
    expect(exchange({ mediaType: "application/octet-stream", form: "binary" }, bytes)).toEqual(bytes);
    const latin = { mediaType: "text/plain", form: "text" } as const;
    expect(decodeBody(latin, Uint8Array.of(0xe9), "text/plain; charset=ISO-8859-1")).toBe("é");
    expectRefusal("malformed", () => decodeBody(latin, Uint8Array.of(0xe9), "text/plain"));
    expect(() => decodeBody(latin, Uint8Array.of(0xe9), "text/plain")).toThrow(
      expect.objectContaining({ cause: expect.any(TypeError) as unknown }),
    );
    expectRefusal("malformed", () => decodeBody(latin, Uint8Array.of(0x61), "text/plain; charset=none"));
    expectRefusal("malformed", () => decode(json, "{"));
    expectRefusal("malformed", () => decodeBody(json, Uint8Array.of(0x22, 0xff, 0x22), undefined));
    expectRefusal("too-large", () => decode(json, "[".repeat(1_000_000)));
    expect(() => encodeBody(json, undefined)).toThrow(TypeError);
    expect(() => encodeBody({ mediaType: "image/png", form: "binary" }, "text")).toThrow(TypeError);
  });

  it("of JSON keeps long integers where a codec follows", () => {
    const json = { mediaType: "application/json", form: "json" } as const;
    const bytes = encoder.encode("[9007199254740993]");
    expect(decodeBody(json, bytes, undefined, { keepsLongIntegers: true })).toEqual([9007199254740993n]);
    expect(decodeBody(json, bytes, undefined)).toEqual([9007199254740992]);
  });
});

describe("a form", () => {
  const deep = { form: "text", style: "deepObject", explode: true } as const;
  const stripe: ContentFacts = {
    mediaType: "application/x-www-form-urlencoded",
    form: "form",
    properties: [
      { name: "amount", form: "text", decoding: "integer" },
      { name: "confirm", form: "text", decoding: "boolean" },
      { name: "description", form: "text" },
      { name: "expand", ...deep, decoding: { list: "string" } },
      { name: "metadata", ...deep, decoding: { record: {}, scalar: "string" } },
      {
        name: "items",
        ...deep,
        decoding: { list: { record: { price: "string", quantity: "integer", tiers: { list: "number" } } } },
      },
      { name: "address", form: "json" },
      { name: "tag", form: "text", isRepeated: true },
      { name: "raw", form: "binary" },
    ],
  };

  it("is written as Stripe requests it", () => {
    const value = {
      amount: 2000,
      expand: ["customer", "charges.data"],
      metadata: { "order id": "6735 & 1" },
      items: [{ price: "p_1", quantity: 2 }, { tiers: [1.5] }],
      description: null,
    };
    expect(decodeURIComponent(String(encodeBody(stripe, value).body))).toBe(
      "amount=2000&expand[0]=customer&expand[1]=charges.data&metadata[order id]=6735 & 1" +
        "&items[0][price]=p_1&items[0][quantity]=2&items[1][tiers][0]=1.5",
    );
    expect(encodeBody(stripe, { address: [1, 2], tag: "x" }).body).toBe("address=%5B1%2C2%5D&tag=x");
    expect(encodeBody(stripe, { amount: undefined, address: undefined, raw: undefined }).body).toBe("");
    expect(encodeBody(stripe, { metadata: { "a b": "c&d=e+é" } })).toEqual({
      contentType: "application/x-www-form-urlencoded",
      body: "metadata%5Ba%20b%5D=c%26d%3De%2B%C3%A9",
    });
  });

  it("is read as it was written", () => {
    const item = fc.record({ price: texts, quantity: fc.integer() }, { requiredKeys: ["price"] });
    const value = fc.record(
      {
        amount: fc.integer(),
        confirm: fc.boolean(),
        description: texts,
        expand: fc.array(texts, { minLength: 1 }),
        items: fc.array(item, { minLength: 1 }),
        address: fc.record({ line: texts, floor: fc.integer() }),
        tag: fc.array(texts, { minLength: 1 }),
        raw: fc.uint8Array(),
        other: texts,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(value, (sent) => {
        expect(exchange(stripe, sent)).toEqual(sent);
      }),
    );
  });

  it("has brackets in a name where no described structure claims them", () => {
    expect(decode(stripe, "description[a]=1&metadata[b]=2")).toEqual({ "description[a]": "1", metadata: { b: "2" } });
  });

  it("is read as others write it", () => {
    expect(decode(stripe, "expand[]=a&expand[]=b+c&metadata=&tag[]=x&tag[]=y&amount=1e3&confirm=true")).toEqual({
      expand: ["a", "b c"],
      metadata: "",
      tag: ["x", "y"],
      amount: "1e3",
      confirm: true,
    });
    expect(decode(stripe, "unknown[a]=1&x=1&x=2&__proto__=3")).toEqual(
      Object.fromEntries([
        ["unknown[a]", "1"],
        ["x", ["1", "2"]],
        ["__proto__", "3"],
      ]),
    );
    expect(decode({ ...stripe, additional: { name: "", form: "text", decoding: "integer" } }, "x=7")).toEqual({ x: 7 });
  });

  it("that can't be read is refused", () => {
    expectRefusal("malformed", () => decode(stripe, "address={"));
    expectRefusal("malformed", () => decode(stripe, "description=%"));
    expectRefusal("malformed", () => decode(stripe, "metadata[a=1&metadata[=1]"));
    expectRefusal("too-large", () => decode(stripe, `metadata${"[a]".repeat(101)}=1`));
    expectRefusal("too-large", () => decode(stripe, "a=1&".repeat(10_001)));
  });
});

describe("a multipart body", () => {
  const properties: readonly PropertyFacts[] = [
    { name: "file", form: "binary" },
    { name: "pictures", form: "binary", isRepeated: true, contentType: "image/png, image/jpeg" },
    { name: "profile", form: "json" },
    { name: "tags", form: "text", isRepeated: true },
    { name: "count", form: "text", decoding: "integer" },
    {
      name: "filter",
      form: "text",
      style: "deepObject",
      decoding: { record: { a: "integer", b: { list: "string" } } },
    },
  ];
  const form: ContentFacts = { mediaType: "multipart/form-data", form: "multipart", properties };

  const written = (value: object): string => new TextDecoder().decode(encodeBody(form, value).body as Uint8Array);

  const boundary = "multipart/form-data; boundary=b";
  const text = (...parts: readonly string[]): string =>
    `${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n`;

  it("names its parts, files and media types", () => {
    const file = new FileBytes(Uint8Array.of(65), { filename: 'é "1"\n.txt', contentType: "text/csv" });
    const lines = written({ file, profile: { a: 1 }, count: 5, other: "x", pictures: [Uint8Array.of(66)], tags: null });
    expect(lines.replaceAll(/--nodewright-[0-9a-f]{32}/g, "--B")).toBe(
      [
        "--B",
        'content-disposition: form-data; name="file"; filename="é %221%22%0A.txt"',
        "content-type: text/csv",
        "",
        "A",
        "--B",
        'content-disposition: form-data; name="profile"',
        "content-type: application/json",
        "",
        '{"a":1}',
        "--B",
        'content-disposition: form-data; name="count"',
        "",
        "5",
        "--B",
        'content-disposition: form-data; name="other"',
        "",
        "x",
        "--B",
        'content-disposition: form-data; name="pictures"; filename="blob"',
        "content-type: image/png",
        "",
        "B",
        "--B--",
        "",
      ].join("\r\n"),
    );
  });

  it("is read as it was written", () => {
    const value = fc.record(
      {
        file: fc.uint8Array(),
        pictures: fc.array(fc.uint8Array(), { minLength: 1 }),
        profile: fc.record({ a: texts }),
        tags: fc.array(texts, { minLength: 1 }),
        count: fc.integer(),
        filter: fc.record({ a: fc.integer(), b: fc.array(texts, { minLength: 1 }) }),
        other: texts,
      },
      { requiredKeys: ["count"] },
    );
    fc.assert(
      fc.property(value, (sent) => {
        const received = exchange(form, sent) as Record<string, unknown>;
        const plain = (found: unknown): unknown => {
          if (found instanceof Uint8Array) return [...found];
          return Array.isArray(found) ? found.map(plain) : found;
        };
        expect(Object.fromEntries(Object.entries(received).map(([name, found]) => [name, plain(found)]))).toEqual(
          Object.fromEntries(Object.entries(sent).map(([name, found]) => [name, plain(found)])),
        );
      }),
    );
  });

  it("keeps names of any characters, and bytes that look like its own syntax", () => {
    const names = fc
      .string({ unit: "binary", minLength: 1 })
      .filter((name) => name.isWellFormed() && !name.includes("\0"));
    fc.assert(
      fc.property(names, names, fc.uint8Array(), (name, filename, bytes) => {
        const content: ContentFacts = { ...form, properties: [{ name, form: "binary" }] };
        const received = exchange(content, { [name]: new FileBytes(bytes, { filename }) }) as Record<string, FileBytes>;
        expect(Object.keys(received)).toEqual([name]);
        expect([received[name]?.filename, [...(received[name] ?? [])]]).toEqual([filename, [...bytes]]);
      }),
    );
    for (const name of ["%22", "%2522", "a\\", '\\"; filename="x', "%0d", "a;b", "__proto__"]) {
      const content: ContentFacts = { ...form, properties: [{ name, form: "text" }] };
      expect(Object.keys(exchange(content, Object.fromEntries([[name, "1"]])) as object)).toEqual([name]);
    }
  });

  it("leaves out what is undefined, and reads no member that was not sent", () => {
    expect(written({ profile: undefined, count: undefined, file: undefined })).toMatch(/^--[^-].*--\r\n$/);
    const received = decode(form, text('content-disposition: form-data; name="count"\r\n\r\n5'), boundary);
    expect(received).toStrictEqual({ count: 5 });
  });

  it("has brackets in the name of a part where no described structure claims them", () => {
    const part = (name: string): string => `content-disposition: form-data; name="${name}"\r\n\r\n1`;
    expect(decode(form, text(part("count[a]"), part("filter[a]")), boundary)).toEqual({
      "count[a]": "1",
      filter: { a: 1 },
    });
  });

  it.each<[string, PropertyFacts["decoding"], unknown]>([
    ["integers", { list: "string", scalar: "integer" }, [5, "x"]],
    ["texts", { list: "integer" }, ["5", "x"]],
  ])(
    "reads the parts of a repeated structure as %s, where that is what else it may be",
    (_what, decoding = "string", read) => {
      const content: ContentFacts = { ...form, properties: [{ name: "a", form: "text", isRepeated: true, decoding }] };
      const part = (value: string): string => `content-disposition: form-data; name=a\r\n\r\n${value}`;
      expect(decode(content, text(part("5"), part("x")), boundary)).toEqual({ a: read });
    },
  );

  it.each([
    ["utf8", true],
    ["UTF-8", true],
    ["us-ascii", true],
    ["x-utf-8", false],
    ["utf-16", false],
  ])("reads a part in the character encoding %s: %s", (charset, isRead) => {
    const part = `content-disposition: form-data; name=other\r\ncontent-type: text/plain; charset=${charset}\r\n\r\nx`;
    if (isRead) expect(decode(form, text(part), boundary)).toEqual({ other: "x" });
    else expectRefusal("malformed", () => decode(form, text(part), boundary));
  });

  it("may be a list of parts without names", () => {
    const mixed: ContentFacts = {
      mediaType: "multipart/mixed",
      form: "multipart",
      additional: { name: "", form: "json" },
    };
    expect(exchange(mixed, [{ a: 1 }, { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
    expect(encodeBody(mixed, []).contentType).toMatch(/^multipart\/mixed; boundary=/);
  });

  it("is read as others write it", () => {
    const part =
      'Content-Disposition: form-data; filename="a.txt"; name=file\r\nContent-Type: text/plain\r\n\r\n--b\r\n--bx\r\n';
    const body = `preamble\r\n${text(part).replace("--b\r\n", "--b \t\r\n")}epilogue`;
    const { file } = decode(
      form,
      body.replace("\r\n--b\r\n--bx", "\r\n-b\r\n--bx"),
      'multipart/form-data; boundary="b"',
    ) as {
      file: FileBytes;
    };
    expect([new TextDecoder().decode(file), file.filename, file.contentType]).toEqual([
      "-b\r\n--bx\r\n",
      "a.txt",
      "text/plain",
    ]);
    expect(decode(form, "--b--", boundary)).toEqual({});
    expect(decode(form, text('content-disposition: form-data; name="count"\r\n\r\n'), boundary)).toEqual({ count: "" });
  });

  it.each([
    ["no boundary", "multipart/form-data", text()],
    [
      "no boundary, as if it were empty",
      "multipart/form-data",
      "--\r\ncontent-disposition: form-data; name=a\r\n\r\nx\r\n----\r\n",
    ],
    ["a boundary that is too long", `multipart/form-data; boundary=${"b".repeat(71)}`, text()],
    ["no end", boundary, "--b\r\ncontent-disposition: form-data; name=a\r\n\r\nx"],
    ["nothing", boundary, ""],
    ["headers that do not end", boundary, "--b\r\ncontent-disposition: form-data\r\n"],
    ["a line that is no header", boundary, text("x\r\n\r\ny")],
    ["a transfer encoding", boundary, text("content-transfer-encoding: base64\r\n\r\nAA==")],
    ["JSON that is none", boundary, text('content-disposition: form-data; name="profile"\r\n\r\n{')],
    [
      "another character encoding",
      boundary,
      text('content-disposition: form-data; name="a"\r\ncontent-type: text/plain; charset=utf-16\r\n\r\nx'),
    ],
  ])("with %s is refused", (_what, contentType, body) => {
    expectRefusal("malformed", () => decode(form, body, contentType));
  });

  it("is bounded in its parts and their headers", () => {
    expectRefusal("too-large", () => decode(form, text(...Array.from({ length: 10_001 }, () => "\r\n")), boundary));
    expectRefusal("too-large", () => decode(form, text(`x: ${"y".repeat(20_000)}\r\n\r\n`), boundary));
  });
});

describe("a stream of events", () => {
  const json: ContentFacts = { mediaType: "text/event-stream", form: "event-stream" };
  const plain: ContentFacts = { ...json, decoding: "string" };

  it("is read as it was written, wherever it is cut", async () => {
    const line = texts.filter((one) => !/[\r\n\0]/.test(one));
    const event = fc.record(
      { data: fc.jsonValue(), event: line.filter((one) => one !== ""), id: line },
      { requiredKeys: ["data"] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event), fc.array(fc.nat(20)), async (sent, sizes) => {
        const text = sent.map((one) => encodeItem(json, one)).join("");
        expect(await itemsOf(json, text, sizes)).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
    );
  });

  it("carries texts of several lines", async () => {
    const data = "a\nb\n\n c:d\n";
    expect(await itemsOf(plain, encodeItem(plain, { data }))).toEqual([{ data }]);
  });

  // The examples of WHATWG HTML, section 9.2.6, and its rules for line ends, byte order marks and fields.
  it.each([
    ["data: YHOO\ndata: +2\ndata: 10\n\n", [{ data: "YHOO\n+2\n10" }]],
    [
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [{ data: "first event", id: "1" }, { data: "second event", id: "" }, { data: " third event" }],
    ],
    ["data\n\ndata\ndata\n\ndata:\n", [{ data: "" }, { data: "\n" }]],
    ["data:test\n\ndata: test\n\n", [{ data: "test" }, { data: "test" }]],
    ["\uFEFFdata: a\r\rdata: b\r\n\r\ndata: c\n\r", [{ data: "a" }, { data: "b" }, { data: "c" }]],
    ["event: ping\n\ndata: x\n\n", [{ data: "x" }]],
    ["id: a\0b\nretry: x\nfoo: bar\nevent: e\ndata: x\n\n", [{ data: "x", event: "e" }]],
    ["data: never ended\n", []],
  ] as const)("reads %j", async (text, events) => {
    for (const size of [1, 2, 3, 1000]) {
      const sizes = Array.from({ length: Math.ceil(text.length / size) }, () => size);
      expect(await itemsOf(plain, text, sizes)).toEqual(events);
    }
  });

  it("ends where its maker says so in place of JSON", async () => {
    expect(await itemsOf(json, 'data: {"a":1}\n\ndata: [DONE]\n\ndata: 2\n\n')).toEqual([{ data: { a: 1 } }]);
  });

  it("is refused when it is no JSON or too long", async () => {
    await expect(itemsOf(json, "data: {\n\n")).rejects.toSatisfy(isWireError);
    const limits = { ...defaultWireLimits, maximumItemLength: 10 };
    for (const text of ["data: 12345678901", "data: 1234\ndata: 1234\ndata: 1234\n\n"]) {
      const items = decodeItems(plain, chunksOf(encoder.encode(text)), { limits });
      await expect(collect(items)).rejects.toSatisfy((error) => isWireError(error) && error.kind === "too-large");
    }
  });

  it("takes no line end into the name or id of an event", () => {
    const event: ServerSentEvent = { data: 1, event: "a\ndata: 2" };
    expect(() => encodeItem(json, event)).toThrow(RangeError);
    expect(() => encodeItem(json, { data: 1, id: "a\rb" })).toThrow(RangeError);
  });
});

describe("JSON lines", () => {
  const lines: ContentFacts = { mediaType: "application/x-ndjson", form: "json-lines" };
  const sequence: ContentFacts = { mediaType: "application/json-seq", form: "json-lines" };

  it.each([lines, sequence])("of $mediaType are read as they were written, wherever they are cut", async (content) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.array(fc.nat(20)), async (sent, sizes) => {
        const text = sent.map((one) => encodeItem(content, one)).join("");
        expect(await itemsOf(content, text, sizes)).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
    );
  });

  it("are read one by one, never as a whole", () => {
    for (const content of [lines, sequence]) expect(() => decode(content, "1\n")).toThrow(TypeError);
  });

  it("need no end, but for values of a sequence that could be cut", async () => {
    expect(await itemsOf(lines, "1\r\n\n2")).toEqual([1, 2]);
    expect(await itemsOf(sequence, '\u001e{"a":1}')).toEqual([{ a: 1 }]);
    await expect(itemsOf(sequence, "\u001e12")).rejects.toSatisfy(isWireError);
    await expect(itemsOf(lines, "{")).rejects.toSatisfy(isWireError);
  });
});

describe("the bytes of a file", () => {
  it("are bytes like others, and pieces of them no file", async () => {
    const file = await FileBytes.ofBlob(new File(["abc"], "a.txt", { type: "text/plain" }));
    expect([file instanceof Uint8Array, file.filename, file.contentType, [...file]]).toEqual([
      true,
      "a.txt",
      "text/plain",
      [97, 98, 99],
    ]);
    const plain = await FileBytes.ofBlob(new Blob(["abc"]));
    expect([plain.filename, plain.contentType, plain.length]).toEqual([undefined, undefined, 3]);
    expect([file.slice(1).constructor, file.map((byte) => byte).constructor]).toEqual([Uint8Array, Uint8Array]);
  });
});
