import { afterEach, describe, expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import {
  type Library,
  type LibraryExchange,
  type LibraryFaults,
  type LibraryReply,
  librarySuite,
  serveLibrary,
} from "../../testing/graphql-library.ts";

let library: Library | undefined;

afterEach(async () => {
  await library?.close();
  library = undefined;
});

/** Returns the ids of all rules in a report, of any level. */
async function reported(faults: LibraryFaults, only: readonly string[], apiKey?: string): Promise<readonly string[]> {
  library = await serveLibrary(faults);
  const options = { baseUrl: library.url, seed: "00", only, rate: 10_000 };
  const { cases } = await playSuite(librarySuite(), { ...options, ...(apiKey === undefined ? {} : { apiKey }) });
  return [...new Set(cases.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].toSorted();
}

type Members = Readonly<Record<string, unknown>>;

/** Returns a fault that changes responses. */
function changing(change: (body: Members, reply: LibraryReply) => Partial<LibraryReply> | undefined): LibraryFaults {
  return {
    reply: (reply) => {
      if (typeof reply.body !== "string" || !reply.body.startsWith("{")) return reply;
      return { ...reply, ...change(JSON.parse(reply.body) as Members, reply) };
    },
  };
}

describe("responses", () => {
  it.each<[string, string, LibraryFaults]>([
    [
      "have errors with members of nobody",
      "G104",
      changing(({ errors, ...rest }) =>
        Array.isArray(errors)
          ? { body: JSON.stringify({ ...rest, errors: errors.map((error: Members) => ({ ...error, code: 7 })) }) }
          : undefined,
      ),
    ],
    [
      "have data under another success than 200",
      "G124",
      changing(({ data, errors }) => (data != null && errors === undefined ? { status: 202 } : undefined)),
    ],
    [
      "have data beside the errors of a refusal",
      "G405",
      changing(({ data, errors }) =>
        data === undefined ? { body: JSON.stringify({ data: { __typename: "Query" }, errors }) } : undefined,
      ),
    ],
  ])("that %s are told by %s", async (_name, rule, faults) => {
    expect(await reported(faults, ["Query.person"])).toContain(rule);
  });

  it("to an introspection have the schema", async () => {
    const empty = changing(({ data }) =>
      typeof data === "object" && data !== null && "__schema" in data
        ? { body: '{"data":{"__schema":{}}}' }
        : undefined,
    );
    expect(await reported(empty, ["(protocol)"])).toContain("G010");
  });
});

describe("keys", () => {
  const key = "right-key-of-the-run";
  const guarded = (
    refusal: LibraryReply,
    isRefused: (exchange: LibraryExchange) => boolean = ({ url }) => !url.includes(key),
  ): LibraryFaults => ({ reply: (reply, exchange) => (isRefused(exchange) ? refusal : reply) });
  const refused = (status: number, headers: Readonly<Record<string, string>> = {}, body = "{}"): LibraryReply => ({
    status,
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  const ofKeys = ["P040", "P041", "P042", "P043"];
  const broken = async (faults: LibraryFaults): Promise<readonly string[]> =>
    (await reported(faults, ["(protocol)"], key)).filter((rule) => ofKeys.includes(rule));

  it("are asked for as HTTP has it", async () => {
    expect(await broken(guarded(refused(401, { "www-authenticate": "Bearer" })))).toEqual([]);
    expect(await broken(guarded(refused(401)))).toEqual(["P043"]);
    expect(await broken(guarded(refused(400)))).toEqual(["P042"]);
  });

  it("are looked at", async () => {
    expect(await broken({})).toEqual(["P041"]);
    const isKeyless = ({ url }: LibraryExchange): boolean => !url.includes("apikey=");
    expect(await broken(guarded(refused(403), isKeyless))).toEqual(["P040"]);
  });
});
