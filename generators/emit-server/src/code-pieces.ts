import {
  type Code,
  group,
  indent,
  join,
  line,
  namedType,
  softline,
  type TypeCode,
  trailingComma,
} from "@nodewright/output";

/** `Name<First, Second>`, one argument on each line where they do not fit. */
export function genericType(name: string, parameters: readonly Code[]): TypeCode {
  if (parameters.length === 0) return namedType(name);
  const list = indent(softline, join([",", line], parameters), trailingComma);
  return { code: group(`${name}<`, list, softline, ">"), form: "reference" };
}

/** `(first: A, second: B) => Result`, one parameter on each line where they do not fit. */
export function functionType(parameters: readonly Code[], result: Code): TypeCode {
  const list = indent(softline, join([",", line], parameters), trailingComma);
  return { code: [group("(", list, softline, ")"), " => ", result], form: "keyword" };
}
