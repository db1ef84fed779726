import { createReport, type DiagnosticCatalogue, type DiagnosticSink, type SourceRange } from "@nodewright/source";
import type { ApiModel, Example, Operation } from "./operation.ts";
import type { JsonValue, Parameter, TypeNode } from "./type-node.ts";
import { isOfType, spellsType } from "./value-matcher.ts";

const valueDiagnostics = {
  "wrong-default": {
    severity: "error",
    message: "The default {value} is not of the type that it stands for.",
    hint: "Who leaves the value out would send a wrong one.",
  },
  "wrong-example": {
    severity: "warning",
    message: 'The example "{example}" of {origin} gives {value} as {place}, which is not of its type.',
  },
} as const;

valueDiagnostics satisfies DiagnosticCatalogue;

/** Characters of a value that a diagnostic shows. */
const shownLength = 60;

/** Reports the defaults and examples that are not of their type. The model has to be one that was read without errors. */
export function checkValues(model: ApiModel, sink: DiagnosticSink): void {
  const report = createReport("value", valueDiagnostics, sink);
  const checkDefault = (value: JsonValue | undefined, type: TypeNode, source: SourceRange): void => {
    if (value !== undefined && !isOfType(value, type, model)) report("wrong-default", source, { value: shown(value) });
  };
  const types = [
    ...model.declarations.map(({ type }) => type),
    ...model.operations.flatMap((operation) => typesOfOperation(operation)),
  ];
  for (const type of types.flatMap(withParts)) checkDefault(type.default, type, type.source);
  for (const operation of model.operations) {
    for (const { default: value, type, source } of operation.parameters) {
      if (value !== type.default) checkDefault(value, type, source);
    }
    for (const example of operation.examples) {
      for (const { place, value } of wrongParts(example, operation, model))
        report("wrong-example", example.source, {
          example: example.name,
          origin: operation.origin,
          value: shown(value),
          place,
        });
    }
  }
}

interface WrongPart {
  /** What the value is given as, in words. */
  readonly place: string;
  readonly value: JsonValue;
}

/** What a request that is answered, and its answer, get wrong; a request that fails may hold anything. */
function wrongParts({ input, outcome }: Example, operation: Operation, model: ApiModel): readonly WrongPart[] {
  if (outcome.kind === "failure" || operation.binding.kind === "graphql") return [];
  const inputs = operation.parameters.flatMap((parameter) => {
    const value = input[parameter.property];
    if (value === undefined || isInputOf(value, parameter, model)) return [];
    return [{ place: `"${parameter.name}"`, value }];
  });
  const content = operation.successes.find(({ status }) => status === outcome.status)?.content;
  const isAnswerRight =
    content === undefined || content.form === "binary" || isOfType(outcome.value, content.type, model);
  return isAnswerRight ? inputs : [...inputs, { place: "its answer", value: outcome.value }];
}

function isInputOf(value: JsonValue, { type, location }: Parameter, model: ApiModel): boolean {
  if (isOfType(value, type, model)) return true;
  return location !== "argument" && typeof value === "string" && spellsType(value, type, model);
}

function typesOfOperation({ parameters, body, successes }: Operation): readonly TypeNode[] {
  return [
    ...parameters.map(({ type }) => type),
    ...(body?.contents ?? []).map(({ type }) => type),
    ...successes.flatMap(({ content }) => (content === undefined ? [] : [content.type])),
  ];
}

/** A type and those that it is made of; what it refers to is a declaration of its own. */
function withParts(type: TypeNode): readonly TypeNode[] {
  switch (type.kind) {
    case "list":
      return [type, ...[...type.prefix, type.element].flatMap(withParts)];
    case "record":
      return [
        type,
        ...[...type.fields, ...type.patterns].flatMap((part) => withParts(part.type)),
        ...withParts(type.additional),
      ];
    case "union":
    case "intersection":
      return [type, ...type.members.flatMap(withParts)];
    default:
      return [type];
  }
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
