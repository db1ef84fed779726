import { expect, test } from "vitest";
import { type Suspect, steadyDifferences } from "./steady-differences.ts";

const isSame = (left: unknown, right: unknown): boolean => left === right;
const suspect = (here: unknown, there: unknown): Suspect<string> => ({
  key: "Thing.size",
  here,
  there,
  finding: "size",
});

test("keeps a difference of two places that each stay what they are", async () => {
  const found = await steadyDifferences([suspect(1, 2)], async () => [suspect(1, 2)], isSame);
  expect(found.map(({ finding }) => finding)).toEqual(["size"]);
});

test("drops what is another value each time that it is looked at, at one place or at both", async () => {
  let now = 2;
  const next = (): number => {
    now += 1;
    return now;
  };
  expect(await steadyDifferences([suspect(1, 2)], async () => [suspect(1, next())], isSame)).toEqual([]);
  expect(await steadyDifferences([suspect(1, 2)], async () => [suspect(next(), 2)], isSame)).toEqual([]);
});

test("drops what is the same in both places by now, and what is not answered any more", async () => {
  expect(await steadyDifferences([suspect(1, 2)], async () => [], isSame)).toEqual([]);
  expect(await steadyDifferences([suspect(1, 2)], async () => undefined, isSame)).toEqual([]);
});

test("asks nothing where nothing differs", async () => {
  let asked = 0;
  await steadyDifferences(
    [],
    async () => {
      asked += 1;
      return [];
    },
    isSame,
  );
  expect(asked).toBe(0);
});
