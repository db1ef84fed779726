import type { IncomingHttpHeaders } from "node:http";
import { expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import { httpOperation, httpSuite, integer } from "../../run/testing/suites.ts";

const changed = "Wed, 21 Oct 2015 07:28:00 GMT";
const suite = httpSuite([httpOperation("getHeight", "/height", integer)]);

interface Seen {
  readonly rules: readonly string[];
  /** Sent values of If-Modified-Since. */
  readonly conditions: readonly string[];
}

/** Plays the suite against a server with this Last-Modified, which responds to a condition with this status. */
async function play(
  lastModified: string | undefined,
  statusOf: (since: string) => number = () => 200,
  played = suite,
): Promise<Seen> {
  const conditions: string[] = [];
  const baseUrl = await serve(({ url, method, headers }, response) => {
    const status = url === "/height" ? statusOfKnown(headers) : 404;
    const isRead = method === "GET" || method === "HEAD";
    response.writeHead(isRead ? status : 405, {
      "content-type": "application/json",
      allow: "GET, HEAD",
      ...(lastModified === undefined ? {} : { "last-modified": lastModified }),
    });
    response.end(method === "HEAD" || status === 304 ? undefined : "7");
  });
  function statusOfKnown({ "if-modified-since": since }: IncomingHttpHeaders): number {
    if (since === undefined) return 200;
    conditions.push(since);
    return statusOf(since);
  }
  const { cases } = await playSuite(played, { baseUrl, seed: "5eed", rate: 10_000 });
  return { rules: cases.flatMap(({ findings }) => findings.map(({ rule }) => rule)), conditions };
}

it("asks for what changed since before the last change, and takes the whole response", async () => {
  const { rules, conditions } = await play(changed);

  expect(conditions.length).toBeGreaterThan(0);
  for (const since of conditions) expect(Date.parse(since)).toBeLessThan(Date.parse(changed));
  expect(rules.filter((rule) => rule === "H407" || rule === headerSyntax)).toEqual([]);
});

it.each([304, 400, 412])("reports status %i for what has changed since", async (status) => {
  expect((await play(changed, () => status)).rules).toContain("H407");
});

it.each(["2015-10-21T07:28:00Z", "Wed, 21 Oct 2015 07:28:00 +0000", "yesterday"])(
  "reports a Last-Modified that is no date of HTTP: %s",
  async (lastModified) => {
    expect((await play(lastModified)).rules).toContain(headerSyntax);
  },
);

it.each(["Wednesday, 21-Oct-15 07:28:00 GMT", "Wed Oct 21 07:28:00 2015"])(
  "takes the obsolete forms of a date (RFC 9110, section 5.6.7): %s",
  async (lastModified) => {
    expect((await play(lastModified)).rules).not.toContain(headerSyntax);
  },
);

it("reports the whole response for the time of the last change where a 304 is documented", async () => {
  const notModified = { status: 304, headers: [], contents: [], name: "notModified" };
  const operations = suite.operations.map((one) => ({ ...one, failures: [...one.failures, notModified] }));
  const documented = { ...suite, operations };
  const right = (since: string): number => (since === changed ? 304 : 200);
  expect((await play(changed, right, documented)).rules).not.toContain("H410");
  expect((await play(changed, () => 200, documented)).rules).toContain("H410");
  expect((await play(changed, () => 200)).rules).not.toContain("H410");
});

it("sends no condition where there is no Last-Modified", async () => {
  expect((await play(undefined)).conditions).toEqual([]);
});

const headerSyntax = "H117";
