import { isRecord } from "@nodewright/api-model";
import { withPlace } from "../../suite/with-place.ts";
import { getNamedType, isScalarType, isSpecifiedScalarType } from "graphql";
import type { Finding } from "../../contract/finding.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { placeOf } from "./place-of.ts";
import type { MetField } from "./walk-answer.ts";

/** How a value is written in JSON. A text of digits beyond what a double holds may stand for a number: it has no form. */
type Form = "number" | "text" | "boolean" | "object" | "list";

/** What a scalar's name says it is one kind of thing: others (`JSON`, `Value`, `IntOrString`) may be anything. */
const plainNames =
  /(?:int\d*|long|decimal|float|double|number|numeric|date|time|timestamp|instant|duration|money|amount|price|wei|bytes?\d*|hash|hex|address|uuid|guid|url|uri|e?mail|colou?r|locale|currency|percent(?:age)?|sha\d*|signature|cursor)$/i;
/** Of these, an object, a list or a boolean is wrong by itself. */
const numbersAndTimes =
  /^(?:u?int\d*|big_?int|big_?integer|long|big_?decimal|decimal|date|time|date_?time|timestamp|uuid|guid|url|uri)$/i;
const severalKinds = /json|any|mixed|[a-z]Or[A-Z]/;

/**
 * Custom scalars of which nothing is known are at least written in one way within an answer: where most fields of one have numbers,
 * none has an object or a text for what a number could say.
 */
export function scalarFormFindings(
  met: readonly MetField[],
  scalars: Readonly<Record<string, SuiteType>>,
): readonly Finding[] {
  const byScalar = new Map<string, Map<string, { readonly one: MetField; readonly forms: Set<Form> }>>();
  for (const one of met) {
    const type = getNamedType(one.field.type);
    if (!isScalarType(type) || isSpecifiedScalarType(type) || Object.hasOwn(scalars, type.name)) continue;
    if (!plainNames.test(type.name) || severalKinds.test(type.name)) continue;
    const fields = byScalar.get(type.name) ?? new Map();
    byScalar.set(type.name, fields);
    const name = `${one.parentType.name}.${one.field.name}`;
    const known = fields.get(name) ?? { one, forms: new Set<Form>() };
    fields.set(name, known);
    for (const form of formsOf(one.value)) known.forms.add(form);
  }
  return [...byScalar].flatMap(([scalar, fields]) => {
    const usual = usualForm([...fields.values()].map(({ forms }) => forms));
    return [...fields]
      .filter(([, { forms }]) => [...forms].some((form) => form !== usual || isNeverOf(scalar, form)))
      .map(([name, { one, forms }]): Finding => {
        const isNever = [...forms].some((form) => isNeverOf(scalar, form));
        const what = isNever ? "neither numbers nor texts" : "written otherwise than others of this answer";
        const message = `${name} has values of ${scalar} that are ${what}`;
        return { rule: graphqlRules.scalarForm, message, ...withPlace(placeOf(one.field.astNode)) };
      });
  });
}

function isNeverOf(scalar: string, form: Form): boolean {
  return form !== "number" && form !== "text" && numbersAndTimes.test(scalar);
}

function formsOf(value: unknown): readonly Form[] {
  if (Array.isArray(value)) return value.flatMap(formsOf);
  if (value === null || value === undefined) return [];
  if (isRecord(value)) return ["object"];
  if (typeof value === "boolean") return ["boolean"];
  if (typeof value !== "string") return ["number"];
  return isBeyondDoubles(value) ? [] : ["text"];
}

function isBeyondDoubles(text: string): boolean {
  if (!/^-?(?:\d{1,400}|0x[0-9a-fA-F]{1,400})$/.test(text)) return false;
  const number = Number(text);
  return !Number.isSafeInteger(number);
}

/** The form that most fields have; that of the earlier field where as many have another. */
function usualForm(fields: readonly ReadonlySet<Form>[]): Form | undefined {
  const counts = new Map<Form, number>();
  for (const forms of fields) {
    for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts].toSorted(([, left], [, right]) => right - left)[0]?.[0];
}
