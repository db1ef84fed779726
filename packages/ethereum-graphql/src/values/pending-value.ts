/** Pending transactions and state: there is nothing to load beforehand. */
export class PendingValue {}
