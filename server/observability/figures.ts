// Prometheus metrics of one gateway, over prom-client: some count events, some are read at each scrape.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
/** Labels of metrics that are read at each scrape. */
const LABELS = ['api', 'host', 'outcome', 'revision', 'version']

type Labelled = (readonly [labels: Record<string, string>, value: number])[]
type Read = () => number | Labelled | Promise<number | Labelled>

export type Figures = ReturnType<typeof figuresIn>

export function figuresIn(registry: Registry) {
  const registers = [registry]
  return {
    counter: (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name, help, labelNames, registers }),
    histogram: (name: string, help: string, ...labelNames: string[]) =>
      new Histogram({ name, help, labelNames, buckets: SECONDS, registers }),
    /** Read at each scrape. */
    gauge(name: string, help: string, read: Read): void {
      new Gauge({
        name,
        help,
        labelNames: LABELS,
        registers,
        async collect() {
          for (const [labels, value] of await labelled(read)) this.set(labels, value)
        }
      })
    },
    /** A growing count, read at each scrape. */
    total(name: string, help: string, read: Read): void {
      new Counter({
        name,
        help,
        labelNames: LABELS,
        registers,
        async collect() {
          this.reset()
          for (const [labels, value] of await labelled(read)) this.inc(labels, value)
        }
      })
    }
  }
}

async function labelled(read: Read): Promise<Labelled> {
  const found = await read()
  return typeof found === 'number' ? [[{}, found]] : found
}
