import { describe, expect, it } from "vitest";
import { renderGithub } from "./github-report.ts";
import { sampleCase, sampleReport } from "../testing/sample-report.ts";

describe("annotations of GitHub", () => {
  it("stand at the lines of the document, once for each finding", () => {
    expect(renderGithub(sampleReport()).trimEnd().split("\n")).toEqual([
      "::error file=pets.yaml,line=16,col=19,title=MUST BODY listPets::The required member name is missing; there are id and nmae%0AlistPets/example/all and 2 more",
      "::error title=MUST HEAD (protocol)::HEAD is answered with 405, GET with 200%0A(protocol)/protocol/head",
      '::error title=stale listPets::the baseline expects BODY "gone", which is not there any more: take it out with --update-baseline%0AlistPets/random/1',
      "::warning file=pets.yaml,line=10,col=13,title=SHOULD CT1 getPet::The content type has a charset%0AgetPet/live/pet-1 and 1 more",
      "::notice title=heuristic SAME getPet::/id is not what petId asks for%0Aguess: `id` is taken for `petId` by its name%0AgetPet/live/pet-2",
    ]);
  });

  it("can't be ended by what a server says", () => {
    const one = sampleCase("a:b,c/example/x", "failed", {
      findings: [{ rule: "BODY", level: "MUST", title: "", message: "m", detail: "50%\r\n::set-output name=x::y" }],
    });
    expect(renderGithub(sampleReport({ cases: [one] }))).toBe(
      "::error title=MUST BODY a%3Ab%2Cc::50%25%0D%0A::set-output name=x::y%0Aa:b,c/example/x\n",
    );
  });

  it("are no more than GitHub shows, and the last one counts the rest", () => {
    const cases = Array.from({ length: 30 }, (_, index) =>
      sampleCase(`op${index}/example/x`, "failed", {
        findings: [{ rule: "BODY", level: "MUST", title: "", message: `m${index}` }],
      }),
    );
    const lines = renderGithub(sampleReport({ cases })).trimEnd().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe("::error title=conform::21 more findings of this kind");
  });

  it("say why nothing can be said", () => {
    const report = sampleReport({ cases: [], outcome: "inconclusive", inconclusiveBecause: "It refuses connections." });
    expect(renderGithub(report)).toBe("::error title=conform::It refuses connections.\n");
  });
});
