// OpenAPI 3.1, section 4.8.24: readOnly and writeOnly; JSON Schema 2020-12, validation, section 9.4.
import type { JsonValue } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { type ReadingOfSchemas, readSchemas } from "./testing/read-schemas.ts";

const user = {
  type: "object",
  required: ["id", "name", "password"],
  properties: {
    id: { type: "integer", readOnly: true },
    name: { type: "string" },
    password: { type: "string", writeOnly: true },
  },
};
const asked = { name: "a", password: "b" };
const answered = { id: 1, name: "a" };

function accepts(document: object, direction: ReadingOfSchemas["direction"], value: JsonValue): boolean {
  return readSchemas(document, direction === undefined ? {} : { direction }).accepts(value);
}

describe("what only one side sets", () => {
  it("may be missing on the other side, and nowhere without a direction", () => {
    const document = { schema: user };
    expect([accepts(document, "request", asked), accepts(document, "request", answered)]).toEqual([true, false]);
    expect([accepts(document, "response", answered), accepts(document, "response", asked)]).toEqual([true, false]);
    expect([accepts(document, undefined, asked), accepts(document, undefined, answered)]).toEqual([false, false]);
    expect(readSchemas(document, { direction: "request" }).type).toMatchObject({
      members: [
        { name: "id", required: false, access: "read-only" },
        { name: "name", required: true, access: "read-write" },
        { name: "password", required: true, access: "write-only" },
      ],
    });
  });

  it("gives a declaration a second one for requests, and only where it matters", () => {
    const document = {
      schema: { type: "array", items: { $ref: "#/components/Team" } },
      components: {
        User: user,
        Team: { type: "object", properties: { members: { type: "array", items: { $ref: "#/components/User" } } } },
        Tag: { type: "object", properties: { at: { type: "string", readOnly: true } } },
        Note: { type: "object", properties: { tag: { $ref: "#/components/Tag" } } },
      },
    };
    const request = readSchemas(document, { direction: "request" });
    expect(request.type).toMatchObject({ element: { kind: "reference", target: "TeamInput" } });
    expect(request.declarations.map(({ name }) => name)).toEqual([
      "User",
      "Team",
      "Tag",
      "Note",
      "TeamInput",
      "UserInput",
    ]);
    expect([request.accepts([{ members: [asked] }]), request.accepts([{ members: [answered] }])]).toEqual([
      true,
      false,
    ]);
    const answer = readSchemas(document, { direction: "response" });
    expect(answer.type).toMatchObject({ element: { target: "Team" } });
    expect([answer.accepts([{ members: [answered] }]), answer.accepts([{ members: [asked] }])]).toEqual([true, false]);
  });

  it("does so through schemas that refer to each other and to themselves", () => {
    const document = {
      schema: { $ref: "#/components/A" },
      components: {
        A: { type: "object", properties: { b: { $ref: "#/components/B" }, a: { $ref: "#/components/A" } } },
        B: { type: "object", properties: { a: { $ref: "#/components/A" }, user: { $ref: "#/components/User" } } },
        C: { type: "object", properties: { c: { $ref: "#/components/C" } } },
        User: user,
      },
    };
    const { accepts: takes, declarations } = readSchemas(document, { direction: "request" });
    expect(declarations.map(({ name }) => name)).toEqual(["A", "B", "C", "User", "AInput", "BInput", "UserInput"]);
    expect([takes({ a: { b: { user: asked } } }), takes({ a: { b: { user: answered } } })]).toEqual([true, false]);
  });

  it("counts where one part describes it and another requires it", () => {
    const document = {
      schema: {
        allOf: [
          { $ref: "#/components/Base" },
          {
            type: "object",
            required: ["id", "at", "name"],
            properties: { at: { allOf: [{ $ref: "#/components/At" }] } },
          },
        ],
      },
      components: {
        Base: { type: "object", properties: { id: { type: "integer", readOnly: true } } },
        At: { type: "string", readOnly: true },
      },
    };
    expect([accepts(document, "request", { name: 1 }), accepts(document, "request", {})]).toEqual([true, false]);
    expect([
      accepts(document, "response", { name: 1 }),
      accepts(document, "response", { name: 1, id: 1, at: "" }),
    ]).toEqual([false, true]);
  });

  it("keeps its names clear of those that the document has", () => {
    const document = {
      schema: { $ref: "#/components/User" },
      components: { User: user, UserInput: { type: "string" } },
    };
    const { type, declarations } = readSchemas(document, { direction: "request" });
    expect(type).toMatchObject({ target: "UserInput2" });
    expect(declarations.map(({ name }) => name)).toEqual(["User", "UserInput", "UserInput2"]);
  });
});
