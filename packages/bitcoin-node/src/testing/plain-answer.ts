import { isPreparedJson, type PreparedJson } from "@nodewright/runtime";

/** The answer of a handler that has not prepared its text, typed as the value that it is. Throws for one that has. */
export async function plainAnswer<Value>(
  answer: Value | PreparedJson<Value> | Promise<Value | PreparedJson<Value>>,
): Promise<Value> {
  const settled = await answer;
  if (isPreparedJson(settled)) throw new Error("The handler has answered prepared JSON");
  return settled as Value;
}
