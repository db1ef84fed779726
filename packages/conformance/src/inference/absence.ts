import { plainName } from "../compare/volatile-names.ts";

/** Words with which a description says that something is not there. */
const aboutAbsence =
  /not.?found|unknown|no.?such|does.?n.?t.?exist|not.?exist|missing|not.?available|absent|unavailable|out.?of.?range|too.?(?:high|large|great)/i;

/** Whether a failure is about what is not there, by its name or message in the description. */
export function isAboutAbsence(text: string): boolean {
  return aboutAbsence.test(text);
}

/** Words with which targets say that a part of their data is not there, whatever the code. */
const saidAbsence = /not.?found|out.?of.?range|\bbeyond\b|unknown (?:block|header|transaction)|no such/i;

/** Whether a message says that what was asked about is not there. */
export function saysAbsence(message: string): boolean {
  return saidAbsence.test(message);
}

/** Whether a text names the thing that a parameter identifies: "Order not found" that of `orderId`. */
export function namesThing(text: string, parameter: string): boolean {
  const stem = plainName(parameter).replace(/(?:id|hash|number|no|uuid|key|code|slug|ref|height)$/, "");
  return plainName(text).includes(stem);
}

/** What is known of an address or a script need not be known before, and what ends a range need not exist. */
const addressedName =
  /stop|start|from|until|since|locator|script|addr|account|topic|code$|root|filter|data|tag|name$|label|type|kind|currency/;
/** Methods that look at a value itself, whatever it names. */
const lookingAtName = /^(?:.*[_.])?(?:validate|verify|is|has|decode|test|estimate|compute|derive|check)/i;
/** Names of numbers that say which thing is meant, and not how many. */
const namingNumber = /(?:height|number|id)$/;

/** Whether an operation looks at a value itself, whatever that names. */
export function looksAtValue(operation: string): boolean {
  return lookingAtName.test(operation);
}

/** Whether a parameter names a thing that may not be there. `value`: one that it has. */
export function mayBeAbsent(parameter: string, value: unknown): boolean {
  const plain = plainName(parameter);
  return !addressedName.test(plain) && (typeof value !== "number" || namingNumber.test(plain));
}
