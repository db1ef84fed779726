import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, graphql } from "graphql";
import { afterEach, expect, test } from "vitest";
import { playSuite } from "../../../run/play-suite.ts";
import type { GraphqlSuite } from "../../../suite/suite.ts";

const schema = `
  type Album { id: ID! tracks: [Track!]! guests: [Track!]! }
  type Track { id: ID! album: Album! }
  type Query { album(id: ID = "a1"): Album }
`;

const suite: GraphqlSuite = {
  format: 2,
  protocol: "graphql",
  name: "music",
  title: "Music",
  version: "1",
  source: "music.graphql",
  security: {},
  types: {},
  schema,
  scalars: {},
  documents: [],
};

let close = (): void => {};

afterEach(() => close());

/** Returns the messages of findings. `of`: id of the album that the track refers to. */
async function messagesOf(of: string): Promise<readonly string[]> {
  const built = buildSchema(schema);
  const track = { id: "t1", album: { id: of } };
  // A list of another name may contain tracks of any album.
  const rootValue = { album: { id: "a1", tracks: [track], guests: [{ id: "t2", album: { id: "a7" } }] } };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    const { query, variables } = JSON.parse(body || "{}") as { query: string; variables?: Record<string, unknown> };
    const result = await graphql({ schema: built, source: query ?? "", rootValue, variableValues: variables });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { cases } = await playSuite(suite, { baseUrl, seed: "1", rate: 10_000, only: ["Query.album/live/*"] });
  return cases.flatMap(({ findings }) => findings.map(({ message }) => message));
}

test("what an object lists is of that object, where names say so", async () => {
  expect(await messagesOf("a1")).toEqual([]);
});

test("an element that says it is of another object is told", async () => {
  expect((await messagesOf("a2")).join()).toContain(
    "/tracks/*/album/id is another than id of the object that lists it",
  );
});
