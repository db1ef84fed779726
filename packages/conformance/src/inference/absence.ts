import { plainName } from "../compare/volatile-names.ts";

/** Words with which a description indicates that something does not exist. */
const aboutAbsence =
  /not.?found|unknown|no.?such|does.?n.?t.?exist|not.?exist|missing|not.?available|absent|unavailable|out.?of.?range|too.?(?:high|large|great)/i;

/** Whether a failure is about something that does not exist, by its name or message in the description. */
export function isAboutAbsence(text: string): boolean {
  return aboutAbsence.test(text);
}

/** Words with which targets report that a part of their data does not exist, whatever the code. */
const absenceText = /not.?found|out.?of.?range|\bbeyond\b|unknown (?:block|header|transaction)|no such/i;

/** Whether a message reports that the requested object does not exist. */
export function isAbsenceText(message: string): boolean {
  return absenceText.test(message);
}

/** Whether a string names the object that a parameter identifies: "Order not found" names that of `orderId`. */
export function namesType(text: string, parameter: string): boolean {
  const stem = plainName(parameter).replace(/(?:id|hash|number|no|uuid|key|code|slug|ref|height)$/, "");
  return plainName(text).includes(stem);
}

/** Names of values that need not exist: an address or a script is valid without history, and so is the end of a range. */
const addressedName =
  /stop|start|from|until|since|locator|script|addr|account|topic|code$|root|filter|data|tag|name$|label|type|kind|currency/;
/** Names of methods that process a value itself, whatever it identifies. */
const lookingAtName = /^(?:.*[_.])?(?:validate|verify|is|has|decode|test|estimate|compute|derive|check)/i;
/** Names of numbers that identify an object and are not quantities. */
const namingNumber = /(?:height|number|id)$/;

/** Whether an operation processes a value itself, whatever it identifies. */
export function looksAtValue(operation: string): boolean {
  return lookingAtName.test(operation);
}

/** Whether a parameter identifies an object that may not exist. `value`: one of its values. */
export function mayBeAbsent(parameter: string, value: unknown): boolean {
  const plain = plainName(parameter);
  return !addressedName.test(plain) && (typeof value !== "number" || namingNumber.test(plain));
}
