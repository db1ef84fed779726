import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HttpResponseReader, MalformedResponse, type ResponseHead } from "./http-response-reader.ts";

interface Read {
  readonly head: ResponseHead | undefined;
  readonly body: string;
  readonly isWhole: boolean;
}

/** Reads pieces, and then the end of the connection. */
function read(pieces: readonly string[]): Read {
  let head: ResponseHead | undefined;
  let isWhole = false;
  const body: Buffer[] = [];
  const reader = new HttpResponseReader({
    onHead: (given) => (head = given),
    onBody: (chunk) => body.push(Buffer.from(chunk)),
    onEnd: () => (isWhole = true),
  });
  for (const piece of pieces) reader.push(Buffer.from(piece));
  reader.end();
  return { head, body: Buffer.concat(body).toString(), isWhole };
}

const counted = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A:  b \r\n\r\nhello";
const chunked =
  "HTTP/1.1 503 Busy\r\ntransfer-encoding: Chunked\r\n\r\n3;a=b\r\nhel\r\nA\r\nlo, world!\r\n0\r\nTrailer: x\r\n\r\n";
const untilClose = "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nhello\n";

describe("a response", () => {
  it("is read by its length, in chunks, or to the end of the connection", () => {
    expect(read([counted])).toEqual({
      head: { status: 200, headers: expect.objectContaining({ "content-length": "5", "x-a": "b" }) },
      body: "hello",
      isWhole: true,
    });
    expect(read([chunked])).toMatchObject({ head: { status: 503 }, body: "hello, world!", isWhole: true });
    expect(read([untilClose])).toMatchObject({ head: { status: 200 }, body: "hello\n", isWhole: true });
    expect(read(["HTTP/1.1 204\r\n\r\n"])).toMatchObject({ head: { status: 204 }, body: "", isWhole: true });
    expect(read(["HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"])).toMatchObject({ body: "", isWhole: true });
  });

  it("is the same however it is cut", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(counted, chunked, untilClose),
        fc.array(fc.nat(160), { maxLength: 12 }),
        (text, cuts) => {
          const places = [0, ...cuts.map((cut) => cut % text.length).sort((one, other) => one - other), text.length];
          const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
          expect(read(pieces)).toEqual(read([text]));
        },
      ),
    );
  });

  it("comes after informational ones, and before what is not requested", () => {
    expect(read([`HTTP/1.1 100 Continue\r\n\r\n${counted}HTTP/1.1 200 OK\r\n\r\n`])).toMatchObject({ body: "hello" });
  });

  it.each([
    ["nothing", ""],
    ["no status line", "hello\r\n\r\n"],
    ["an end within the head", "HTTP/1.1 200 OK\r\n"],
    ["an end before its length", counted.slice(0, -1)],
    ["an end within its chunks", chunked.slice(0, -2)],
    ["a chunk that is too long", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n"],
    ["a chunk without a length", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n"],
    ["a length that is none", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n"],
    ["another coding", "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n"],
    ["a header without a name", "HTTP/1.1 200 OK\r\nhello\r\n\r\n"],
    ["an endless head", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}`],
    ["endless trailers", `${chunked.slice(0, -2)}${"a: b\r\n".repeat(20_000)}\r\n`],
    ["an endless line", `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${"y".repeat(5_000)}`],
  ])("is refused with %s", (_name, text) => expect(() => read([text])).toThrow(MalformedResponse));

  it.each([
    ["HTTP/1.1 200", 200],
    ["HTTP/1.0 404 Not Found", 404],
    ["HTTP/1.1 599 ", 599],
  ])("has the status of %j", (line, status) => {
    expect(read([`${line}\r\ncontent-length: 0\r\n\r\n`]).head?.status).toBe(status);
  });

  it.each([
    "HTTP/2 200",
    "HTTP/1.2 200 OK",
    "HTTP/1.1 20",
    "HTTP/1.1 2000",
    "HTTP/1.1 200OK",
    " HTTP/1.1 200 OK",
    "http/1.1 200 OK",
    "",
  ])("has no status in %j", (line) => {
    expect(() => read([`${line}\r\ncontent-length: 0\r\n\r\n`])).toThrow(new MalformedResponse("No status line"));
  });

  it.each([
    ["HTTP/1.1 200 OK\r\n\r\nx", "until the end", "x"],
    ["HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\nhello", "none", ""],
    ["HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n", "none", ""],
    [
      "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      "chunks",
      "hello",
    ],
    ["HTTP/1.1 200 OK\r\ncontent-length: 003\r\n\r\nhello", "counted", "hel"],
    ["HTTP/1.1 199 Early\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx", "that of the last", "x"],
    [
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n00A \t;x=y\r\n0123456789\r\n0\r\n\r\n",
      "hexadecimal",
      "0123456789",
    ],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nA: b\r\nC: d\r\n\r\n", "trailers", ""],
    ["HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 1\r\n\r\nhello", "the last length", "h"],
  ])("%j has a body: %s", (text, _how, body) => {
    expect(read([text])).toMatchObject({ body, isWhole: true });
    expect(read([...text])).toMatchObject({ body, isWhole: true });
  });

  it.each([
    ["content-length: 1x", "A length that is not a number"],
    ["content-length: x1", "A length that is not a number"],
    [`content-length: ${"1".repeat(16)}`, "A length that is not a number"],
    ["content-length:", "A length that is not a number"],
    ["transfer-encoding: identity", "An unknown transfer coding"],
    [": x", "A header without a name"],
    ["x", "A header without a name"],
  ])("has no body that could be read with the header %j", (header, message) => {
    const malformed = new MalformedResponse(message);
    expect(() => read([`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`])).toThrow(malformed);
    expect(malformed.code).toBe("HTTP_MALFORMED");
  });

  it.each(["", "x", "-1", " 1", "1 x", "g", "1".repeat(13)])("has no chunk of the length %j", (line) => {
    const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    expect(() => read([`${head}${line}\r\n`])).toThrow(new MalformedResponse("A chunk without a length"));
  });

  it("says of a chunk that it is longer, and of a response that it has not ended", () => {
    const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    expect(() => read([`${head}1\r\nab\r\n`])).toThrow(
      new MalformedResponse("A chunk is longer than its declared length"),
    );
    for (const text of ["", "HTTP/1.1 200 OK\r\n", `${head}1\r\na`, counted.slice(0, -1)]) {
      expect(() => read([text])).toThrow(new MalformedResponse("The connection ended before the response"));
    }
  });

  it("takes a head of 65,536 bytes and a line of 4,096, however they come", () => {
    const tooLong = new MalformedResponse("A head or a line is too long");
    const start = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: ";
    const head = (length: number) => `${start}${"y".repeat(length - start.length)}\r\n\r\n`;
    const chunkedStart = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    const line = (length: number) => `${chunkedStart}0;${"y".repeat(length - 2)}\r\n\r\n`;
    for (const [render, most] of [
      [head, 65_536],
      [line, 4_096],
    ] as const) {
      const [fitting, long] = [render(most), render(most + 1)];
      for (const cut of [fitting.length, fitting.length - 3, fitting.length - 1, 100]) {
        expect(read([fitting.slice(0, cut), fitting.slice(cut)])).toMatchObject({ isWhole: true });
        expect(() => read([long.slice(0, cut), long.slice(cut)])).toThrow(tooLong);
      }
    }
    expect(() => read([`${start}${"y".repeat(65_537)}`])).toThrow(tooLong);
  });

  it("ends once, and takes nothing more then", () => {
    let [ends, bodies] = [0, 0];
    const reader = new HttpResponseReader({
      onHead: () => undefined,
      onBody: () => (bodies += 1),
      onEnd: () => (ends += 1),
    });
    reader.push(Buffer.from(`${counted}${counted}`));
    reader.push(Buffer.from("more"));
    reader.end();
    expect([ends, bodies]).toEqual([1, 1]);
  });

  it("never takes other bytes for more than they are", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300, size: "max" }), (text) => {
        try {
          read([`HTTP/1.1 200 OK\r\n${text}`]);
        } catch (reason) {
          expect(reason).toBeInstanceOf(MalformedResponse);
        }
      }),
    );
  });
});
