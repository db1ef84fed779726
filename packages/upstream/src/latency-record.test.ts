import { describe, expect, it } from "vitest";
import { LatencyRecord } from "./latency-record.ts";

describe("the record of latencies", () => {
  it("knows what 95 of 100 answers took at most, for each method apart", () => {
    const record = new LatencyRecord();
    for (let response = 1; response <= 64; response += 1) record.add("getblock", response);
    for (let response = 1; response <= 64; response += 1) record.add("getpeerinfo", 1_000);
    expect([record.findSlow("getblock"), record.findSlow("getpeerinfo")]).toEqual([61, 1_000]);
  });

  it("says nothing while it knows little", () => {
    const record = new LatencyRecord();
    for (let response = 0; response < 15; response += 1) record.add("getblock", 10);
    expect([record.findSlow("getblock"), record.findSlow("other")]).toEqual([undefined, undefined]);
    record.add("getblock", 10);
    expect(record.findSlow("getblock")).toBe(10);
  });

  it("finds the percentile anew after each eighth response, of those that there were", () => {
    const record = new LatencyRecord();
    for (let response = 1; response <= 23; response += 1) record.add("getblock", response);
    // The first 16, then 24.
    expect(record.findSlow("getblock")).toBe(16);
    record.add("getblock", 24);
    expect(record.findSlow("getblock")).toBe(23);
  });

  it("orders numbers as numbers, in whatever order they come", () => {
    const record = new LatencyRecord();
    for (let response = 64; response >= 1; response -= 1) record.add("getblock", response);
    expect(record.findSlow("getblock")).toBe(61);
  });

  it("goes on with the methods it knows when it takes no more", () => {
    const record = new LatencyRecord();
    for (let name = 0; name < 300; name += 1) record.add(String(name), 1);
    for (let response = 0; response < 64; response += 1) record.add("0", 9);
    expect(record.findSlow("0")).toBe(9);
  });

  it("forgets what was long ago", () => {
    const record = new LatencyRecord();
    for (let response = 0; response < 100; response += 1) record.add("getblock", 500);
    for (let response = 0; response < 72; response += 1) record.add("getblock", 5);
    expect(record.findSlow("getblock")).toBe(5);
  });

  it("keeps no more methods than a few hundred", () => {
    const record = new LatencyRecord();
    for (let name = 0; name < 300; name += 1) {
      for (let response = 0; response < 16; response += 1) record.add(String(name), 1);
    }
    expect([record.findSlow("0"), record.findSlow("255"), record.findSlow("256")]).toEqual([1, 1, undefined]);
  });
});
