import { describe, expect, it } from "vitest";
import { cpuMillisecondsDuring } from "../../../test/support/cpu-time.ts";
import { createSecretFilter } from "./secret-filter.ts";

const secret = 'ü+t0p/S3cret?>"~~\\end';
const mask = "(hidden)";

function base64(text: string, encoding: "base64" | "base64url" = "base64"): string {
  return Buffer.from(text).toString(encoding);
}

describe("a filter of secrets", () => {
  it.each([
    ["as it is", secret],
    ["as in a JSON string", JSON.stringify(secret).slice(1, -1)],
    ["percent-encoded", encodeURIComponent(secret)],
    ["percent-encoded in lower case", encodeURIComponent(secret).toLowerCase().replaceAll("s3c", "S3c")],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(secret))],
    ["percent-encoded in each octet", Buffer.from(secret).toString("hex").replaceAll(/../g, "%$&")],
    ["cut off behind its first 16 characters", secret.slice(0, 16)],
    ["cut off later", secret.slice(0, -2)],
    ["in Base64", base64(secret)],
    ["in Base64, behind one octet", base64(`:${secret}`)],
    ["in Base64, behind two octets", base64(`u:${secret}`)],
    ["in Base64, behind and before others", base64(`carol:${secret}\n`)],
    ["in Base64 for URLs", base64(`carol:${secret}`, "base64url")],
    ["in Base64, percent-encoded", encodeURIComponent(base64(`carol:${secret}`))],
    ["in Base64, cut off", base64(`carol:${secret}`).slice(0, -4)],
  ])("replaces a secret %s, wherever it stands", (_name, spelling) => {
    const filter = createSecretFilter(["other-secret", secret], mask);

    expect(filter(spelling)).toBe(mask);
    expect(filter(`key "${spelling}", ${spelling}!`)).toBe(`key "${mask}", ${mask}!`);
  });

  it("replaces a secret in Base64 for URLs that has an underscore", () => {
    const own = "ÿ?ÿ?ÿ?ÿ?ÿ?ÿ?ÿ?ÿ?";
    const spelling = base64(own, "base64url");
    expect(spelling).toContain("_");
    expect(createSecretFilter([own], mask)(`key "${spelling}"`)).toBe(`key "${mask}"`);
  });

  it.each([
    ["other text", "t0p S3cret %20 %2525"],
    ["fewer than 16 characters of it", `${secret.slice(0, 15)} %20`],
    ["its end", secret.slice(1)],
    ["other Base64", base64("carol:t0p")],
    ["nothing", ""],
  ])("leaves the rest as it is: %s", (_name, text) => {
    expect(createSecretFilter([secret], mask)(text)).toBe(text);
  });

  it("replaces the longest of secrets that begin in the same way", () => {
    const start = "project-0123456789";
    const filter = createSecretFilter([`${start}-a`, `${start}-bcd`, start, `${start}-b`], mask);

    expect(filter(`${start}-bcd ${start}-a ${start}-b ${start}. ${start}-x`)).toBe(
      `${mask} ${mask} ${mask} ${mask}. ${mask}x`,
    );
  });

  it("replaces the longer one of a secret and its part", () => {
    expect(createSecretFilter(["t0pS3cret", "carol:t0pS3cret"], mask)("carol:t0pS3cret t0pS3cret")).toBe(
      `${mask} ${mask}`,
    );
  });

  it("replaces a short secret as a whole word alone", () => {
    const filter = createSecretFilter(["rpc", "", "p=1/"], mask);

    expect(filter(`rpc: rpcs arpc rpc-x "rpc" %72pc ${base64("rpc")} p=1/ p%3D1%2f cD0xLw==`)).toBe(
      `${mask}: rpcs arpc rpc-x "${mask}" ${mask} ${mask} ${mask} ${mask} ${mask}`,
    );
  });

  it("knows no secret where there is none", () => {
    expect(createSecretFilter([], mask)("100%")).toBe("100%");
  });

  it.each([
    ["x".repeat(4_000), "x".repeat(16_000)],
    ["%".repeat(256), "%25".repeat(5_000)],
    [`${"\\".repeat(15)}x`, "\\".repeat(16_000)],
    ["t0pS3cret0123456789", `${base64("t0pS3cret")}%`.repeat(1_000)],
    ["t0pS3cret0123456789", `${"%25".repeat(5_000)}74`],
  ])("takes time in proportion to the length of the text: %#", async (repetitive, text) => {
    const filter = createSecretFilter([repetitive], mask);
    const work = async (): Promise<void> => {
      for (let time = 0; time < 10; time += 1) filter(text);
    };
    expect(await cpuMillisecondsDuring(work)).toBeLessThan(2_000);
  });
});
