import { LineSplitter } from "./line-splitter.ts";
import { WireError } from "./wire-error.ts";
import { defaultWireLimits, type WireLimits } from "./wire-limits.ts";

/** A server-sent event (WHATWG HTML, section 9.2). */
export interface ServerSentEvent<Data = unknown> {
  readonly data: Data;
  /** Event type. Absent: `message`. */
  readonly event?: string;
  /** Id that a client sends after a lost connection: `Last-Event-ID`. */
  readonly id?: string;
  /** Milliseconds that a client waits after a lost connection. Sent, and obeyed by generated clients; never part of their results. */
  readonly retryMilliseconds?: number;
}

/** Serializes an event. Throws `RangeError` for a name or id with a line end in it. */
export function writeEvent({ data, event, id, retryMilliseconds }: ServerSentEvent<string>): string {
  const lines = [
    ...(event === undefined || event === "" ? [] : [`event: ${lineText(event)}`]),
    ...(id === undefined ? [] : [`id: ${lineText(id)}`]),
    ...(retryMilliseconds === undefined ? [] : [`retry: ${Math.max(0, Math.trunc(retryMilliseconds))}`]),
    ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
  ];
  return `${lines.join("\n")}\n\n`;
}

/** Parser of events from text in pieces (WHATWG HTML, section 9.2.6). An event without its empty line is incomplete and dropped. */
export class EventParser {
  readonly #lines: LineSplitter;
  readonly #maximumLength: number;
  #isFirst = true;
  #endedInReturn = false;
  #data: string[] = [];
  #length = 0;
  #event = "";
  #id: string | undefined;
  #lastEventId: string;
  #retryMilliseconds: number | undefined;

  /** Creates the parser. `lastEventId` is the one of the connection before. */
  constructor({ maximumItemLength }: WireLimits = defaultWireLimits, lastEventId: string = "") {
    this.#lastEventId = lastEventId;
    this.#lines = new LineSplitter(/\r\n|\r|\n/g, maximumItemLength);
    this.#maximumLength = maximumItemLength;
  }

  /** Last id that was sent, with an event or alone; empty before. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** Last requested delay in milliseconds. */
  get retryMilliseconds(): number | undefined {
    return this.#retryMilliseconds;
  }

  /** Returns the events that end in `text`. Throws `WireError` for one that is too long. */
  push(text: string): readonly ServerSentEvent<string>[] {
    const events: ServerSentEvent<string>[] = [];
    for (const line of this.#lines.push(this.#prepare(text))) {
      const event = line === "" ? this.#dispatch() : this.#readField(line);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  /** Removes a byte order mark, and a line feed whose carriage return ended the text before. */
  #prepare(text: string): string {
    if (text === "") return text;
    let start = this.#isFirst && text.startsWith("\uFEFF") ? 1 : 0;
    if (this.#endedInReturn && text.startsWith("\n")) start = 1;
    this.#isFirst = false;
    this.#endedInReturn = text.endsWith("\r");
    return text.slice(start);
  }

  #dispatch(): ServerSentEvent<string> | undefined {
    const event: ServerSentEvent<string> = {
      data: this.#data.join("\n"),
      ...(this.#event === "" ? {} : { event: this.#event }),
      ...(this.#id === undefined ? {} : { id: this.#id }),
    };
    const hasData = this.#data.length > 0;
    this.#data = [];
    this.#length = 0;
    this.#event = "";
    this.#id = undefined;
    return hasData ? event : undefined;
  }

  #readField(line: string): undefined {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    switch (name) {
      case "data":
        this.#addData(value);
        break;
      case "event":
        this.#event = value;
        break;
      case "id":
        if (!value.includes("\0")) {
          this.#id = value;
          this.#lastEventId = value;
        }
        break;
      case "retry":
        if (/^[0-9]{1,9}$/.test(value)) this.#retryMilliseconds = Number(value);
        break;
      default:
      // A comment, or a field of a later specification.
    }
  }

  #addData(value: string): void {
    this.#length += value.length + 1;
    if (this.#length > this.#maximumLength) {
      throw new WireError("too-large", `An event is longer than ${this.#maximumLength} characters`);
    }
    this.#data.push(value);
  }
}

function lineText(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new RangeError("The name and the id of an event can't hold a line end");
  return text;
}
