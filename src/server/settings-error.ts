/** Thrown with one line a bad setting, made to be printed as it is. */
export class SettingsError extends Error {}
