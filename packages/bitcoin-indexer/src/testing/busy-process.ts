/** A child whose main thread is busy and sees nothing, for tests that kill its parent. Says when it is busy. */
import { endWithParent } from "../end-with-parent.ts";

/** Milliseconds; so that a test that fails leaves nothing behind for long. */
const longestTurn = 120_000;

endWithParent();
process.send?.("busy", () => {
  const end = performance.now() + longestTurn;
  while (performance.now() < end);
  process.exit(1);
});
