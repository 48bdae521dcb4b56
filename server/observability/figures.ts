// Creates the Prometheus metrics of one gateway with prom-client: some count events, others are read at each scrape.
import { Counter, Gauge, Histogram, type Registry, type RegistryContentType } from 'prom-client'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
/** Labels of metrics that are read at each scrape. */
const LABELS = ['api', 'host', 'outcome', 'revision', 'version']

type Labelled = (readonly [labels: Record<string, string>, value: number])[]
type Read = () => number | Labelled | Promise<number | Labelled>

export type Figures = ReturnType<typeof figuresIn>

/** @param exemplars whether histograms may keep examples */
export function figuresIn(registry: Registry<RegistryContentType>, exemplars: boolean) {
  const registers = [registry]
  return {
    counter: (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name, help, labelNames, registers }),
    histogram: (name: string, help: string, ...labelNames: string[]) =>
      new Histogram({ name, help, labelNames, buckets: SECONDS, registers }),
    /** A histogram whose durations name a trace as an example, if examples are on. */
    tracedHistogram: (name: string, help: string, ...labelNames: string[]) =>
      tracedObserver(
        new Histogram({ name, help, labelNames, buckets: SECONDS, registers, enableExemplars: exemplars }),
        exemplars
      ),
    gauge: readAtScrape(Gauge, registers),
    /** A growing count. */
    total: readAtScrape(Counter, registers)
  }
}

type Observe = (seconds: number, traceId?: string) => void

/** Returns the function that observes durations with these labels. Resolves them once, because looking them up is slow. */
function tracedObserver(histogram: Histogram, exemplars: boolean) {
  return (labels: Record<string, string>): Observe => {
    if (!exemplars) {
      const child = histogram.labels(labels)
      return (seconds) => child.observe(seconds)
    }
    return (value, traceId) =>
      histogram.observe({
        labels,
        value,
        exemplarLabels: traceId === undefined ? {} : { trace_id: traceId }
      })
  }
}

/** A metric whose values are read at each scrape. */
function readAtScrape(Metric: typeof Gauge | typeof Counter, registers: Registry<RegistryContentType>[]) {
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
