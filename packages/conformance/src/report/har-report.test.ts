import { describe, expect, it } from "vitest";
import { renderHar } from "./har-report.ts";
import { sampleReport } from "../testing/sample-report.ts";

interface Entry {
  readonly startedDateTime: string;
  readonly comment: string;
  readonly request: { readonly queryString: readonly object[]; readonly url: string };
  readonly response: {
    readonly status: number;
    readonly content: { readonly mimeType: string; readonly text: string };
  };
}

describe("the HTTP archive", () => {
  const { log } = JSON.parse(renderHar(sampleReport())) as {
    readonly log: { readonly version: string; readonly entries: readonly Entry[] };
  };

  it("has an entry for each request, in the order of time, with the case", () => {
    expect(log.version).toBe("1.2");
    expect(log.entries).toHaveLength(4);
    const times = log.entries.map(({ startedDateTime }) => startedDateTime);
    expect(times).toEqual(times.toSorted());
    expect(log.entries[0]?.comment).toBe("listPets/example/all: failed");
  });

  it("has what readers of 1.2 need in each entry", () => {
    for (const entry of log.entries) {
      expect(Object.keys(entry)).toEqual(
        expect.arrayContaining(["startedDateTime", "time", "request", "response", "cache", "timings"]),
      );
      expect(Object.keys(entry.request)).toEqual(
        expect.arrayContaining([
          "method",
          "url",
          "httpVersion",
          "cookies",
          "headers",
          "queryString",
          "headersSize",
          "bodySize",
        ]),
      );
      expect(Object.keys(entry.response)).toEqual(
        expect.arrayContaining(["status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL"]),
      );
    }
    expect(log.entries[0]?.request.queryString).toEqual([{ name: "apikey", value: "$API_KEY" }]);
    expect(log.entries[0]?.response.content.mimeType).toBe("application/json; charset=utf-8");
  });

  it("says why no answer came", () => {
    expect(log.entries.at(-1)?.response.status).toBe(0);
    expect(log.entries.at(-1)?.comment).toContain("the connection was reset");
  });
});
