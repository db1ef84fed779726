export { describeOwner, type LockOwner, type ProcessLock, takeProcessLock } from "./process-lock.ts";
