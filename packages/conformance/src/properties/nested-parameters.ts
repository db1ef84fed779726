import { isRecord } from "@nodewright/api-model";
import { membersOf } from "../compare/member-facts.ts";
import { inferListRoles, type Parameter } from "../inference/list-roles.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { withPlace } from "../suite/with-place.ts";
import type { Input, Operation } from "./operation.ts";

/** An operation whose parameters include members of parameters, and a function that returns the inputs of the operation itself. */
export interface NestedOperation {
  readonly operation: Operation;
  /** Returns the input with these members in their objects. */
  nest(input: Input): Input;
}

/** A member of a parameter that is an object. */
interface NestedParameter extends Parameter {
  readonly object: string;
  readonly member: string;
}

/**
 * Adds members of object parameters that control how a list is cut or ordered, such as `page: { size, number }`, as separate parameters:
 * the checks of a limit apply to it at any level.
 */
export function withNestedRoles(operation: Operation): NestedOperation {
  const candidates = operation.parameters.flatMap((parameter) => membersAsParameters(parameter, operation.types));
  const roles =
    candidates.length === 0 ? [] : inferListRoles([...operation.parameters, ...candidates], operation.types);
  const nested = candidates.filter((one) => roles.some(({ parameter }) => parameter === one));
  if (nested.length === 0) return { operation, nest: (input) => input };
  const nest = (input: Input): Input => nestInput(input, nested);
  return {
    nest,
    operation: {
      ...operation,
      parameters: [...operation.parameters, ...nested],
      known: operation.known.map((one) => ({ ...one, input: flatInput(one.input, nested) })),
      steadiness: (input) => operation.steadiness(nest(input)),
      call: async (play, inputs, options) => await operation.call(play, inputs.map(nest), options),
    },
  };
}

/** Returns the members of an object that can be given alone, except those of filter objects. */
function membersAsParameters({ name, property, type }: Parameter, types: SuiteTypes): readonly NestedParameter[] {
  const members = membersOf(type, types);
  if (members.some(({ required }) => required) || /filter|where|criteria|match/i.test(name)) return [];
  return members.map((member) => ({
    name: `${name}.${member.name}`,
    property: `${property}.${member.name}`,
    required: false,
    type: member.type,
    ...withPlace(member.place),
    object: property,
    member: member.name,
  }));
}

function nestInput(input: Input, nested: readonly NestedParameter[]): Input {
  const next: Record<string, unknown> = { ...input };
  for (const { property, object, member } of nested) {
    const value = next[property];
    delete next[property];
    if (value === undefined) continue;
    const whole = next[object];
    next[object] = { ...(isRecord(whole) ? whole : {}), [member]: value };
  }
  return next;
}

function flatInput(input: Input, nested: readonly NestedParameter[]): Input {
  const next: Record<string, unknown> = { ...input };
  for (const { property, object, member } of nested) {
    const whole = next[object];
    if (!isRecord(whole) || whole[member] === undefined) continue;
    const { [member]: value, ...rest } = whole;
    next[property] = value;
    next[object] = rest;
    if (Object.keys(rest).length === 0) delete next[object];
  }
  return next;
}
