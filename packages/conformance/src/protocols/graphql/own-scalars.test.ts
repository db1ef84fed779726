import { afterEach, describe, expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { type Library, type LibraryFaults, librarySuite, serveLibrary } from "../../testing/graphql-library.ts";

const schema = `
scalar UUID

type Line {
  id: UUID!
  name: String!
}

type Query {
  line(id: UUID!): Line
  lines: [Line!]!
}
`;

const lines = [1, 2, 3].map((index) => ({ id: `0f8fad5b-d9cb-469f-a165-70867728950${index}`, name: `L${index}` }));

let library: Library | undefined;

afterEach(async () => {
  await library?.close();
  library = undefined;
});

async function play(reply: LibraryFaults["reply"], format = "UUID"): Promise<Report> {
  const find = ({ id }: { id: string }) => lines.find((one) => one.id === id) ?? null;
  library = await serveLibrary({
    schema,
    root: { line: find, lines: () => lines },
    reply: (given, exchange) => reply?.(given, exchange) ?? given,
  });
  const suite = librarySuite({ schema, scalars: { UUID: { kind: "string", format } as never } });
  return await playSuite(suite, { baseUrl: library.url, seed: "00", rate: 10_000 });
}

describe("values of a schema's own scalars", () => {
  it("are of the form that was answered, where they are made up", async () => {
    const refused: string[] = [];
    const report = await play((reply, { body }) => {
      const texts = /"variables":\{([^}]*)\}/.exec(body)?.[1]?.matchAll(/:"([^"]*)"/g) ?? [];
      const wrong = [...texts].map(([, text]) => text).find((text) => !/^[0-9a-f-]{36}$/.test(text ?? ""));
      if (wrong === undefined) return reply;
      refused.push(String(wrong));
      return { ...reply, status: 200, body: JSON.stringify({ data: null, errors: [{ message: "not a UUID" }] }) };
    });
    expect(report.cases.filter(({ verdict }) => verdict === "failed").map(({ id }) => id)).toEqual([]);
    expect(report.cases.find(({ id }) => id === "Query.line/relation/id-of-nothing")?.verdict).toBe("passed");
    expect(refused.filter((one) => one !== "text" && !one.includes("nodewright"))).toEqual([]);
  });

  it("have the format that their specification gives them", async () => {
    const broken = (report: Report) => report.cases.flatMap(({ findings }) => findings.map(({ rule }) => rule));
    const cut: LibraryFaults["reply"] = (reply) => ({
      ...reply,
      body: String(reply.body).replaceAll(/-a165-\w+/g, ""),
    });
    expect(broken(await play(undefined, "uuid"))).not.toContain("G112");
    await library?.close();
    expect(broken(await play(cut, "uuid"))).toContain("G112");
  });
});
