import { takePrintTime } from "@nodewright/output/write";

/** Timing of the phases of a run. */
export interface Phases {
  /**
   * Runs a part of the run and adds its time to a phase. The time of a nested part counts for that part only; printing is a phase of its
   * own.
   */
  measure<Result>(name: string, part: () => Result): Result;
  measureAsync<Result>(name: string, part: () => Promise<Result>): Promise<Result>;
  /** Milliseconds by phase, in the order in which the phases began. */
  readonly times: ReadonlyMap<string, number>;
  /** Records a sentence about the course of the run, for verbose output. */
  note(sentence: string): void;
  readonly notes: readonly string[];
}

/** Creates empty phases. `onStart` is called with each phase when it begins. */
export function createPhases(onStart: (name: string) => void = () => undefined): Phases {
  const times = new Map<string, number>();
  const notes: string[] = [];
  const open: { inner: number }[] = [];
  const begin = (name: string): (() => void) => {
    if (!times.has(name)) times.set(name, 0);
    onStart(name);
    const started = performance.now();
    const frame = { inner: 0 };
    open.push(frame);
    return () => {
      const printed = takePrintTime();
      const whole = performance.now() - started;
      open.pop();
      const outer = open.at(-1);
      if (outer !== undefined) outer.inner += whole;
      add(times, name, whole - frame.inner - printed);
      if (printed > 0) add(times, "print", printed);
    };
  };
  return {
    times,
    notes,
    note: (sentence) => void notes.push(sentence),
    measure(name, part) {
      const end = begin(name);
      try {
        return part();
      } finally {
        end();
      }
    },
    async measureAsync(name, part) {
      const end = begin(name);
      try {
        return await part();
      } finally {
        end();
      }
    },
  };
}

function add(times: Map<string, number>, name: string, milliseconds: number): void {
  times.set(name, (times.get(name) ?? 0) + milliseconds);
}
