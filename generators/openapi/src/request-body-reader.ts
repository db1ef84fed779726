import type { Direction } from "@nodewright/api-model";
// OpenAPI 3.1, section 4.8.13: Request Body Object.
import type { HttpBinding, RequestBody } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { readContents, type ReadContent } from "./content-reader.ts";
import { propertiesOf } from "./form-type.ts";
import type { NamedExamples } from "./named-examples.ts";
import type { PlaceMemo } from "./place-memo.ts";
import { follow, type Reading } from "./reading.ts";

export interface RequestBodyWithExamples {
  readonly body: RequestBody;
  readonly examples: NamedExamples;
}

/** Reader of request bodies. One that several operations refer to is read once. */
export class RequestBodyReader {
  readonly #reading: Reading;
  readonly #direction: Direction;
  readonly #contents: PlaceMemo<readonly ReadContent[]>;

  constructor(reading: Reading, direction: Direction) {
    this.#reading = reading;
    this.#direction = direction;
    this.#contents = reading.createMemo();
  }

  contentsOf(place: SourceValue): readonly ReadContent[] {
    return this.#contents.get(place, () => readContents(this.#reading, place, this.#direction));
  }

  /** Returns the body of an operation; undefined if it has none, or none that HTTP defines for the method. */
  read(operation: SourceValue, method: HttpBinding["method"]): RequestBodyWithExamples | undefined {
    const member = operation.member("requestBody");
    const followed = member && follow(this.#reading, member);
    if (followed === undefined) return undefined;
    const { place, description } = followed;
    const contents = this.contentsOf(place);
    const required = this.#reading.members.flag(place, "required") ?? false;
    if (isWithoutBody(method)) {
      this.#noteLeftOut(place, method, contents);
      return undefined;
    }
    if (contents.length === 0) return undefined;
    const body: RequestBody = {
      required,
      contents: contents.map(({ content }) => content),
      source: place.source,
      ...(description === undefined ? {} : { documentation: { description } }),
    };
    return { body, examples: preferred(contents)?.examples ?? new Map() };
  }

  /** Reports a body that is ignored (RFC 9110, sections 9.3.1, 9.3.2 and 9.3.8), unless the body could not contain anything. */
  #noteLeftOut(place: SourceValue, method: HttpBinding["method"], contents: readonly ReadContent[]): void {
    if (contents.every(({ schema }) => schema === undefined || isEmptyBody(this.#reading, schema))) return;
    this.#reading.habits.note(`body-of-get ${method}`, place.source, (source, others) =>
      this.#reading.report("body-of-get", source, { method, others }),
    );
  }
}

/** Returns whether a schema describes an object without any members. */
function isEmptyBody(reading: Reading, schema: SourceValue): boolean {
  const isDescribed = schema.has("properties") || schema.member("additionalProperties")?.boolean === false;
  return isDescribed && propertiesOf(reading, schema).size === 0;
}

/** Returns the content that clients send by default. */
function preferred(contents: readonly ReadContent[]): ReadContent | undefined {
  return contents.find(({ content }) => content.form === "json") ?? contents[0];
}

function isWithoutBody(method: HttpBinding["method"]): boolean {
  return method === "GET" || method === "HEAD" || method === "TRACE";
}
