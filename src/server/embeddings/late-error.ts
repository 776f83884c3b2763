/** A document was given up since it took too long; others may go on. */
export class LateError extends Error {}
