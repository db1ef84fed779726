import { describe, expect, it } from "vitest";
import { officialSchema } from "./official-schemas.ts";

const vocabularies = (draft: string, names: string): readonly string[] =>
  names.split(" ").map((name) => `json-schema.org/draft/${draft}/meta/${name}`);

describe("officialSchema", () => {
  it.each([
    "json-schema.org/draft-04/schema",
    "json-schema.org/draft-06/schema",
    "json-schema.org/draft-07/schema",
    "json-schema.org/draft/2019-09/schema",
    "json-schema.org/draft/2020-12/schema",
    ...vocabularies("2019-09", "core applicator validation meta-data format content"),
    ...vocabularies("2020-12", "core applicator unevaluated validation meta-data format-annotation content"),
  ])("finds %s, which calls itself so", (uri) => {
    for (const scheme of ["http", "https"]) {
      const schema = JSON.parse(officialSchema(`${scheme}://${uri}`) ?? "{}") as { $id?: string; id?: string };
      expect((schema.$id ?? schema.id)?.replace(/#$/, "")).toMatch(new RegExp(`^https?://${uri}$`));
    }
  });

  it.each([
    "https://json-schema.org/draft/2020-12/meta/format",
    "https://json-schema.org/draft/2019-09/meta/unevaluated",
    "https://json-schema.org/draft-03/schema",
    "ftp://json-schema.org/draft-07/schema",
    "https://elsewhere.example/https://json-schema.org/draft-07/schema",
    "",
  ])("does not know %j", (uri) => {
    expect(officialSchema(uri)).toBeUndefined();
  });
});
