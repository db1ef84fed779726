import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderJunit } from "./junit-report.ts";
import { sampleCase, sampleReport } from "../testing/sample-report.ts";
import { type Element, parseXml } from "../testing/parse-xml.ts";
import { expectGolden } from "../testing/golden.ts";

/** Characters that XML 1.0 forbids or discourages (section 2.2). */
const forbidden = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function all(element: Element, name: string): readonly Element[] {
  return [...(element.name === name ? [element] : []), ...element.children.flatMap((child) => all(child, name))];
}

describe("the JUnit report", () => {
  it("has a test case for each case, and what is known is skipped", () => {
    expectGolden("junit.xml", renderJunit(sampleReport()));
  });

  it("counts what it holds", () => {
    const root = parseXml(renderJunit(sampleReport()));
    expect(root.name).toBe("testsuites");
    expect(root.attributes).toMatchObject({ tests: "13", failures: "5", errors: "0" });
    // The schema of the xUnit plug-in has it for suites only.
    expect(root.attributes).not.toHaveProperty("skipped");
    for (const suite of all(root, "testsuite")) {
      const { tests, failures, skipped } = suite.attributes;
      expect(all(suite, "testcase")).toHaveLength(Number(tests));
      expect(all(suite, "failure")).toHaveLength(Number(failures));
      expect(all(suite, "skipped")).toHaveLength(Number(skipped));
    }
    const known = all(root, "testcase").find(({ attributes }) => attributes["name"]?.includes("pet-id-text"));
    expect(known?.children[0]?.attributes["message"]).toBe("known: the server reads digits off the front");
  });

  it("is an error where nothing can be said", () => {
    const root = parseXml(
      renderJunit(sampleReport({ cases: [], outcome: "inconclusive", inconclusiveBecause: "It refuses connections." })),
    );
    expect(root.attributes).toMatchObject({ tests: "1", errors: "1" });
    expect(all(root, "error")[0]?.attributes["message"]).toBe("It refuses connections.");
  });

  it("is XML whatever a server answers", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const one = sampleCase(`op/random/${text}`, "failed", {
          findings: [{ rule: "BODY", level: "MUST", title: text, message: text, detail: text }],
          reason: text,
        });
        const root = parseXml(renderJunit(sampleReport({ cases: [one], notices: [text] })));
        const written = text.replace(forbidden, (character) => {
          const code = character.codePointAt(0) ?? 0;
          return `\\u${code.toString(16).padStart(4, "0")}`;
        });
        expect(all(root, "failure")[0]?.attributes["message"]).toBe(written);
      }),
      { numRuns: 200 },
    );
  });
});
