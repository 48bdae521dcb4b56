// Creates the Prometheus metrics of one gateway with prom-client: some count events, others are read at each scrape.
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
    gauge: readAtScrape(Gauge, registers),
    /** A growing count. */
    total: readAtScrape(Counter, registers)
  }
}

/** A metric whose values are read at each scrape. */
function readAtScrape(Metric: typeof Gauge | typeof Counter, registers: Registry[]) {
  return (name: string, help: string, read: Read): void => {
    new Metric({
      name,
      help,
      labelNames: LABELS,
      registers,
      async collect() {
        const values = await read()
        this.reset()
        for (const [labels, value] of typeof values === 'number' ? [[{}, values] as const] : values)
          this.inc(labels, value)
      }
    })
  }
}
