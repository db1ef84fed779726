/** The waiting transactions and the pending state: there is nothing to know of it beforehand. */
export class PendingValue {}
