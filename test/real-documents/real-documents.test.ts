import { afterAll, describe, expect, it } from "vitest";
import { realDocument } from "../support/documents.ts";
import type { Comparison } from "./compare-examples.ts";
import { furtherDocuments, triedDocuments } from "./documents.ts";
import { type GeneratedDocument, generateDocument, play, typecheck } from "./generated-document.ts";
import type { RoundTrips } from "./round-trip.ts";

/** Generating, compiling and playing the largest of them, on a machine that does other things as well. */
const longestMilliseconds = 600_000;

/** `npm run test:long` tries more documents, and more values of each. */
const isLong = process.env["NODEWRIGHT_LONG"] === "1";

const rows: string[] = [];

const found = await Promise.all(
  [...triedDocuments, ...(isLong ? furtherDocuments : [])].map(async (document) => ({
    ...document,
    place: await realDocument(document.name),
  })),
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
      // The compiler needs as long as the rest: both at once keep two cores busy.
      const [typeErrors, played] = await Promise.all([
        typecheck(generated),
        language === "graphql" ? undefined : playDocument(generated, path),
      ]);
      expect(typeErrors).toEqual([]);
      if (played === undefined) return;
      const { comparison, trips } = played;
      expect(comparison.different.slice(0, 20)).toEqual([]);
      expect(trips.different).toEqual([]);
      expect(trips.unsampled).toEqual([]);
      const wrongExamples = generated.report.diagnostics.filter(({ code }) => code === "example/does-not-match-schema");
      rows.push(
        `${name}: ${trips.equal} operations played, ` +
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

async function playDocument(
  generated: GeneratedDocument,
  path: string,
): Promise<{ readonly comparison: Comparison; readonly trips: RoundTrips }> {
  const comparison = await play<Comparison>("compare-examples.ts", generated, path);
  return { comparison, trips: await play<RoundTrips>("round-trip.ts", generated, path) };
}
