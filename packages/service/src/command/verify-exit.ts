/** Exit code of `verify`: everything is as it was written. */
export const exitSound = 0;
/** Exit code of `verify`: something is damaged. */
export const exitDamaged = 1;
/** Exit code of `verify`: an index could not be verified, and no damage was found. */
export const exitUnverified = 3;
