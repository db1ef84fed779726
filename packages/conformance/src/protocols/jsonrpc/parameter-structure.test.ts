import { describe, expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { RpcSuite, SuiteRpcMethod } from "../../suite/suite.ts";
import { describedListener, type Methods } from "./testing/described-server.ts";
import { describedMethod, describedSuite, optional, required } from "./testing/described-suite.ts";

const shelf = { kind: "number", integer: true, minimum: 1, maximum: 9 } as const;
const methods: Methods = {
  getShelf: ({ shelf: wanted }) => `shelf ${Number(wanted)}`,
  getStock: ({ shelf: wanted = 1 }) => `stock of ${Number(wanted)}`,
};

function suiteOf(structure: SuiteRpcMethod["parameterStructure"]): RpcSuite {
  const suite = describedSuite("stock", [
    describedMethod("getShelf", { kind: "string" }, [required("shelf", shelf, { examples: [3] })]),
    describedMethod("getStock", { kind: "string" }, [optional("shelf", shelf, { examples: [4] })]),
  ]);
  return {
    ...suite,
    operations: suite.operations.map(({ parameterStructure: _, ...method }) => ({
      ...method,
      ...(structure === undefined ? {} : { parameterStructure: structure }),
    })),
  };
}

/** Returns the findings for a target that accepts parameters as in `served`, when the document states `stated`. */
async function found(stated: SuiteRpcMethod["parameterStructure"], served: SuiteRpcMethod["parameterStructure"]) {
  const baseUrl = await serve(describedListener(suiteOf(served), methods));
  const { cases } = await playSuite(suiteOf(stated), { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8 });
  return new Map(cases.flatMap(({ findings, verdict }) => findings.map(({ rule }) => [rule, verdict])));
}

describe("a stated paramStructure", () => {
  it.each(["by-name", "by-position", "either", undefined] as const)(
    "is kept by a target that does as %s says",
    async (same) => {
      expect([...(await found(same, same))]).toEqual([]);
    },
  );

  it.each(["by-name", "by-position"] as const)("warns of a target that takes both where it is %s", async (stated) => {
    expect([...(await found(stated, "either"))]).toEqual([["J94", "warned"]]);
  });

  it.each(["by-name", "by-position"] as const)("fails a target that is %s where it is either", async (served) => {
    expect([...(await found("either", served)).values()]).toContain("failed");
    expect([...(await found(undefined, served))]).toEqual([["J30", "warned"]]);
  });
});
