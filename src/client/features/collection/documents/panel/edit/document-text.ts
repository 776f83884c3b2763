/** A document as it is written and compared. */
export const toText = (document: unknown) => JSON.stringify(document, null, 2);
