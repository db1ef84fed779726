import { createNameAllocator, type Example, type ExampleInput, type JsonValue, kebabCase } from "@nodewright/model";
import type { Responses } from "./responses.ts";
import { type NamedExample, type NamedExamples, soleExample } from "./named-examples.ts";
import type { ParameterWithExamples } from "./parameter-reader.ts";
import type { Reading } from "./reading.ts";
import type { RequestBodyWithExamples } from "./request-body-reader.ts";

export interface CaseParts {
  readonly origin: string;
  readonly parameters: readonly ParameterWithExamples[];
  readonly body: RequestBodyWithExamples | undefined;
  readonly responses: Responses;
}

/**
 * Pairs the examples of an operation's inputs with those of its responses, by name.
 *
 * A response example without matching inputs is documentation and makes no case. A required parameter without an example of that name uses
 * the one example that applies to all cases, if there is one.
 */
export function pairExamples(reading: Reading, parts: CaseParts): readonly Example[] {
  const cases: Example[] = [];
  const names = createNameAllocator();
  for (const [status, examples] of parts.responses.examples) {
    for (const [name, example] of examples) {
      const input = inputOf(reading, parts, name, example);
      if (input !== undefined) cases.push(caseOf(names.allocate(kebabCase(name)), status, example, input));
    }
  }
  if (cases.length > 0) reportUnpaired(reading, parts);
  return cases;
}

function inputOf(
  reading: Reading,
  { origin, parameters, body, responses }: CaseParts,
  name: string,
  example: NamedExample,
): ExampleInput | undefined {
  const input: Record<string, JsonValue> = {};
  for (const { parameter, examples, anyExample } of parameters) {
    const value =
      examples.get(name) ?? (parameter.required && !isPairedByName(examples, responses) ? anyExample : undefined);
    if (value !== undefined) input[parameter.property] = value.value;
    else if (parameter.required) {
      if (isPairedByName(examples, responses))
        reading.report("example-lacks-input", example.source, { name, origin, parameter: parameter.name });
      return undefined;
    }
  }
  const bodyExample = body?.examples.get(name);
  if (bodyExample === undefined && body?.body.required === true) return undefined;
  if (bodyExample !== undefined) input["body"] = bodyExample.value;
  return input;
}

/** Returns whether a document pairs the examples of an input with those of the responses by name. */
function isPairedByName(examples: NamedExamples, { examples: responses }: Responses): boolean {
  return [...examples.keys()].some(
    (name) => name !== soleExample && [...responses.values()].some((response) => response.has(name)),
  );
}

function caseOf(
  name: string,
  status: number,
  { value, summary, isLive, source }: NamedExample,
  input: ExampleInput,
): Example {
  return {
    name,
    input,
    isLive,
    source,
    ...(summary === undefined ? {} : { summary }),
    outcome:
      status < 400
        ? { kind: "success", status, value }
        : { kind: "failure", status, ...(typeof value === "string" ? { message: value } : {}) },
  };
}

/** Reports input examples that no response example matches, where others of the same input are paired. */
function reportUnpaired(reading: Reading, { origin, parameters, body, responses }: CaseParts): void {
  const answered = new Set([...responses.examples.values()].flatMap((examples) => [...examples.keys()]));
  const inputs = [...parameters.map(({ examples }) => examples), ...(body === undefined ? [] : [body.examples])];
  for (const examples of inputs.filter((one) => isPairedByName(one, responses))) {
    for (const [name, { source }] of examples) {
      if (name !== soleExample && !answered.has(name)) reading.report("unpaired-example", source, { name, origin });
    }
  }
}
