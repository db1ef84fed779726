// RFC 3339, sections 5.6 and 5.7, and its appendix A.

const datePattern = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const timePattern = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[zZ]|([+-])([0-9]{2}):([0-9]{2}))$/;
const durationTime = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)";
const durationDate = "(?:[0-9]+D|[0-9]+M(?:[0-9]+D)?|[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?)";
const durationPattern = new RegExp(`^P(?:${durationDate}(?:${durationTime})?|${durationTime}|[0-9]+W)$`);

/** Days of the months from January on, in a year that is not a leap year. */
const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns whether text is like `2026-11-21T15:53:31Z`: RFC 3339, section 5.6, `date-time`. */
export function isDateTime(text: string): boolean {
  const separator = text.charAt(10);
  return (separator === "T" || separator === "t") && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** Returns whether text is like `2026-11-21`: RFC 3339, section 5.6, `full-date`. The day must exist in the month. */
export function isDate(text: string): boolean {
  const match = datePattern.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/**
 * Returns whether text is like `15:53:31.5+01:00`: RFC 3339, section 5.6, `full-time`. A second 60 is the leap second before midnight, in
 * UTC.
 */
export function isTime(text: string): boolean {
  const match = timePattern.exec(text);
  if (match === null) return false;
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map(Number);
  const [sign, offsetHour, offsetMinute] = [match[4], Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (sign === "-" ? -1 : 1);
  const minuteOfDay = (hour * 60 + minute - offset + 2 * minutesOfDay) % minutesOfDay;
  return minuteOfDay === minutesOfDay - 1;
}

const minutesOfDay = 24 * 60;

/** Returns whether text is like `P1Y2M3DT4H`: RFC 3339, appendix A, `duration`. */
export function isDuration(text: string): boolean {
  return durationPattern.test(text);
}
