import { describe, expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { RecordMember, SuiteType } from "../../suite/suite-type.ts";
import { MethodFailure, describedListener, type Methods } from "./testing/described-server.ts";
import { required, describedMethod, describedSuite } from "./testing/described-suite.ts";

const member = (name: string, type: SuiteType, required = false): RecordMember => ({ name, type, required });
const record = (...members: readonly RecordMember[]): SuiteType => ({ kind: "record", members });
const count: SuiteType = { kind: "number", integer: true, minimum: 1 };
const closed: SuiteType = { kind: "never" };

const suite = describedSuite("desk", [
  describedMethod("listcups", record(member("cups", { kind: "list", element: { kind: "string" } }, true)), [
    required("page", { ...record(member("size", count), member("number", count)), additional: closed } as SuiteType, {
      required: false,
    }),
  ]),
  describedMethod("validatecode", record(member("valid", { kind: "boolean" }, true)), [
    required("code", { kind: "string", minLength: 4, maxLength: 12, examples: ["SPRING24"] }),
  ]),
]);

const right: Methods = {
  listcups: () => ({ cups: ["red", "blue"] }),
  validatecode: ({ code }) => ({ valid: code === "SPRING24" }),
};

async function failed(changes: Methods): Promise<readonly string[]> {
  const baseUrl = await serve(describedListener(suite, { ...right, ...changes }));
  const { cases } = await playSuite(suite, { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8 });
  return cases
    .filter(({ verdict }) => verdict === "failed")
    .map(({ id, findings }) => `${id} ${findings.map(({ rule }) => rule).join(" ")}`);
}

describe("a call that the document allows", () => {
  it("is answered by a right server", async () => {
    expect(await failed({})).toEqual([]);
  });

  it("is not refused for an object that may be given", async () => {
    const refusing: Methods = {
      listcups: (input) => {
        if (input["page"] !== undefined) throw new MethodFailure(-32602, "Invalid params");
        return { cups: [] };
      },
    };
    expect((await failed(refusing)).some((one) => /^listcups\/boundary\/.* P012/.test(one))).toBe(true);
  });

  it("with a value that the document shows does not always fail inside of the server", async () => {
    const breaking: Methods = {
      validatecode: () => {
        throw new MethodFailure(-32603, "Internal error");
      },
    };
    expect(await failed(breaking)).toEqual(["validatecode/live/some-call J19 P012"]);
  });
});
