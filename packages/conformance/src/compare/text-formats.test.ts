import { expect, test } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { formlessTexts, isWellFormed } from "./text-formats.ts";

const trip: SuiteType = {
  kind: "record",
  members: [
    { name: "on", type: { kind: "string", format: "date" }, required: true },
    { name: "at", type: { kind: "list", element: { kind: "string", format: "date-time" } }, required: false },
    { name: "id", type: { kind: "string", format: "uuid" }, required: false },
    { name: "page", type: { kind: "string", format: "uri" }, required: false },
    { name: "mail", type: { kind: "string", format: "email" }, required: false },
    {
      name: "when",
      type: {
        kind: "union",
        mode: "any-of",
        members: [{ kind: "string", format: "date" }, { kind: "string" }],
      },
      required: false,
    },
  ],
};

function reported(value: unknown, sure = true): readonly string[] {
  const found = formlessTexts(trip, value, {}).filter(({ isSure }) => isSure === sure);
  return found.map(({ pointer, format }) => `${pointer} ${format}`);
}

test("Texts of a format may be spelt as servers spell them", () => {
  const at = ["2024-02-29T10:00:00Z", "2024-02-29 10:00", "2024-02-29T10:00:00.123456+05:30", "2024-02-29"];
  expect(reported({ on: "2024-02-29", at, id: "A3752958C2FE5681A36D1C6B824DB785", mail: "none" })).toEqual([]);
  expect(reported({ on: "2024-02-29T00:00:00", when: "tomorrow" })).toEqual([]);
});

test("Texts of another form than their format are told, each place once", () => {
  expect(reported({ on: "29/02/2024", at: ["soon", "later"], id: "17" })).toEqual([
    "/on date",
    "/at/* date-time",
    "/id uuid",
  ]);
});

test("A day that there is not is no date", () => {
  expect(reported({ on: "2023-02-29" })).toEqual(["/on date"]);
  expect(reported({ on: "2024-13-01" })).toEqual(["/on date"]);
});

test("A time without its offset and an address without its scheme are told, though not as surely", () => {
  const loose = { on: "2024-02-29", at: ["2024-02-29T10:00:00"], page: "www.example.org" };
  expect(reported(loose)).toEqual([]);
  expect(reported(loose, false)).toEqual(["/at/* date-time", "/page uri"]);
  const right = { on: "2024-02-29", at: ["2024-02-29T10:00:00+0200"], page: "https://example.org" };
  expect(reported(right, false)).toEqual([]);
});

test("A day is not sent as a moment, nor a moment as a day", () => {
  const right = { on: "2024-02-29", at: ["2024-02-29T10:00:00Z", "2024-02-29T10:00"], when: "tomorrow", mail: "none" };
  expect(isWellFormed(trip, right, {})).toBe(true);
  for (const wrong of [{ on: "2024-02-29T10:00:00Z" }, { at: ["2024-02-29"] }, { at: ["soon"] }, { id: "17" }])
    expect([wrong, isWellFormed(trip, { ...right, ...wrong }, {})]).toEqual([wrong, false]);
});
