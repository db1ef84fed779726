import { kindOf } from "@nodewright/api-model";
import { getNamedType, isScalarType, isSpecifiedScalarType } from "graphql";
import type { Finding } from "../../contract/finding.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { findingAt } from "./place-of.ts";
import type { MetField } from "./walk-answer.ts";

/** What a scalar's name says it is one kind of thing: others (`JSON`, `Value`, `IntOrString`) may be anything. */
const plainNames =
  /(?:int\d*|long|decimal|float|double|number|numeric|date|time|timestamp|instant|duration|money|amount|price|wei|bytes?\d*|hash|hex|address|uuid|guid|url|uri|e?mail|colou?r|locale|currency|percent(?:age)?|sha\d*|signature|cursor)$/i;
/** Of these, an object, a list or a boolean is wrong by itself. */
const numbersAndTimes =
  /^(?:u?int\d*|big_?int|big_?integer|long|big_?decimal|decimal|date|time|date_?time|timestamp|uuid|guid|url|uri)$/i;
const severalKinds = /json|any|mixed|[a-z]Or[A-Z]/;

/**
 * Custom scalars of which nothing is known are at least written in one way within a response: where most fields of one have numbers, none
 * has an object or a text for what a number could say.
 */
export function scalarFormFindings(
  met: readonly MetField[],
  scalars: Readonly<Record<string, SuiteType>>,
): readonly Finding[] {
  const plain = met.filter(({ field }) => {
    const type = getNamedType(field.type);
    const isKnown = !isScalarType(type) || isSpecifiedScalarType(type) || Object.hasOwn(scalars, type.name);
    return !isKnown && plainNames.test(type.name) && !severalKinds.test(type.name);
  });
  return [...Map.groupBy(plain, ({ field }) => getNamedType(field.type).name)].flatMap(([scalar, some]) => {
    const byField = Map.groupBy(some, ({ parentType, field }) => `${parentType.name}.${field.name}`);
    const fields = [...byField].map(([name, of]) => ({
      name,
      of,
      forms: new Set(of.flatMap(({ value }) => formsOf(value))),
    }));
    // The form that most fields have; that of the earlier field where as many have another.
    const [usual] = [
      ...Map.groupBy(
        fields.flatMap(({ forms }) => [...forms]),
        (form) => form,
      ).values(),
    ].toSorted((left, right) => right.length - left.length);
    const isNever = (form: string): boolean => !["number", "string"].includes(form) && numbersAndTimes.test(scalar);
    return fields.flatMap(({ name, of: [one], forms }): readonly Finding[] => {
      const others = [...forms].filter((form) => form !== usual?.[0] || isNever(form));
      if (others.length === 0) return [];
      const what = others.some(isNever)
        ? "neither numbers nor texts"
        : "written otherwise than others of this response";
      const message = `${name} has values of ${scalar} that are ${what}`;
      return [findingAt(one?.field.astNode, graphqlRules.scalarForm, message)];
    });
  });
}

/** How a value is written in JSON. A text of digits beyond what a double holds may stand for a number: it has no form. */
function formsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(formsOf);
  if (value === null || value === undefined) return [];
  const isDigits = typeof value === "string" && /^-?(?:\d{1,400}|0x[0-9a-fA-F]{1,400})$/.test(value);
  return isDigits && !Number.isSafeInteger(Number(value)) ? [] : [kindOf(value)];
}
