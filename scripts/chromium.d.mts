export function findChromium(): Promise<string>;
export function chromiumOnPath(): string | undefined;
