import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/workspace.ts";
import { type CorrectServer, installRuntime, listCorrectServers } from "./correct-servers.ts";
import { expectNoFalseAlarm } from "./expect-no-false-alarm.ts";

const cache = join(root, ".cache/long/correct-servers");
const servers = listCorrectServers("long");

test("there are twenty correct servers in four languages", () => {
  const countOf = (fact: (server: CorrectServer) => string): number => new Set(servers.map(fact)).size;
  console.log(
    `correct servers: ${servers.length} of ${countOf(({ framework }) => framework)} frameworks in ${countOf(({ language }) => language)} languages`,
  );
  expect(servers.length).toBeGreaterThanOrEqual(20);
  expect(countOf(({ language }) => language)).toBeGreaterThanOrEqual(4);
});

test.each(servers)("$name ($framework) has no false alarm", async (server) => {
  installRuntime(server.runtime, cache);
  await expectNoFalseAlarm(server, cache);
});
