import { type Example, type ExampleInput, type JsonValue, kebabCase } from "@nodewright/model";
import type { Located } from "@nodewright/source";
import type { RequestBodyWithExamples } from "./content-reader.ts";
import type { ParameterWithExamples } from "./parameter-reader.ts";
import type { Reading } from "./reading.ts";
import type { Answers } from "./response-reader.ts";

export interface CaseParts {
  readonly origin: string;
  readonly parameters: readonly ParameterWithExamples[];
  readonly body: RequestBodyWithExamples | undefined;
  readonly answers: Answers;
}

/** Pairs the examples of an operation's inputs with those of its answers, by name. */
export function pairExamples(reading: Reading, parts: CaseParts): readonly Example[] {
  const cases: Example[] = [];
  for (const [status, examples] of parts.answers.examples) {
    for (const [name, example] of examples) {
      const input = inputOf(reading, parts, name, example);
      if (input !== undefined) cases.push(caseOf(name, status, example, input));
    }
  }
  reportUnpaired(reading, parts);
  return cases;
}

function inputOf(
  reading: Reading,
  { origin, parameters, body }: CaseParts,
  name: string,
  example: Located,
): ExampleInput | undefined {
  const input: Record<string, JsonValue> = {};
  for (const { parameter, examples } of parameters) {
    const value = examples.get(name);
    if (value !== undefined) input[parameter.property] = exampleValue(value);
    else if (parameter.required) {
      reading.report("example-lacks-input", example.source, { name, origin, parameter: parameter.name });
      return undefined;
    }
  }
  const bodyExample = body?.examples.get(name);
  if (bodyExample !== undefined) input["body"] = exampleValue(bodyExample);
  return input;
}

function caseOf(name: string, status: number, example: Located, input: ExampleInput): Example {
  const summary = example.member("summary")?.string;
  const value = exampleValue(example);
  return {
    name: kebabCase(name),
    input,
    live: example.member("x-live")?.boolean === true,
    source: example.source,
    ...(summary === undefined ? {} : { summary }),
    outcome:
      status < 400
        ? { kind: "success", status, value }
        : { kind: "failure", status, ...(typeof value === "string" ? { message: value } : {}) },
  };
}

/** An Example Object holds its value under `value`; `example: …` is the value itself. */
function exampleValue(example: Located): JsonValue {
  return (example.member("value") ?? example).value as JsonValue;
}

/** Reports examples of inputs that no answer has; a single `example` is documentation and needs none. */
function reportUnpaired(reading: Reading, { origin, parameters, body, answers }: CaseParts): void {
  const answered = new Set([...answers.examples.values()].flatMap((examples) => [...examples.keys()]));
  const inputs = [...parameters.map(({ examples }) => examples), ...(body === undefined ? [] : [body.examples])];
  for (const examples of inputs) {
    for (const [name, example] of examples) {
      if (name !== "default" && !answered.has(name))
        reading.report("unpaired-example", example.source, { name, origin });
    }
  }
}
