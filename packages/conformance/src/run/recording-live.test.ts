import { expect, test } from "vitest";
import { RecordingLive } from "./recording-live.ts";
import { integer, rpcMethod, rpcSuite } from "./testing/suites.ts";

const suite = rpcSuite([
  rpcMethod("getfirst", integer),
  rpcMethod("getsecond", integer),
  rpcMethod("getone", integer, {
    parameters: [{ name: "height", property: "height", location: "argument", required: true, type: integer }],
  }),
]);

function see(live: RecordingLive, operation: string, value: number): void {
  live.see({ operation, input: { at: value }, type: { kind: "any" }, value: { height: value } });
}

test("what is seen during a stage has one order, whichever answer came first", async () => {
  const orders = await Promise.all(
    [
      ["getfirst", "getsecond"],
      ["getsecond", "getfirst"],
    ].map(async (names) => {
      const live = new RecordingLive(suite);
      await live.pauseWhile(async () => {
        for (const name of names) see(live, name, name === "getfirst" ? 1 : 2);
        expect(live.resultsOf("getfirst")).toEqual([]);
      });
      expect(live.resultsOf("getfirst")).toHaveLength(1);
      return live.inputsOf("getone", 9);
    }),
  );
  expect(orders[0]).not.toEqual([]);
  expect(orders[1]).toEqual(orders[0]);
});

test("a stage that fails shows what it saw", async () => {
  const live = new RecordingLive(suite);
  const failure = async (): Promise<never> => {
    see(live, "getfirst", 7);
    throw new Error("the stage fails");
  };
  await expect(live.pauseWhile(failure)).rejects.toThrow("the stage fails");
  expect(live.resultsOf("getfirst")).toHaveLength(1);
});
