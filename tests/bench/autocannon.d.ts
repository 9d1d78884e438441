// What we use of the load generator, which comes without types.
declare module 'autocannon' {
  interface Result {
    requests: { average: number; total: number };
    latency: { p50: number; p99: number; max: number };
    errors: number;
    timeouts: number;
    non2xx: number;
    '4xx': number;
    '5xx': number;
  }
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    /** Requests a second over all connections; without it, as many as are answered. */
    overallRate?: number;
    /** Seconds after which a request is given up. */
    timeout?: number;
    headers?: Record<string, string>;
    requests?: { method?: string; path: string; body?: string }[];
  }): Promise<Result>;
}
