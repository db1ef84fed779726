import { documentText } from "@nodewright/bitcoin-api/document";
import { expect, it } from "vitest";
import { createCommandReference } from "../description/command-reference.ts";
import { parameterAliases } from "./parameter-aliases.ts";

it("gives other names to parameters that the document has, none of which is another parameter's", () => {
  const { commands } = createCommandReference(JSON.parse(documentText));
  for (const [method, names] of Object.entries(parameterAliases)) {
    const parameters = commands.get(method)?.parameters.map(({ name }) => name);
    expect(parameters).toEqual(expect.arrayContaining(Object.values(names)));
    expect(parameters).not.toEqual(expect.arrayContaining(Object.keys(names)));
  }
});
