import type { CallNode } from "../chain-methods.ts";

/** Creates a fake call function with results by method; values that are errors are thrown. `asked` has each method with its parameters. */
export function fakeNodeCall(responses: Readonly<Record<string, unknown>>): {
  readonly ask: CallNode;
  readonly asked: readonly unknown[];
} {
  const asked: unknown[] = [];
  const ask: CallNode = async (method, params) => {
    asked.push([method, ...params]);
    const response = responses[method];
    if (response instanceof Error) throw response;
    return response;
  };
  return { ask, asked };
}
