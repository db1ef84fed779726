import { expect, it } from "vitest";
import { createDamageList } from "./damage-list.ts";

it("reads the damaged blocks once a second, however often they are asked for", () => {
  let time = 0;
  let reads = 0;
  const damage = { position: { file: 0, offset: 8, length: 80 }, path: "blk00000.dat", offset: 8, reason: "changed" };
  const list = createDamageList(
    () => {
      reads += 1;
      return [damage].slice(0, reads - 1);
    },
    () => time,
  );
  for (time = 0; time < 1_000; time += 100) expect(list()).toEqual([]);
  expect(reads).toBe(1);
  expect(list()).toEqual([damage]);
  expect(reads).toBe(2);
});
