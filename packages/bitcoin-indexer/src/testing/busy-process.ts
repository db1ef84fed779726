/** A child whose main thread is busy and sees nothing, for tests that kill its parent. It reports when it is busy. */
import { endWithParent } from "../process/end-with-parent.ts";

/** Maximum duration in milliseconds, so that a failed test does not leave the process behind for long. */
const maximumTurn = 120_000;

endWithParent();
process.send?.("busy", () => {
  const end = performance.now() + maximumTurn;
  while (performance.now() < end);
  process.exit(1);
});
