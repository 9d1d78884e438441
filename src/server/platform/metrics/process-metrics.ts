// What this process counts of its own work, in the form of Prometheus: requests, charges, its event loop and memory. Nothing of people or
// stores is in it: what is counted bears the names of calls and pages alone.
import { AggregatorRegistry, collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** Of this process. Several processes of one server are added up by the one that watches over them (processes.ts). */
const registry = new Registry();
AggregatorRegistry.setRegistries(registry);
const registers = [registry];

const requests = new Counter({
  name: 'perennial_requests_total',
  help: 'Requests that were answered, by call (or address of a page, without names of stores) and status.',
  labelNames: ['name', 'status'],
  registers,
});
const seconds = new Histogram({
  name: 'perennial_request_seconds',
  help: 'How long answers took, by kind: calls of the admin and of programs, pages for customers and everything else.',
  labelNames: ['kind'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});
const charges = new Counter({
  name: 'perennial_charges_total',
  help:
    'Answers of payment gateways to charges: paid, refused (by the bank), waiting (for the provider or the customer), unknown (no answer ' +
    'came).',
  labelNames: ['outcome'],
  registers,
});
const chargeSeconds = new Histogram({
  name: 'perennial_charge_seconds',
  help: 'How long payment gateways took to answer.',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  registers,
});

/** Counts a request that was answered. `call`: its name in the catalogue; `route`: the pattern of its address. */
export function countRequest(of: { call?: string; route?: string; status: number; ms: number }): void {
  requests.inc({ name: of.call ?? of.route ?? 'none', status: String(of.status) });
  seconds.observe({ kind: of.call ? 'call' : 'page' }, of.ms / 1000);
}

const OUTCOMES = ['paid', 'refused', 'waiting', 'unknown'] as const;
export type ChargeOutcome = (typeof OUTCOMES)[number];
// From the start, so that the first of its kind is a rise.
for (const outcome of OUTCOMES) charges.inc({ outcome }, 0);

/** Counts what a gateway answered to a charge, or that it did not. */
export function countCharge(outcome: ChargeOutcome, ms: number): void {
  charges.inc({ outcome });
  chargeSeconds.observe(ms / 1000);
}

const replaced = new Counter({
  name: 'perennial_replaced_total',
  help: 'Processes that ended unexpectedly and were replaced.',
  registers,
});
replaced.inc(0);
/** Of this process: how many before it ended unexpectedly. */
export const countReplaced = (times: number): void => replaced.inc(times);

let isCollecting = false;
/** Begins to watch the event loop and the memory of this process; for a server, not for its tests. */
export function watchProcess(): void {
  if (isCollecting) return;
  isCollecting = true;
  collectDefaultMetrics({ register: registry });
  // Gauges with the names of counters, which monitoring refuses or misreads; the same figures come by type as well.
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`);
  // Of several processes the busiest counts, not their average.
  for (const name of registry.getMetricsAsArray().map(metric => metric.name)) {
    const metric = registry.getSingleMetric(name) as { aggregator?: string } | undefined;
    if (metric && /^nodejs_eventloop_lag_(?!min)/.test(name)) metric.aggregator = 'max';
  }
  // A process of several answers the one that adds them up.
  void new AggregatorRegistry();
}

/** The figures of this process alone. */
export const processText = (): Promise<string> => registry.metrics();
/** How the figures are to be announced. */
export const CONTENT_TYPE = registry.contentType;
