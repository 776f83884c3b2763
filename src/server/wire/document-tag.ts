import { createHash } from 'node:crypto';

const tagBytes = 16;

/** The entity tag of a document (RFC 9110, 8.8.3), quotes and all: the same for the same text, so that reading it needs no record of who wrote it when. */
export function documentTag(text: string | Uint8Array): string {
  return `"${createHash('sha256').update(text).digest().subarray(0, tagBytes).toString('base64url')}"`;
}
