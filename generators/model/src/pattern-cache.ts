const expressions = new Map<string, RegExp>();

/** Whether a pattern of JSON Schema matches somewhere in a text (2020-12, section 6.4). */
export function patternMatches(pattern: string, text: string): boolean {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    expression = new RegExp(pattern, "u");
    expressions.set(pattern, expression);
  }
  return expression.test(text);
}
