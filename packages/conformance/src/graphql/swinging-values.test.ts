import { expect, test } from "vitest";
import { steadyPlaces, swingingPlaces } from "./swinging-values.ts";

const byId = { byHash: false, states: new Set(["OPEN", "SHUT"]) };
const six = (make: (look: number) => unknown): readonly unknown[] => Array.from({ length: 6 }, (_, look) => make(look));
const places = (make: (look: number) => unknown, options = byId): readonly string[] => [
  ...swingingPlaces(six(make), options),
];

test("finds what is left and comes back, wherever it stands", () => {
  expect(places((look) => ({ name: look % 2 === 0 ? "oak" : "elm" }))).toEqual(["/name"]);
  expect(places((look) => ({ rows: [{ id: "a", size: 70 + (look % 3 === 2 ? 1 : 0) }] }))).toEqual(["/rows/*/size"]);
});

test("leaves alone what goes on, is another each time, or changed once", () => {
  expect(places((look) => ({ price: 61.5 + look }))).toEqual([]);
  expect(places((look) => ({ price: ["1.1", "2.7", "9.3", "4.4", "5.1", "8.2"][look] }))).toEqual([]);
  expect(places((look) => ({ name: look < 3 ? "oak" : "elm" }))).toEqual([]);
});

test("leaves alone states, what is true or not, small numbers, and names of what moves", () => {
  expect(places((look) => ({ door: look % 2 === 0 ? "OPEN" : "SHUT", isOpen: look % 2 === 0 }))).toEqual([]);
  expect(places((look) => ({ seats: 3 + (look % 2), confirmations: 70 + (look % 2) }))).toEqual([]);
  expect(places((look) => ({ index: 3 + (look % 2) }), { ...byId, byHash: true })).toEqual(["/index"]);
});

test("leaves alone lists in another order, and what is chosen to be there", () => {
  const [one, two] = [
    { id: "a", name: "oak" },
    { id: "b", name: "elm" },
  ];
  expect(places((look) => ({ trees: look % 2 === 0 ? [one, two] : [two, one] }))).toEqual([]);
  expect(places((look) => ({ featured: look % 2 === 0 ? one : two }))).toEqual([]);
  expect(places((look) => ({ tags: look % 2 === 0 ? ["old"] : ["loud"] }))).toEqual([]);
});

test("tells what holds the same in another order", () => {
  const answers = [
    {
      rows: [
        { a: 1, b: 1 },
        { a: 2, b: 5 },
      ],
    },
    {
      rows: [
        { a: 2, b: 1 },
        { a: 1, b: 6 },
      ],
    },
  ];
  expect([...steadyPlaces(answers)]).toEqual(["/rows/*/a"]);
});
