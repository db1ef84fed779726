import { isPreparedJson, type PreparedJson } from "@nodewright/runtime";

/** Returns the result of a handler that has not prepared its text, typed as its value. Throws for a prepared one. */
export async function plainResult<Value>(
  response: Value | PreparedJson<Value> | Promise<Value | PreparedJson<Value>>,
): Promise<Value> {
  const settled = await response;
  if (isPreparedJson(settled)) throw new Error("The handler has answered prepared JSON");
  return settled as Value;
}
