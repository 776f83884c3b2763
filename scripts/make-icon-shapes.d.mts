export function makeIconShapes(): Record<string, string>;
