import {
  type ApiModel,
  type Content,
  type Example,
  isOfType,
  type JsonValue,
  type Operation,
  type Parameter,
  spellsType,
} from "@nodewright/model";

/** The usable examples of an operation. Those that contradict their own types are reported as warnings elsewhere. */
export interface SoundExamples {
  /** Examples whose request and response are valid. */
  readonly cases: readonly Example[];
  /** Returns valid example values of an input: its own, and those of examples whose response is invalid. */
  valuesOf(parameter: Parameter): readonly JsonValue[];
  /** Returns valid example values of a body, except for those in a case. */
  bodiesOf(content: Content): readonly JsonValue[];
}

/** Leaves out the examples that contradict the types of an operation. */
export function soundExamples({ examples, parameters, body, successes }: Operation, model: ApiModel): SoundExamples {
  const isSoundInput = ({ input, outcome }: Example): boolean =>
    outcome.kind === "failure" ||
    (parameters.every((parameter) => matchesInput(input[parameter.property], parameter, model)) &&
      (input["body"] === undefined || (body?.contents ?? []).some((content) => isBody(input["body"], content, model))));
  const isSoundExample = ({ outcome }: Example): boolean => {
    if (outcome.kind === "failure") return true;
    const contents = successes.flatMap(({ status, content }) =>
      status === outcome.status && content !== undefined ? [content] : [],
    );
    return contents.length === 0 || contents.some((content) => isBody(outcome.value, content, model));
  };
  const usable = examples.filter(isSoundInput);
  const cases = usable.filter(isSoundExample);
  const requestsOnly = usable.filter((example) => !isSoundExample(example));
  const held = new Set(
    cases.flatMap(({ input, outcome }) =>
      [input["body"], outcome.kind === "success" ? outcome.value : undefined].map((value) => JSON.stringify(value)),
    ),
  );
  return {
    cases,
    valuesOf(parameter) {
      const shown = (parameter.examples ?? []).map(({ value }) => value);
      const given = requestsOnly.flatMap(({ input }) => input[parameter.property] ?? []);
      return distinct([...shown, ...given].filter((value) => matchesInput(value, parameter, model)));
    },
    bodiesOf(content) {
      const shown = (content.examples ?? []).map(({ value }) => value);
      const given = requestsOnly.flatMap(({ input }) =>
        body?.contents.includes(content) ? (input["body"] ?? []) : [],
      );
      return distinct([...shown, ...given]).filter(
        (value) => !held.has(JSON.stringify(value)) && isBody(value, content, model),
      );
    },
  };
}

/**
 * Returns whether a value is valid for an input. In a URL or header, a string may represent a value of the type; null represents an omitted
 * argument.
 */
export function matchesInput(
  value: JsonValue | undefined,
  { type, location, required }: Parameter,
  model: ApiModel,
): boolean {
  if (value === undefined || isOfType(value, type, model)) return true;
  if (value === null && location === "argument" && !required) return true;
  return location !== "argument" && typeof value === "string" && spellsType(value, type, model);
}

/** Returns whether a value is a valid body. Text and bytes are shown as they are sent, and sequences in no agreed form. */
function isBody(value: JsonValue | undefined, { form, type }: Content, model: ApiModel): boolean {
  if (value === undefined || (form !== "json" && form !== "form" && form !== "multipart")) return true;
  return isOfType(value, type, model);
}

function distinct(values: readonly JsonValue[]): readonly JsonValue[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
