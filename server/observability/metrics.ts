// The metrics of one gateway and its process, in a separate registry.
import { collectDefaultMetrics, Registry } from 'prom-client'
import { figuresIn } from './figures.ts'
import { createRecorder } from './recorder.ts'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const figures = figuresIn(registry)
  return {
    recorder: createRecorder(figures),
    /** The text format of Prometheus. */
    render: () => registry.metrics(),
    contentType: registry.contentType,
    /** Adds metrics of the process: memory, CPU, descriptors, garbage collection, event-loop lag. */
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    tellBuild: (build: { version: string; revision: string }) =>
      figures.gauge('gateway_build_info', 'What runs here', () => [[build, 1]]),
    /** @param ends when certificates end, in milliseconds since 1970, by host */
    watchCertificates: (ends: () => ReadonlyMap<string, number>) =>
      figures.gauge(
        'gateway_certificate_expiry_timestamp_seconds',
        'When the certificate of a server ends, in seconds since 1970',
        () => [...ends()].map(([host, ms]) => [{ host }, ms / 1000])
      ),
    watchReadiness: (isReady: () => Promise<boolean>) =>
      figures.gauge('gateway_ready', 'Whether it may be sent calls, as /readyz says', async () =>
        Number(await isReady())
      )
  }
}
