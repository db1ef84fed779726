const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90s`, `1.5m`, `1h30m`, or a number in seconds. Returns milliseconds; `undefined` for anything but a duration above 0. */
export function readDuration(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return positive(Number(text) * 1000);
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, number = "", unit = ""] of text.matchAll(/([\d.]+)(ms|[smhd])/g))
    sum += Number(number) * (units[unit] ?? 0);
  return positive(sum);
}

/** Maximum delay of a Node timer. */
const maximumMilliseconds = 2 ** 31 - 1;

function positive(milliseconds: number): number | undefined {
  return milliseconds > 0 && milliseconds <= maximumMilliseconds ? milliseconds : undefined;
}

/** Formats a duration for people: `0.8 s`, `12 s`, `3 min 20 s`. */
export function renderDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 120) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 120) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
