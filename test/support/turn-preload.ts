// Measures the turns of the event loop of the process that it is loaded into: from one SIGUSR2 to the next, whose figures it writes as JSON to
// the file that NODEWRIGHT_TURNS names.
import { writeFileSync } from "node:fs";
import { TurnMeter } from "./turn-meter.ts";

const file = process.env["NODEWRIGHT_TURNS"];
const meter = new TurnMeter();
let isMeasuring = false;

if (file !== undefined) {
  process.on("SIGUSR2", () => {
    if (isMeasuring) writeFileSync(file, JSON.stringify(meter.stop()));
    else meter.start();
    isMeasuring = !isMeasuring;
  });
}
