export function makeRouteTree(root: string): Promise<void>;
