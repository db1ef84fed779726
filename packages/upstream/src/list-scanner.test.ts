import fc from "fast-check";
import { expect, it } from "vitest";
import { ListScanner } from "./list-scanner.ts";
import { ExcessiveStructure } from "./sliced-json-reader.ts";

function scan(text: string, cuts: readonly number[]): { readonly listed: readonly string[]; readonly rest: string } {
  const listed: string[] = [];
  const scanner = new ListScanner((bytes, start, end) => {
    listed.push(Buffer.from(bytes.subarray(start, end)).toString("utf8"));
  });
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((left, right) => left - right);
  let start = 0;
  for (const end of ends) {
    scanner.push(bytes.subarray(start, end));
    start = end;
  }
  return { listed, rest: scanner.rest() };
}

const element = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: "binary" }) },
  fc.jsonValue(),
  fc.constantFrom("", "]", '"', "\\", '\\"]', "[", "{"),
);

it("gives the strings of a list, and the response without them, however it arrives", () => {
  fc.assert(
    fc.property(
      fc.array(element),
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 0 })),
      fc.boolean(),
      fc.array(fc.nat({ max: 10_000 })),
      fc.constantFrom(undefined, 2),
      (list, others, isFirst, cuts, indent) => {
        const { result: _, ...members } = others;
        const whole = isFirst ? { result: list, ...members } : { ...members, result: list };
        const { listed, rest } = scan(JSON.stringify(whole, undefined, indent), cuts);
        const strings = JSON.parse(JSON.stringify(list)).filter((value: unknown) => typeof value === "string");
        expect(listed.map((text) => JSON.parse(`"${text}"`))).toEqual(strings);
        expect(JSON.parse(rest)).toEqual(JSON.parse(JSON.stringify({ ...whole, result: [] })));
      },
    ),
  );
});

it("keeps responses that are not lists, or have none, as they are", () => {
  for (const text of ['{"error":{"code":-28,"data":["a"]},"id":1}', '{"result":{"ids":["a"]}}', "7", '"[', ""]) {
    expect(scan(text, [3])).toEqual({ listed: [], rest: text });
  }
});

it("does not keep more than a response's frame, nor a string without an end", () => {
  expect(() => scan(`{"error":"${"x".repeat(70_000)}"}`, [])).toThrow(RangeError);
  const scanner = new ListScanner(() => undefined);
  scanner.push(Buffer.from('{"result":["'));
  expect(() => {
    for (let count = 0; count < 100; count += 1) scanner.push(Buffer.alloc(1_000, "a"));
  }).toThrow(RangeError);
});

it("keeps 65,536 bytes around a list, and as many of a string that comes in pieces", () => {
  const around = '{"result":[],"more":""}';
  const fitting = `{"result":["a"],"more":"${"x".repeat(65_536 - around.length)}"}`;
  expect(scan(fitting, [30_000]).listed).toEqual(["a"]);
  expect(() => scan(fitting.replace("x", "xx"), [30_000])).toThrow(new RangeError("Too long"));
  // In one piece, a string may have any length.
  const begun = '{"result":["';
  const cutAt = (length: number) => () => scan(`${begun}${"a".repeat(length)}b"]}`, [begun.length + length]);
  expect(cutAt(65_536)().listed).toEqual([`${"a".repeat(65_536)}b`]);
  expect(cutAt(65_537)).toThrow(new RangeError("Too long"));
});

it("takes strings of the list itself alone, and goes on behind it", () => {
  const text = '{"a":{"b":["no"]},"result":["yes",["no",{"no":"no"}],"\\"]","yes"],"more":["yes",1],"id":[]}';
  expect(scan(text, []).listed).toEqual(["yes", '\\"]', "yes", "yes"]);
  expect(
    scan(
      text,
      [...text].map((_, at) => at),
    ).listed,
  ).toEqual(["yes", '\\"]', "yes", "yes"]);
  expect(scan(text, [40]).rest).toBe('{"a":{"b":["no"]},"result":[],"more":[],"id":[]}');
});

it("takes nesting of 128 levels", () => {
  const nested = (levels: number): string => `{"error":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  expect(() => scan(nested(128), [])).not.toThrow();
  expect(() => scan(nested(129), [])).toThrow(new ExcessiveStructure("Nested too deeply"));
});

it("takes no deeper nesting than a response may have", () => {
  expect(() => scan(`{"error":{"data":${'{"a":'.repeat(200)}`, [])).toThrow(ExcessiveStructure);
});
