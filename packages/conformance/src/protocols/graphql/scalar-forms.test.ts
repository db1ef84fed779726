import { buildSchema, parse } from "graphql";
import { describe, expect, test } from "vitest";
import { askedDocument } from "./collect-fields.ts";
import { scalarFormFindings } from "./scalar-forms.ts";
import { type MetField, walkAnswer } from "./walk-answer.ts";

const schema = buildSchema(`
  scalar Long
  scalar Decimal
  scalar JSON
  type Block { number: Long  time: Long  gas: Long  fee: Decimal  extra: JSON  more: JSON }
  type Query { block: Block }
`);

function messagesOf(block: Readonly<Record<string, unknown>>): readonly string[] {
  const asked = askedDocument(schema, parse(`{ block { ${Object.keys(block).join(" ")} } }`), {});
  if (asked === undefined) throw new Error("The document has no operation");
  const met: MetField[] = [];
  walkAnswer({ asked, scalars: {}, types: {}, onField: (one) => met.push(one) }, { block });
  return scalarFormFindings(met, {}).map(({ message }) => message);
}

describe("scalarFormFindings", () => {
  test("blames the field that writes a scalar otherwise than the others of its answer", () => {
    expect(messagesOf({ number: 1, time: "2", gas: 3 })).toEqual([
      "Block.time has values of Long that are written otherwise than others of this response",
    ]);
  });

  test("leaves digits beyond what a double holds to be a text", () => {
    expect(messagesOf({ number: 1, time: "90071992547409930", gas: null })).toEqual([]);
  });

  test("blames an object for a number though nothing is beside it", () => {
    expect(messagesOf({ fee: { x: 1 } })).toEqual([
      "Block.fee has values of Decimal that are neither numbers nor texts",
    ]);
  });

  test("says nothing of scalars that may be anything", () => {
    expect(messagesOf({ extra: 1, more: { a: [] } })).toEqual([]);
  });
});
