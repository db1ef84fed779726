/** Head of a response, with header names in lower case. Of a repeated header, the last value. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ResponseEvents {
  /** Receives the head, also of informational responses, which precede the final one (RFC 9110, section 15.2). */
  onHead(head: ResponseHead): void;
  onBody(chunk: Buffer): void;
  onEnd(): void;
}

/** Error for bytes that are not an HTTP response. */
export class MalformedResponse extends Error {
  readonly code = "HTTP_MALFORMED";
}

/** Maximum length of a response head, in bytes. */
const maximumHeadBytes = 65_536;
/** Maximum length in bytes of a chunk-size line with its extensions, or of a trailer. */
const maximumLineBytes = 4_096;
/** Maximum length of all trailers of a response, in bytes. */
const maximumTrailerBytes = 65_536;

type State = "head" | "length" | "until-close" | "chunk-size" | "chunk" | "chunk-end" | "trailer" | "done";

/**
 * Incremental reader of one HTTP/1.1 response (RFC 9112), however its bytes are split: by Content-Length, chunked, or until the connection
 * ends.
 *
 * It is meant for connections that serve one request alone. Bytes after the response are ignored.
 */
export class HttpResponseReader {
  readonly #events: ResponseEvents;
  #state: State = "head";
  /** Bytes of an incomplete head or line. */
  #kept: Buffer = nothing;
  #left = 0;
  #trailerBytes = 0;

  constructor(events: ResponseEvents) {
    this.#events = events;
  }

  /** Reads bytes. Throws `MalformedResponse`. */
  push(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0 && this.#state !== "done") rest = this.#take(rest);
  }

  /** Records that the connection has ended. Throws `MalformedResponse` when the response is not complete. */
  end(): void {
    if (this.#state === "until-close") this.#finish();
    if (this.#state !== "done") throw new MalformedResponse("The connection ended before the response");
  }

  /** Consumes bytes and returns the rest. */
  #take(bytes: Buffer): Buffer {
    switch (this.#state) {
      case "head":
        return this.#takeUntil("\r\n\r\n", maximumHeadBytes, bytes, (text) => this.#readHead(text));
      case "length":
      case "chunk":
        return this.#takeCounted(bytes);
      case "until-close":
        this.#events.onBody(bytes);
        return nothing;
      case "chunk-size":
        return this.#takeUntil("\r\n", maximumLineBytes, bytes, (line) => this.#readChunkSize(line));
      case "chunk-end":
        return this.#takeUntil("\r\n", maximumLineBytes, bytes, (line) => {
          if (line !== "") throw new MalformedResponse("A chunk is longer than its declared length");
          this.#state = "chunk-size";
        });
      case "trailer":
        return this.#takeUntil("\r\n", maximumLineBytes, bytes, (line) => {
          this.#trailerBytes += line.length;
          if (this.#trailerBytes > maximumTrailerBytes) throw new MalformedResponse("The trailers are too long");
          if (line === "") this.#finish();
        });
      case "done":
        return nothing;
    }
  }

  #takeUntil(mark: string, maximum: number, bytes: Buffer, read: (text: string) => void): Buffer {
    const all = this.#kept.length === 0 ? bytes : Buffer.concat([this.#kept, bytes]);
    const end = all.indexOf(mark, Math.max(0, this.#kept.length - mark.length + 1));
    // All of the delimiter except its last byte may have arrived.
    const length = end === -1 ? all.length - mark.length + 1 : end;
    if (length > maximum) throw new MalformedResponse("A head or a line is too long");
    if (end === -1) {
      this.#kept = all;
      return nothing;
    }
    this.#kept = nothing;
    read(all.toString("latin1", 0, end));
    return all.subarray(end + mark.length);
  }

  #takeCounted(bytes: Buffer): Buffer {
    const taken = bytes.length <= this.#left ? bytes : bytes.subarray(0, this.#left);
    this.#left -= taken.length;
    this.#events.onBody(taken);
    if (this.#left === 0) {
      if (this.#state === "chunk") this.#state = "chunk-end";
      else this.#finish();
    }
    return bytes.subarray(taken.length);
  }

  #readHead(text: string): void {
    const [statusLine = "", ...lines] = text.split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new MalformedResponse("No status line");
    const headers = readHeaders(lines);
    this.#events.onHead({ status, headers });
    if (status >= 200) this.#readFraming(status, headers);
  }

  /** Determines the length of the body: RFC 9112, section 6.3. */
  #readFraming(status: number, headers: Readonly<Record<string, string>>): void {
    const { "content-length": length, "transfer-encoding": coding } = headers;
    if (status === 204 || status === 304) this.#finish();
    else if (coding !== undefined) {
      if (coding.toLowerCase() !== "chunked") throw new MalformedResponse("An unknown transfer coding");
      this.#state = "chunk-size";
    } else if (length === undefined) this.#state = "until-close";
    else {
      if (!/^\d{1,15}$/.test(length)) throw new MalformedResponse("A length that is not a number");
      this.#left = Number(length);
      this.#state = "length";
      if (this.#left === 0) this.#finish();
    }
  }

  #readChunkSize(line: string): void {
    const digits = /^([0-9a-f]{1,12})[ \t]*(?:;|$)/i.exec(line)?.[1];
    if (digits === undefined) throw new MalformedResponse("A chunk without a length");
    this.#left = Number.parseInt(digits, 16);
    this.#state = this.#left === 0 ? "trailer" : "chunk";
  }

  #finish(): void {
    this.#state = "done";
    this.#events.onEnd();
  }
}

function readHeaders(lines: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new MalformedResponse("A header without a name");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}

const nothing: Buffer = Buffer.alloc(0);
