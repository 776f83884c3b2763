export function makeIconShapes(): string;
