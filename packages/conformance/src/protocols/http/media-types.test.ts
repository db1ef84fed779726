import { describe, expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import { httpOperation, httpSuite } from "../../run/testing/suites.ts";
import type { SuiteSuccess } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";

const type: SuiteType = { kind: "record", members: [{ name: "a", required: true, type: { kind: "any" } }] };

/** Returns the rules that a server violates with one body, for an operation with some documented media types of the same schema. */
async function rulesOf(documented: readonly string[], served: string, body: string): Promise<readonly string[]> {
  const successes = documented.map(
    (mediaType): SuiteSuccess => ({ status: 200, content: { mediaType, form: "json", type }, headers: [] }),
  );
  const suite = httpSuite([{ ...httpOperation("getDocument", "/document", type), successes }]);
  const baseUrl = await serve(({ url, method }, response) => {
    const isThere = url === "/document";
    const isRead = method === "GET" || method === "HEAD";
    response.writeHead(isThere ? (isRead ? 200 : 405) : 404, { "content-type": served, allow: "GET, HEAD" });
    response.end(isThere && method === "GET" ? body : undefined);
  });
  const { cases } = await playSuite(suite, { baseUrl, seed: "5eed", rate: 10_000 });
  return [...new Set(cases.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].filter((rule) =>
    /^H10[678]$/.test(rule),
  );
}

const json = '{"a": 1}';
const yaml = "a: 1\n";

describe("a body in one of several documented media types", () => {
  it.each(["application/json", "text/json"])("may be in any of them: %s", async (served) => {
    expect(await rulesOf(["application/json", "text/json"], served, json)).toEqual([]);
  });

  it("may be in no other", async () => {
    expect(await rulesOf(["application/json", "text/json"], "text/csv", json)).toEqual(["H106"]);
  });
});

describe("a body in a vendor's media type", () => {
  it.each(["application/vnd.oai.openapi", "application/x-config", "application/prs.config; version=1"])(
    "may be anything that its schema describes where the name does not say that it is JSON: %s",
    async (mediaType) => {
      expect(await rulesOf([mediaType], mediaType, yaml)).toEqual([]);
    },
  );

  it("is checked where it is JSON", async () => {
    const mediaType = "application/vnd.oai.openapi";
    expect(await rulesOf([mediaType], mediaType, '{"b": 1}')).toEqual(["H108"]);
  });

  it.each(["application/vnd.a+json", "application/vnd.json.a", "application/json", "application/problem"])(
    "has to be JSON otherwise: %s",
    async (mediaType) => {
      expect(await rulesOf([mediaType], mediaType, yaml)).toEqual(["H107"]);
    },
  );
});
