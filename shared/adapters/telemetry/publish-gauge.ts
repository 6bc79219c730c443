import { Gauge, type Registry } from 'prom-client';

export interface PublishedGauge {
  readonly name: string;
  readonly help: string;
  /** Labels whose values never change. */
  readonly labels: Readonly<Record<string, string>>;
  /** Asked at every scrape, and only then. Undefined: nobody knows, and the gauge has no value. */
  readonly read: () => number | undefined | Promise<number | undefined>;
}

export function publishGauge(registry: Registry, { name, help, labels, read }: PublishedGauge): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: Object.keys(labels),
    registers: [registry],
    async collect() {
      const value = await read();
      if (value === undefined) gauge.remove({ ...labels });
      else gauge.set({ ...labels }, value);
    },
  });
}
