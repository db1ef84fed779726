import { isDeeperThan } from "@nodewright/runtime";
import type { BodyReader, ResponseBody } from "./http-post.ts";
import { type ListedString, ListScanner } from "./list-scanner.ts";
import type { ResponseLease } from "./response-budget.ts";
import { ExcessiveStructure, type JsonLimits, SlicedJsonReader } from "./sliced-json-reader.ts";

/** Length in bytes below which a body is parsed at once: it holds few values. */
const plainBytes = 16_384;

/** Memory of the values of a shorter body for each of its bytes, including the garbage of its string: many of them together take much. */
const plainMemoryPerByte = 4;

/** Number of bytes that are kept of a long body that is not JSON: enough for the reason that a gateway gives. */
const keptBytes = 1_024;

/** Creates the reader of a JSON body, which returns the value as soon as it is complete. */
export function createJsonReader(
  parse: (text: string) => unknown,
  limits: JsonLimits,
  lease: ResponseLease,
): BodyReader {
  return new JsonBodyReader(parse, limits, lease);
}

class JsonBodyReader implements BodyReader {
  readonly #parse: (text: string) => unknown;
  readonly #limits: JsonLimits;
  readonly #lease: ResponseLease;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #sliced: SlicedJsonReader | undefined;
  /** Beginning of a long body that is not JSON. */
  #text: string | undefined;

  constructor(parse: (text: string) => unknown, limits: JsonLimits, lease: ResponseLease) {
    this.#parse = parse;
    this.#limits = limits;
    this.#lease = lease;
  }

  push(chunk: Buffer): void {
    if (this.#text !== undefined) return;
    this.#length += chunk.length;
    if (this.#sliced === undefined) {
      this.#chunks.push(chunk);
      if (this.#length <= plainBytes) return;
    }
    try {
      this.#pushSliced(chunk);
    } catch (reason) {
      if (!(reason instanceof SyntaxError)) throw reason;
      this.close();
      this.#sliced = undefined;
      this.#text = this.#beginning();
    }
  }

  close(): void {
    this.#sliced?.close();
  }

  end(): ResponseBody {
    if (this.#text !== undefined) return { kind: "text", text: this.#text };
    const text = this.#sliced === undefined ? this.#joined().toString("utf8") : undefined;
    let value: unknown;
    try {
      value = text === undefined ? this.#sliced?.end() : this.#parse(text);
    } catch (reason) {
      if (!(reason instanceof SyntaxError)) throw reason;
      return { kind: "text", text: text ?? this.#beginning() };
    }
    // Code that reads the value by recursion must not overflow the stack.
    if (text !== undefined && isDeeperThan(text, this.#limits.depth))
      throw new ExcessiveStructure("Nested too deeply", this.#limits.isShapedByClients);
    if (text !== undefined) this.#lease.grow(plainMemoryPerByte * this.#length, 0);
    return { kind: "json", value };
  }

  #pushSliced(chunk: Buffer): void {
    if (this.#sliced !== undefined) {
      this.#sliced.push(chunk);
      return;
    }
    this.#sliced = new SlicedJsonReader(this.#parse, this.#limits, this.#lease);
    const whole = this.#joined();
    // The buffered bytes are needed for the beginning alone. It is copied, since a slice of a chunk keeps the complete chunk alive.
    this.#chunks.splice(0, Infinity, Buffer.from(whole.subarray(0, keptBytes)));
    this.#sliced.push(whole);
  }

  #joined(): Buffer {
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
  }

  #beginning(): string {
    return this.#joined().toString("utf8", 0, keptBytes);
  }
}

/** Creates the reader of a list of strings, which are passed to `take`. Its value is the rest of the response, with an empty list. */
export function createListReader(take: ListedString): BodyReader {
  const scanner = new ListScanner(take);
  return {
    push: (chunk) => scanner.push(chunk),
    end() {
      const text = scanner.rest();
      try {
        return { kind: "json", value: JSON.parse(text) };
      } catch {
        return { kind: "text", text };
      }
    },
  };
}
