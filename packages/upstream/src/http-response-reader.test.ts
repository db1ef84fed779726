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

  it("comes after informational ones, and before what is not asked for", () => {
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
    ["an endless line", `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${"y".repeat(5_000)}`],
  ])("is refused with %s", (_name, text) => expect(() => read([text])).toThrow(MalformedResponse));

  it("never takes other bytes for more than they are", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        try {
          read([`HTTP/1.1 200 OK\r\n${text}`]);
        } catch (reason) {
          expect(reason).toBeInstanceOf(MalformedResponse);
        }
      }),
    );
  });
});
