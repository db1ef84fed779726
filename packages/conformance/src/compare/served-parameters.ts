import { isRecord } from "@nodewright/api-model";
import { resolvePointer } from "@nodewright/runtime";

/** A parameter as a description has it. */
export interface DescribedParameter {
  readonly name: string;
  readonly required: boolean;
}

/** Where the description that a target serves differs from the one it is checked by, for one operation: sentences without a subject. */
export function parameterDifferences(
  own: readonly DescribedParameter[],
  served: readonly DescribedParameter[],
): readonly string[] {
  const others = new Map(served.map((one) => [one.name, one]));
  const names = new Set(own.map(({ name }) => name));
  return [
    ...own.flatMap(({ name, required }): readonly string[] => {
      const other = others.get(name);
      if (other === undefined) return [`lacks the parameter ${name}`];
      if (other.required === required) return [];
      return [`says that the parameter ${name} is ${other.required ? "required" : "optional"}`];
    }),
    // What is optional there may be left out of a document.
    ...served.flatMap(({ name, required }) =>
      required && !names.has(name) ? [`requires a further parameter, ${name}`] : [],
    ),
  ];
}

/** A value of a served document, with its reference resolved; undefined where that leads nowhere, or out of the document. */
export function resolveServed(document: unknown, value: unknown): unknown {
  let found = value;
  for (let step = 0; isRecord(found) && typeof found["$ref"] === "string"; step += 1) {
    const reference = found["$ref"];
    if (step === deepestReference || !reference.startsWith("#")) return undefined;
    try {
      found = resolvePointer(document, decodeURIComponent(reference.slice(1)));
    } catch {
      return undefined;
    }
  }
  return found;
}

const deepestReference = 8;
