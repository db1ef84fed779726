import { afterAll, describe, expect, it } from "vitest";
import { realDocument } from "../support/documents.ts";
import type { Comparison } from "./compare-examples.ts";
import { triedDocuments } from "./documents.ts";
import { generateDocument, play, typecheck } from "./generated-document.ts";
import type { RoundTrips } from "./round-trip.ts";

/** Generating, compiling and playing the largest of them, on a machine that does other things as well. */
const longestMilliseconds = 300_000;

const rows: string[] = [];

const found = await Promise.all(
  triedDocuments.map(async (document) => ({ ...document, place: await realDocument(document.name) })),
);

for (const { place } of found) if ("missing" in place) console.warn(place.missing);

describe.each(found)("$name", ({ name, language, place }) => {
  const path = "path" in place ? place.path : "";

  it.skipIf(path === "")(
    "generates without an error, compiles under strict, and a generated client gets what the generated server was given",
    async () => {
      const generated = await generateDocument(path);
      const errors = generated.report.diagnostics.filter(({ severity }) => severity === "error");
      expect(errors).toEqual([]);
      expect(generated.status, generated.stderr).toBe(0);
      expect(await typecheck(generated)).toEqual([]);
      if (language === "graphql") return;
      const comparison = await play<Comparison>("compare-examples.ts", generated, path);
      expect(comparison.different.slice(0, 20)).toEqual([]);
      const trips = await play<RoundTrips>("round-trip.ts", generated, path);
      expect(trips.different).toEqual([]);
      const wrongExamples = generated.report.diagnostics.filter(({ code }) => code === "example/does-not-match-schema");
      rows.push(
        `${name}: ${trips.equal} operations played, ${trips.unsampled.length} not sampled, ` +
          `${comparison.accepted} examples accepted, ${comparison.refused} refused, ${comparison.unchecked} not compiled by ajv, ` +
          `${comparison.mutations} changed samples alike, ` +
          `${wrongExamples.length} warnings of wrong examples`,
      );
    },
    longestMilliseconds,
  );

  afterAll(() => {
    for (const row of rows.splice(0)) console.log(row);
  });
});
