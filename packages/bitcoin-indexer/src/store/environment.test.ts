import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { uint32Key } from "./byte-codec.ts";
import { Environment, type RowRange } from "./environment.ts";
import type { Table } from "./layout.ts";

const numbers: Table<[key: number], number> = {
  name: "numbers",
  key: uint32Key,
  encode: (value) => Buffer.of(value),
  decode: (bytes) => {
    if (bytes[0] === 0xff) throw new RangeError("no number");
    return bytes[0] ?? 0;
  },
};
const others: typeof numbers = { ...numbers, name: "others" };

async function withEnvironment(
  action: (environment: Environment, directory: string) => void | Promise<void>,
): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const environment = new Environment(directory, "write", { tables: [numbers, others] });
    environment.write(() => {
      for (let key = 1; key <= 5; key += 1) environment.put(numbers, [key], key * 10);
    });
    try {
      await action(environment, directory);
    } finally {
      await environment.close();
    }
  });
}

describe("an environment", () => {
  it("reads rows as they were written, each table its own", async () => {
    await withEnvironment((environment) => {
      expect([environment.get(numbers, 2), environment.get(numbers, 9), environment.get(others, 2)]).toEqual([
        20,
        undefined,
        undefined,
      ]);
      expect([environment.has(numbers, 2), environment.has(numbers, 9)]).toEqual([true, false]);
      expect(environment.view(numbers, 3)?.[0]).toBe(30);
      expect(environment.view(numbers, 9)).toBeUndefined();
      expect(environment.getBytes(numbers, uint32Key(4))?.[0]).toBe(40);
      expect([environment.count(numbers), environment.count(others)]).toEqual([5, 0]);
      environment.write(() => {
        environment.remove(numbers, 2);
        environment.removeBytes(numbers, uint32Key(3));
        environment.putBytes(numbers, uint32Key(6), Buffer.of(60), true);
        environment.putBytes(numbers, uint32Key(0), Buffer.of(5), false);
      });
      expect(Array.from(environment.everyRow(numbers), ({ value }) => value[0])).toEqual([5, 10, 40, 50, 60]);
    });
  });

  it("gives rows and keys of a range", async () => {
    await withEnvironment((environment) => {
      const range = (options: Partial<RowRange> = {}): RowRange => ({
        start: uint32Key(2),
        end: uint32Key(5),
        ...options,
      });
      const cases: readonly (readonly [RowRange, readonly number[]])[] = [
        [range(), [20, 30, 40]],
        [range({ limit: 2 }), [20, 30]],
        [range({ offset: 1 }), [30, 40]],
        [range({ offset: 1, limit: 1 }), [30]],
        [{ start: uint32Key(4), end: uint32Key(1), reverse: true }, [40, 30, 20]],
        [{ start: uint32Key(4), end: uint32Key(1), reverse: true, limit: 1 }, [40]],
        [range({ end: uint32Key(2) }), []],
      ];
      for (const [each, values] of cases) {
        expect(environment.rows(numbers, each).map(({ value }) => value[0])).toEqual(values);
        expect(environment.keys(numbers, each).map((key) => (key[3] ?? 0) * 10)).toEqual(values);
      }
    });
  });

  it("writes all of a change or nothing", async () => {
    await withEnvironment((environment) => {
      expect(() =>
        environment.write(() => {
          environment.put(numbers, [1], 1);
          throw new Error("half-way");
        }),
      ).toThrow("half-way");
      expect(environment.get(numbers, 1)).toBe(10);
    });
  });

  it("reads what its open transaction wrote, which others see when it is committed", async () => {
    await withEnvironment(async (environment, directory) => {
      const reader = new Environment(directory, "read", { tables: [numbers, others] });
      const cancelled = environment.begin();
      environment.put(numbers, [1], 1);
      expect([environment.get(numbers, 1), reader.get(numbers, 1)]).toEqual([1, 10]);
      await cancelled.cancel();
      expect([environment.get(numbers, 1), reader.get(numbers, 1)]).toEqual([10, 10]);
      const committed = environment.begin();
      environment.put(numbers, [1], 2);
      await committed.commit();
      await new Promise((resolve) => setTimeout(resolve, 0));
      expect([environment.get(numbers, 1), reader.get(numbers, 1)]).toEqual([2, 2]);
      await reader.close();
    });
  });

  it("reads a pinned state until it is unpinned", async () => {
    await withEnvironment(async (environment, directory) => {
      const reader = new Environment(directory, "read", { tables: [numbers, others] });
      const unpin = reader.pin();
      environment.write(() => {
        environment.put(numbers, [1], 1);
        environment.put(numbers, [6], 60);
      });
      await new Promise((resolve) => setTimeout(resolve, 0));
      const all = { start: uint32Key(0), end: uint32Key(9) };
      expect(reader.get(numbers, 1)).toBe(10);
      expect(reader.rows(numbers, all)).toHaveLength(5);
      expect(reader.keys(numbers, all)).toHaveLength(5);
      expect([...reader.everyRow(numbers)]).toHaveLength(5);
      unpin();
      expect(reader.get(numbers, 1)).toBe(1);
      expect(reader.rows(numbers, all)).toHaveLength(6);
      expect(reader.keys(numbers, all)).toHaveLength(6);
      await reader.close();
    });
  });

  it("adds, empties and drops tables", async () => {
    await withEnvironment((environment) => {
      const added = { ...numbers, name: "added" };
      const missing = new Error("The index has no table added");
      expect(() => environment.get(added, 1)).toThrow(missing);
      environment.addTable(added);
      environment.put(added, [1], 7);
      expect([environment.get(added, 1), environment.get(numbers, 1)]).toEqual([7, 10]);
      environment.dropTable(added);
      expect(() => environment.get(added, 1)).toThrow(missing);
      environment.addTable(added);
      expect(environment.get(added, 1)).toBeUndefined();
      environment.clearTable(numbers);
      expect(environment.count(numbers)).toBe(0);
      expect(() => environment.forgetDeadReaders()).not.toThrow();
    });
  });

  it("reports a row that can't be read as damage, with its reason", async () => {
    await withEnvironment((environment, directory) => {
      environment.putBytes(numbers, uint32Key(1), Buffer.of(0xff), false);
      const file = join(directory, "data.mdb");
      const text = (reason: string): string =>
        `The tables of the index in ${file} are damaged (${reason}): ` +
        `nodewright-service verify lists what is; delete ${dirname(directory)} to index anew.`;
      expect(() => environment.get(numbers, 1)).toThrow(
        expect.objectContaining({
          code: "tables-damaged",
          message: text("a row of numbers can't be read"),
          cause: new RangeError("no number"),
          place: { file },
        }),
      );
      expect(environment.damaged("rows are missing")).toMatchObject({
        code: "tables-damaged",
        message: text("rows are missing"),
      });
    });
  });

  it("does not open what is not there for reading", async () => {
    await withTemporaryDirectory((directory) => {
      expect(() => new Environment(directory, "read")).toThrow("it is not there");
      return Promise.resolve();
    });
  });
});
