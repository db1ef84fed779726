import { describe, expect, it } from "vitest";
import { playSuite } from "../run/play-suite.ts";
import { serve } from "../run/testing/serve.ts";
import type { RecordMember, SuiteType } from "../suite/suite-type.ts";
import { argument, DeskFailure, deskListener, deskMethod, type DeskMethods, deskSuite } from "./testing/desk-server.ts";

const member = (name: string, type: SuiteType, required = false): RecordMember => ({ name, type, required });
const record = (...members: readonly RecordMember[]): SuiteType => ({ kind: "record", members });
const count: SuiteType = { kind: "number", integer: true, minimum: 1 };
const closed: SuiteType = { kind: "never" };

const suite = deskSuite([
  deskMethod("listcups", record(member("cups", { kind: "list", element: { kind: "string" } }, true)), [
    argument("page", { ...record(member("size", count), member("number", count)), additional: closed } as SuiteType, {
      required: false,
    }),
  ]),
  deskMethod("validatecode", record(member("valid", { kind: "boolean" }, true)), [
    argument("code", { kind: "string", minLength: 4, maxLength: 12, examples: ["SPRING24"] }),
  ]),
]);

const right: DeskMethods = {
  listcups: () => ({ cups: ["red", "blue"] }),
  validatecode: ({ code }) => ({ valid: code === "SPRING24" }),
};

async function failed(changes: DeskMethods): Promise<readonly string[]> {
  const baseUrl = await serve(deskListener(suite, { ...right, ...changes }));
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
    const refusing: DeskMethods = {
      listcups: (input) => {
        if (input["page"] !== undefined) throw new DeskFailure(-32602, "Invalid params");
        return { cups: [] };
      },
    };
    expect(await failed(refusing)).toContain("listcups/live/page-is-taken J17");
  });

  it("with a value that the document shows does not always fail inside of the server", async () => {
    const breaking: DeskMethods = {
      validatecode: () => {
        throw new DeskFailure(-32603, "Internal error");
      },
    };
    expect(await failed(breaking)).toContain("validatecode/live/does-not-fail J12");
  });
});
