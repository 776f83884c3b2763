import type { AppError } from '#server/errors.ts';

/** One element of an upload, in order: its JSON text, or why it could not be read from the stream. */
export type ImportRow = { index: number; text: string } | { index: number; fault: AppError };
