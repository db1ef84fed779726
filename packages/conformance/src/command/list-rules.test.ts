import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { againstRules } from "../against/against-rules.ts";
import { graphqlRules } from "../protocols/graphql/contract/graphql-rules.ts";
import { httpRules } from "../protocols/http/http-rules.ts";
import { relationRules } from "../relations/relation-cases.ts";
import { rpcRules } from "../protocols/jsonrpc/rpc-rules.ts";
import { runRules } from "../run/run-rules.ts";
import { renderRules, renderRulesJson, ruleGroups } from "./list-rules.ts";

const rules = ruleGroups.flatMap((group) => group.rules);
const sources = new URL("../", import.meta.url);

describe("the rules", () => {
  it("have ids of their own, in capital letters and digits", () => {
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Z0-9]{2,6}$/);
  });

  it("say what is right in words that no other rule of their group has, and who says so", () => {
    for (const { name, rules: own } of ruleGroups) {
      expect(new Set(own.map(({ title }) => title)).size, name).toBe(own.length);
      for (const { source } of own) expect(source).not.toBe("");
    }
  });

  it("are heuristics where a name or a value is all that speaks for them, and there alone", () => {
    for (const { id, level, source } of rules) {
      expect(level === "heuristic", `${id}, ${source}`).toBe(/^(?:names|values) in /.test(source));
    }
  });

  it("are listed for people and for machines", () => {
    const text = renderRules();
    const { rules: listed } = JSON.parse(renderRulesJson()) as { readonly rules: readonly { readonly id: string }[] };
    expect(listed.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    for (const { id, level, title, source } of rules) {
      expect(text).toContain(`  ${id.padEnd(7)}${level.padEnd(10)}${title} (${source})\n`);
    }
  });

  it("are each told of by some case", async () => {
    const files: string[] = [];
    for await (const name of glob("**/*.ts", { cwd: sources })) {
      if (!/\.test\.ts$|-rules\.ts$/.test(name)) files.push(readFileSync(new URL(name, sources), "utf8"));
    }
    const used = new Set(files.flatMap((text) => text.match(/\b\w+Rules\.\w+/g) ?? []));
    const tables = { againstRules, graphqlRules, httpRules, relationRules, rpcRules, runRules };
    const unused = Object.entries(tables).flatMap(([table, own]) =>
      Object.keys(own)
        .map((name) => `${table}.${name}`)
        .filter((name) => !used.has(name)),
    );
    expect(unused).toEqual([]);
  });
});
