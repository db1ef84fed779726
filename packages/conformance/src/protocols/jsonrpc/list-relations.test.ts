import { isRecord } from "@nodewright/api-model";
import { describe, expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import { type BookMethods, bookSuite, rightBooks } from "./testing/book-server.ts";
import { describedListener, MethodFailure, type MethodInput } from "./testing/described-server.ts";
import { blamedRules } from "../../testing/blamed-cases.ts";

async function play(change: Partial<BookMethods> = {}): Promise<Report> {
  return await playSuite(bookSuite, {
    baseUrl: await serve(describedListener(bookSuite, { ...rightBooks, ...change })),
    seed: "b00c",
    rate: 10_000,
    concurrency: 4,
  });
}

/** Returns `listbooks` with another input, and with its list changed. */
function listing(
  inputOf: (input: MethodInput) => MethodInput,
  change: (books: readonly unknown[], input: MethodInput) => readonly unknown[] = (books) => books,
): Partial<BookMethods> {
  return {
    listbooks: (input) => {
      const response = rightBooks.listbooks(inputOf(input));
      if (!isRecord(response) || !Array.isArray(response["books"])) return response;
      return { ...response, books: change(response["books"], input) };
    },
  };
}

const without = (input: MethodInput, name: string): MethodInput => ({ ...input, [name]: undefined });
const numberIn = (input: MethodInput, name: string, usual: number): number => Number(input[name] ?? usual);

let turns = 0;

function orderedWhereSorted(input: MethodInput): MethodInput {
  return input["sort"] === undefined ? without(input, "order") : input;
}

function listed(input: MethodInput): Readonly<Record<string, unknown>> {
  const response = rightBooks.listbooks(input);
  return isRecord(response) ? response : {};
}

/** Returns a result whose total is the sum of its books' pages. */
function summed(response: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const books = Array.isArray(response["books"]) ? response["books"].filter(isRecord) : [];
  return { ...response, total: books.reduce((sum, book) => sum + Number(book["pages"]), 0) };
}

describe("lists", () => {
  it("of a right server are right", async () => {
    const report = await play();
    expect(report.cases.filter(({ verdict }) => verdict === "failed" || verdict === "warned")).toEqual([]);
    expect(report.outcome).toBe("conforms");
  });

  it.each<[string, Partial<BookMethods>]>([
    [
      "limits that count from the end",
      {
        listbooks: ({ limit = 5, offset = 0, ...input }) => {
          const response = rightBooks.listbooks({ ...input, limit: 20 });
          if (!isRecord(response) || !Array.isArray(response["books"])) return response;
          const end = response["books"].length - Number(offset);
          return { ...response, books: response["books"].slice(Math.max(0, end - Number(limit)), Math.max(0, end)) };
        },
      },
    ],
    [
      "a switch that lets everything through when it is off",
      listing((input) => (input["inPrint"] === false ? without(input, "inPrint") : input)),
    ],
    [
      "an order of its own in each answer",
      {
        listshelf: (input) =>
          Array.from({ length: 30 }, (_none, index) => `book ${index}`)
            .toSorted(() => Math.random() - 0.5)
            .slice(0, numberIn(input, "perPage", 3)),
      },
    ],
    [
      "fewer elements than are asked for",
      listing((input) => ({ ...input, limit: Math.min(7, numberIn(input, "limit", 5)) })),
    ],
    ["an order that means nothing without a member to sort by", listing(orderedWhereSorted)],
    ["an estimate for a total", { listbooks: (input) => ({ ...listed(input), total: 100, isEstimate: true }) }],
    ["a total that sums up", { listbooks: (input) => summed(listed(input)) }],
    [
      "elements that go round",
      {
        listshelf: (input) => {
          turns += 1;
          const books = Array.from({ length: 30 }, (_none, index) => `book ${(index + turns) % 30}`);
          return books.slice(0, numberIn(input, "perPage", 3));
        },
      },
    ],
  ])("may have %s", async (_name, change) => {
    expect(blamedRules(await play(change))).toEqual([]);
  });

  it.each<[string, string, Partial<BookMethods>]>([
    ["P001", "a limit that gives one more", listing((input) => ({ ...input, limit: numberIn(input, "limit", 5) + 1 }))],
    [
      "P001",
      "a limit that gives one less",
      { listshelf: (input) => rightBooks.listshelf({ ...input, perPage: numberIn(input, "perPage", 3) - 1 }) },
    ],
    [
      "P001",
      "another default than is documented",
      { listshelf: (input) => rightBooks.listshelf({ perPage: 2, ...input }) },
    ],
    [
      "P003",
      "an offset that is one too great",
      listing((input) => (input["offset"] === undefined ? input : { ...input, offset: Number(input["offset"]) + 1 })),
    ],
    ["P003", "an offset that is ignored", listing((input) => without(input, "offset"))],
    ["P003", "a page that is ignored", { listshelf: (input) => rightBooks.listshelf(without(input, "page")) }],
    ["P002", "an order that is ignored", listing((input) => without(input, "order"))],
    ["P002", "the other order", listing((input) => ({ ...input, order: input["order"] === "desc" ? "asc" : "desc" }))],
    ["P002", "a member to sort by that is ignored", listing((input) => without(input, "sort"))],
    ["P004", "a filter that is ignored", listing((input) => without(input, "inPrint"))],
    [
      "P004",
      "a filter that loses elements",
      listing(
        (input) => input,
        (books, input) => (input["inPrint"] === true ? books.slice(0, 2) : books),
      ),
    ],
    [
      "P006",
      "a total of the page alone",
      {
        listbooks: (input) => {
          const response = rightBooks.listbooks(input);
          return isRecord(response) ? { ...response, total: 1 } : response;
        },
      },
    ],
  ])("are blamed with %s for %s", async (rule, _name, change) => {
    expect(blamedRules(await play(change))).toContain(rule);
  });
});

describe("calls in turn", () => {
  it("have their own answers", async () => {
    let last: unknown;
    const late = (input: MethodInput): unknown => {
      const own = rightBooks.getblurb(input);
      const given = last ?? own;
      last = own;
      return given;
    };
    expect(blamedRules(await play({ getblurb: late }))).toContain("P045");
  });
});

describe("errors", () => {
  it("have the code of what they say", async () => {
    const report = await play({
      getbook: (input) => {
        try {
          return rightBooks.getbook(input);
        } catch (error) {
          if (error instanceof MethodFailure && error.code === 7) throw new MethodFailure(8, error.message);
          throw error;
        }
      },
    });
    expect(blamedRules(report)).toContain("P035");
  });

  it("inside of the server do not come for documented values", async () => {
    const change = (input: MethodInput): unknown => {
      if (input["genre"] === "essay") throw new MethodFailure(-32603, "Internal error");
      return rightBooks.listbooks(input);
    };
    expect(blamedRules(await play({ listbooks: change }))).toContain("J79");
  });

  it("do not come where a parameter with a default is left out", async () => {
    const change = (input: MethodInput): unknown => {
      if (input["limit"] === undefined) throw new MethodFailure(-32602, "Invalid params");
      return rightBooks.listbooks(input);
    };
    expect(blamedRules(await play({ listbooks: change }))).toContain("P012");
  });

  it("do not come for each value of a parameter that may be given", async () => {
    const change = (input: MethodInput): unknown => {
      if (input["sort"] !== undefined) throw new MethodFailure(-32602, "Invalid params");
      return rightBooks.listbooks(input);
    };
    expect(blamedRules(await play({ listbooks: change }))).toContain("P012");
  });
});
