export function assembleWasm(text: string): Uint8Array;
