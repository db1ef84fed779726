// OpenRPC 1.3, sections "Example Pairing Object" and "Error Object".
import {
  checkExtensions,
  type Example,
  type ExampleInput,
  type Failure,
  type JsonValue,
  kebabCase,
  type Parameter,
} from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import type { Reading } from "./reading.ts";

export interface MethodPlace {
  readonly name: string;
  readonly place: SourceValue;
  readonly parameters: readonly Parameter[];
}

/** Reads the example pairings of a method: requests with their results. */
export function readExamplePairings(reading: Reading, method: MethodPlace): readonly Example[] {
  return reading.members.list(method.place, "examples").flatMap((item, index) => {
    const pairing = reading.documents.resolve(item);
    const result = pairing?.member("result");
    const resultExample = result && reading.documents.resolve(result);
    if (pairing === undefined || resultExample === undefined) return [];
    checkExtensions(pairing, reading.sink);
    const name = pairing.member("name")?.string ?? `example ${index + 1}`;
    const summary = reading.members.text(pairing, "summary") ?? reading.members.text(pairing, "description");
    const example: Example = {
      name: kebabCase(name),
      input: readPairingInput(reading, method, name, pairing),
      outcome: { kind: "success", status: 200, value: exampleValue(resultExample) },
      isLive: pairing.member("x-live")?.boolean === true,
      ...(pairing.member("x-may-fail")?.boolean === true ? { mayFail: true } : {}),
      source: pairing.source,
      ...(summary === undefined ? {} : { summary }),
    };
    return [example];
  });
}

/** Reads the requests of an error object's `x-provoked-by`: each triggers the error. */
export function readProvocations(
  reading: Reading,
  method: MethodPlace,
  error: SourceValue,
  failure: Failure,
): readonly Example[] {
  const { rpcCode } = failure;
  if (rpcCode === undefined) return [];
  return (error.member("x-provoked-by")?.items ?? []).map((request, index) => {
    const name = request.member("name")?.string ?? `${failure.name} ${index + 1}`;
    const message = request.member("message")?.string;
    return {
      name: kebabCase(name),
      ...readRequest(reading, method, name, request),
      outcome: { kind: "failure", rpcCode, ...(message === undefined ? {} : { message }) },
      isLive: false,
      source: request.source,
    } satisfies Example;
  });
}

/** Reads the parameters of a pairing. They are Example Objects, matched by the parameter's name if they have one, else by position. */
function readPairingInput(reading: Reading, method: MethodPlace, name: string, pairing: SourceValue): ExampleInput {
  const input: Record<string, JsonValue> = {};
  for (const [index, item] of reading.members.list(pairing, "params").entries()) {
    const example = reading.documents.resolve(item);
    if (example === undefined) continue;
    const named = method.parameters.find((parameter) => parameter.name === example.member("name")?.string);
    const parameter = named ?? method.parameters[index];
    if (parameter === undefined)
      reading.report("too-many-example-parameters", item.source, { name, method: method.name });
    else input[parameter.property] = exampleValue(example);
  }
  return input;
}

/** Reads a request with `params` by position, as they are sent, or `parameters` by name. */
function readRequest(
  reading: Reading,
  method: MethodPlace,
  name: string,
  request: SourceValue,
): Pick<Example, "input" | "params"> {
  const input: Record<string, JsonValue> = {};
  for (const [parameterName, value] of request.member("parameters")?.members ?? []) {
    const parameter = method.parameters.find((candidate) => candidate.name === parameterName);
    if (parameter === undefined) {
      const source = request.member("parameters")?.keySource(parameterName) ?? value.source;
      reading.report("unknown-example-parameter", source, { name, method: method.name, parameter: parameterName });
    } else input[parameter.property] = value.value as JsonValue;
  }
  const params = request.member("params")?.items ?? [];
  for (const [index, value] of params.entries()) {
    const parameter = method.parameters[index];
    if (parameter !== undefined) input[parameter.property] = value.value as JsonValue;
  }
  const isTooLong = params.length > method.parameters.length;
  return isTooLong ? { input, params: params.map((value) => value.value as JsonValue) } : { input };
}

function exampleValue(example: SourceValue): JsonValue {
  return (example.member("value") ?? example).value as JsonValue;
}
