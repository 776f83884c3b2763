export function buildServer(): Promise<void>;

/** Packages that stay in node_modules. */
export const runtimePackages: string[];
