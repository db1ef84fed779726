import { describe, expect, it } from "vitest";
import { sampleCase, sampleReport } from "../testing/sample-report.ts";
import { annotateWithProfile, missingOf } from "./apply-profile.ts";
import { conclude } from "./conclude.ts";
import { listProfiles, parseProfile, readProfile } from "./read-profile.ts";

const text = `format: 1
name: petd
client: petd >=1
verified: true
notes: [Ids are numbers.]
operations:
  - { operation: getOwner, availability: missing, reason: It keeps no owners., source: "petd/api.c" }
  - { operation: "list*", availability: disabled, reason: It is off by default., source: "https://petd.example/config" }
`;

describe("a profile", () => {
  it("lets a run find missing what a verified profile names", () => {
    expect(missingOf(parseProfile("petd.yaml", text))).toEqual(["getOwner", "list*"]);
  });

  it("hides nothing as long as it is not verified", () => {
    const profile = parseProfile("petd.yaml", text.replace("verified: true", "verified: false"));
    expect(missingOf(profile)).toEqual([]);
    const report = annotateWithProfile(
      conclude(sampleReport({ notices: [] }), [sampleCase("getOwner/example/x", "failed")], []),
      profile,
    );
    expect(report.outcome).toBe("differs");
    expect(report.cases[0]).toMatchObject({
      verdict: "failed",
      reason: "the profile petd, which is not verified, calls it missing: It keeps no owners. (petd/api.c)",
    });
    expect(report.notices[0]).toContain("it hides no failure");
  });

  it("explains what is not there", () => {
    const report = annotateWithProfile(sampleReport(), parseProfile("petd.yaml", text));
    const owner = report.operations.find(({ operation }) => operation === "getOwner");
    expect(owner?.availabilityReason).toBe(
      "it answered 501; the profile petd calls it missing: It keeps no owners. (petd/api.c)",
    );
    const pets = report.operations.find(({ operation }) => operation === "listPets");
    expect(pets?.availabilityReason).toBe("it answered");
    expect(report.notices).toContain("petd: Ids are numbers.");
  });

  it("tells that it is of another client", () => {
    const report = annotateWithProfile(
      sampleReport({ target: { client: "Geth/v1.17" } }),
      parseProfile("petd.yaml", text),
    );
    expect(report.notices).toContain(
      "The profile petd is for petd >=1, and the target identifies itself as Geth/v1.17.",
    );
  });

  it.each([
    ["another availability", text.replace("availability: missing", "availability: gone"), '7:42: "availability" is'],
    ["a missing source", text.replace(', source: "petd/api.c"', ""), '7:5: "source" is missing'],
  ])("is refused with %s", (_, wrong, message) => {
    expect(() => parseProfile("petd.yaml", wrong)).toThrow(message);
  });

  it("is named among those that come along", () => {
    expect(() => readProfile("no-such-client")).toThrow('There is no profile "no-such-client"');
    for (const name of listProfiles()) expect(readProfile(name).name).toBe(name);
  });
});
