interface Proxy {
  url: string;
  /** What it has logged. */
  log(): string;
  stop(): Promise<void>;
}
export function hasProxy(): boolean;
export function startProxy(servers: string[], port: number): Promise<Proxy>;
