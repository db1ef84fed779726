import { boundaries } from "../../properties/boundary.ts";
import type { InputCase, InputOperation } from "../../properties/input-operation.ts";
import { furtherInvalidInputs, tellingInvalidInputs } from "../../properties/invalid-input.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { randomInputs } from "../../properties/random-input.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { canonicalText, kindOf } from "@nodewright/api-model";
import { isValueOf } from "../../types/violations.ts";
import { notFoundDrafts } from "./not-found-drafts.ts";
import { invalidParams } from "./expect-input.ts";
import { plausibleInput, sendableInput } from "./good-inputs.ts";
import { isIdentifying } from "../../inference/identifier-member.ts";
import { propertyOperation } from "./property-drafts.ts";
import { hasOwnAbsenceCode } from "./refusal.ts";
import { memoryKey, type RpcContext, type RpcDraft } from "./rpc-context.ts";
import { isWaiting } from "../../inference/waiting.ts";

/** The most telling invalid inputs, and those of things that do not exist. */
export function firstInvalidDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  const operation = inputOperation(context, method);
  const { base } = operation;
  if (base === undefined) return [];
  return [...tellingInvalidInputs(operation).map(draftOf), ...notFoundDrafts(context, method, base)];
}

export function invalidDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  const operation = inputOperation(context, method);
  return operation.base === undefined ? [] : furtherInvalidInputs(operation).map(draftOf);
}

/** Inputs that have to be accepted as the document says. */
export function documentedBoundDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  return boundaryDrafts(context, method).filter(({ rule }) => rule === propertyRules.validInput);
}

export function boundaryDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  return boundaries(inputOperation(context, method)).map(draftOf);
}

export function randomDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  return randomInputs(inputOperation(context, method), context.session, method.name).map(draftOf);
}

export function draftOf(one: InputCase): RpcDraft {
  return { ...one, isLive: one.group !== "negative" };
}

/** A method with its inputs. */
export function inputOperation(context: RpcContext, method: SuiteRpcMethod): InputOperation {
  const { types } = context.suite;
  const certainty = context.present.has(method.name) ? "documented" : "likely";
  return {
    ...propertyOperation(context, method),
    // Of how long a call may wait nothing comes but the wait.
    parameters: method.parameters.filter((parameter) => !isWaiting(parameter)),
    base: plausibleInput(context, method),
    failing: method.examples.flatMap(({ input, outcome }) => (outcome.kind === "failure" ? [input] : [])),
    surplus: "likely",
    hasOwnAbsence: hasOwnAbsenceCode(method),
    isBatched: false,
    isNaming: (parameter) => parameter.required && isIdentifying(parameter),
    strictTypeOf: ({ type }) => type,
    invalidity: ({ type, required }, value) => {
      if (value === undefined) return certainty;
      // Null stands for a parameter that is left out.
      if ((value === null && !required) || isValueOf(type, value, types, "request")) return undefined;
      return readsAs(type, value, types) ? "likely" : certainty;
    },
    requestOf: (input) => {
      const isSendable = sendableInput(context, method, input) !== undefined;
      return isSendable ? canonicalText(invalidParams(context, method, input)) : undefined;
    },
    wasSent: (input) => context.memory.has(memoryKey(method, input)),
  };
}

/** Whether a value of another kind says the same as one of the type, as `"20"` does of 20: many servers coerce such values. */
function readsAs(type: SuiteType, value: unknown, types: SuiteTypes): boolean {
  const isOf = (one: unknown): boolean => isValueOf(type, one, types, "request");
  if (kindOf(value) === "boolean") return isOf(Number(value));
  if (typeof value === "number") return isOf(value === 1) || isOf(value !== 0);
  const isWord = typeof value === "string" && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value);
  return isWord && isOf(JSON.parse(value));
}
