import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CircuitBreaker } from "./circuit-breaker.ts";

const options = { failureThreshold: 3, cooldownMilliseconds: 100, maximumCooldownMilliseconds: 350 };

function createClockedBreaker() {
  const clock = { time: 0 };
  const breaker = new CircuitBreaker(options, () => clock.time);
  const fail = (times: number): void => {
    for (let time = 0; time < times; time += 1) {
      breaker.begin();
      breaker.fail();
    }
  };
  return { breaker, clock, fail };
}

describe("the circuit breaker", () => {
  it("opens after failures in a row, and not when a response came between", () => {
    const { breaker, fail } = createClockedBreaker();
    fail(2);
    breaker.begin();
    breaker.succeed();
    fail(2);
    expect([breaker.state, breaker.canPass()]).toEqual(["closed", true]);
    fail(1);
    expect([breaker.state, breaker.canPass(), breaker.remainingCooldown]).toEqual(["open", false, 100]);
  });

  it("lets one call pass after its rest, and closes when that is answered", () => {
    const { breaker, clock, fail } = createClockedBreaker();
    fail(3);
    clock.time = 100;
    expect([breaker.state, breaker.canPass()]).toEqual(["half-open", true]);
    breaker.begin();
    expect([breaker.state, breaker.canPass()]).toEqual(["half-open", false]);
    breaker.succeed();
    expect([breaker.state, breaker.canPass()]).toEqual(["closed", true]);
  });

  it("rests twice as long each time that the trial fails, up to a bound", () => {
    const { breaker, clock, fail } = createClockedBreaker();
    fail(3);
    const rests: number[] = [];
    for (let trial = 0; trial < 4; trial += 1) {
      rests.push(breaker.remainingCooldown);
      clock.time += breaker.remainingCooldown;
      fail(1);
    }
    expect(rests).toEqual([100, 200, 350, 350]);
  });

  it("rests as short as at first when it opens again after a response", () => {
    const { breaker, clock, fail } = createClockedBreaker();
    fail(3);
    for (let trial = 0; trial < 3; trial += 1) {
      clock.time += breaker.remainingCooldown;
      fail(1);
    }
    expect(breaker.remainingCooldown).toBe(options.maximumCooldownMilliseconds);
    clock.time += breaker.remainingCooldown;
    breaker.begin();
    breaker.succeed();
    expect(breaker.remainingCooldown).toBe(0);
    fail(2);
    expect(breaker.state).toBe("closed");
    fail(1);
    expect(breaker.remainingCooldown).toBe(options.cooldownMilliseconds);
    clock.time += options.cooldownMilliseconds - 1;
    expect(breaker.canPass()).toBe(false);
    clock.time += 1;
    expect(breaker.canPass()).toBe(true);
  });

  it("stays closed however often calls are given up", () => {
    const { breaker, fail } = createClockedBreaker();
    for (let call = 0; call < 9; call += 1) {
      breaker.begin();
      breaker.cancel();
    }
    expect([breaker.state, breaker.remainingCooldown]).toEqual(["closed", 0]);
    fail(2);
    breaker.begin();
    breaker.cancel();
    fail(1);
    expect(breaker.state).toBe("open");
  });

  it("takes five failures, and a rest of a second to half a minute, where nothing else is said", () => {
    const clock = { time: 0 };
    const breaker = new CircuitBreaker(undefined, () => clock.time);
    const rests: number[] = [];
    for (let failure = 0; failure < 11; failure += 1) {
      clock.time += breaker.remainingCooldown;
      breaker.begin();
      breaker.fail();
      rests.push(breaker.remainingCooldown);
    }
    expect(rests).toEqual([0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it("lets another call try when the first was given up by its caller", () => {
    const { breaker, clock, fail } = createClockedBreaker();
    fail(3);
    clock.time = 100;
    breaker.begin();
    breaker.cancel();
    expect([breaker.state, breaker.canPass()]).toEqual(["half-open", true]);
  });

  it("is not kept open longer by calls that were under way when it opened", () => {
    const { breaker, clock } = createClockedBreaker();
    for (let call = 0; call < 9; call += 1) breaker.begin();
    for (let call = 0; call < 9; call += 1) breaker.fail();
    expect(breaker.remainingCooldown).toBe(100);
    clock.time = 100;
    expect(breaker.canPass()).toBe(true);
  });

  it("always lets a call pass again within its longest rest", () => {
    const step = fc.constantFrom("begin", "succeed", "fail", "cancel", "wait");
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: "max" }), (steps) => {
        const { breaker, clock } = createClockedBreaker();
        for (const each of steps) {
          if (each === "wait") clock.time += 60;
          else breaker[each]();
        }
        breaker.cancel();
        clock.time += options.maximumCooldownMilliseconds;
        expect(breaker.canPass()).toBe(true);
      }),
    );
  });
});
