import type { Direction } from "@nodewright/api-model";
// OpenAPI 3.1, sections 4.8.16 (Responses Object) and 4.8.17 (Response Object).
import type { ResponseHeader } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { readContents, type ReadContent } from "./content-reader.ts";
import { readHeaders } from "./header-reader.ts";
import type { PlaceMemo } from "./place-memo.ts";
import { follow, type Reading } from "./reading.ts";

/** Content of one Response Object. */
export interface ReadResponse {
  readonly description: string;
  readonly headers: readonly ResponseHeader[];
  readonly contents: readonly ReadContent[];
  readonly links: readonly (readonly [name: string, link: SourceValue])[];
}

/** Reader of Response Objects. One that several operations refer to is read once. */
export class ResponseReader {
  readonly #reading: Reading;
  readonly #direction: Direction;
  readonly #responses: PlaceMemo<Omit<ReadResponse, "description">>;

  constructor(reading: Reading, direction: Direction) {
    this.#reading = reading;
    this.#direction = direction;
    this.#responses = reading.createMemo();
  }

  read(item: SourceValue): ReadResponse | undefined {
    const followed = follow(this.#reading, item);
    if (followed === undefined) return undefined;
    const { place, description = "" } = followed;
    return { description, ...this.#responses.get(place, () => this.#readNew(place)) };
  }

  #readNew(place: SourceValue): Omit<ReadResponse, "description"> {
    return {
      headers: readHeaders(this.#reading, place, this.#direction),
      contents: readContents(this.#reading, place, this.#direction),
      links: place.member("links")?.members ?? [],
    };
  }
}
