export { codeFrame, type FramePlace } from "./code-frame.ts";
export { counted, listed } from "./counted.ts";
export { readDuration, renderDuration } from "./duration.ts";
export { createPaint, type Paint, plainPaint } from "./paint.ts";
export { editDistanceAtMost, suggestion } from "./suggestion.ts";
export { UsageError } from "./usage-error.ts";
export { visibleText } from "./visible-text.ts";
export { wrapText } from "./wrap-text.ts";
