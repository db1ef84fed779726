import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { requireInstalled } from "../support/requirement.ts";
import { root } from "../support/workspace.ts";
import { expectNoFalseAlarm } from "./expect-no-false-alarm.ts";
import { installationOf, listCorrectServers } from "./correct-servers.ts";

const cache = join(root, ".cache/ci/correct-servers");
const servers = listCorrectServers("ci");
const installed = new Map(
  [...new Set(servers.map(({ runtime }) => runtime))].map((runtime) => {
    const place = join("correct-servers", basename(installationOf(runtime, cache)), "installed");
    return [runtime, requireInstalled(place, `The packages of the correct servers in ${runtime}`).path];
  }),
);

describe("a correct server has no false alarm:", () => {
  test("six of them are played here", () => expect(servers).toHaveLength(6));

  for (const server of servers)
    test.skipIf(installed.get(server.runtime) === undefined)(
      `${server.name}, ${server.framework}`,
      async () => await expectNoFalseAlarm(server, cache),
    );
});
