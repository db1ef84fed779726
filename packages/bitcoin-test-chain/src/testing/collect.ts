/** Returns all values, in order. */
export async function collect<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const collected: Value[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}
