import { WriteError } from "@nodewright/output/write";
import { describe, expect, it } from "vitest";
import { DocumentFailure, describeFailure } from "./failure.ts";
import { UsageError } from "@nodewright/terminal-text";
import { EmitterError } from "../jobs/user-emitters.ts";

function systemError(): Error {
  return Object.assign(new Error("EACCES: permission denied, open 'a'"), {
    code: "EACCES",
    syscall: "open",
    path: "a",
  });
}

describe("describeFailure", () => {
  it.each([
    [new UsageError("Name a command."), "Name a command.", 2],
    [new UsageError("a is no JSON.", 1), "a is no JSON.", 1],
    [new WriteError("a could not be written.", "a"), "a could not be written.", 1],
    [new EmitterError("zod", new Error("no")), "The emitter zod failed: no", 1],
    [systemError(), "A file could not be read or written: a: it may not be written (permission denied).", 1],
  ])("says what is wrong with files and commands in one sentence: %s", (reason, message, exitCode) => {
    expect(describeFailure(reason, false)).toEqual({ message, exitCode });
  });

  it("takes a mistake of ours upon us, names the document, and shows the stack only when asked", () => {
    const reason = DocumentFailure.of("pets.yaml", new RangeError("Maximum call stack size exceeded"));
    const { message, exitCode } = describeFailure(reason, false);
    expect(exitCode).toBe(70);
    expect(message).toContain(
      "nodewright made a mistake while it worked on pets.yaml: Maximum call stack size exceeded",
    );
    expect(message).toContain("Please report it");
    expect(message).not.toContain("    at ");
    expect(describeFailure(reason, true).message).toContain("    at ");
  });

  it("lets errors pass that say themselves what is wrong", () => {
    const reason = new UsageError("no");
    expect(DocumentFailure.of("pets.yaml", reason)).toBe(reason);
  });
});
