// The metrics of one gateway and its process, in a separate registry.
import { collectDefaultMetrics, Registry, type RegistryContentType } from 'prom-client'
import { figuresIn } from './figures.ts'
import { createRecorder } from './recorder.ts'

export type Metrics = ReturnType<typeof createMetrics>

interface Options {
  /**
   * Whether the durations of requests name a trace as an example (exemplar). The format is OpenMetrics then, because the text
   * format of Prometheus has none.
   */
  exemplars: boolean
}

export function createMetrics({ exemplars }: Options = { exemplars: false }) {
  const registry = new Registry<RegistryContentType>()
  if (exemplars) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  const figures = figuresIn(registry, exemplars)
  return {
    recorder: createRecorder(figures),
    /** The text format of Prometheus, or OpenMetrics. */
    render: () => registry.metrics(),
    contentType: registry.contentType,
    /** Adds metrics of the process: memory, CPU, descriptors, garbage collection, event-loop lag. */
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    setBuild: (build: { version: string; revision: string }) =>
      figures.gauge('gateway_build_info', 'The running version and revision', () => [[build, 1]]),
    /** @param ends expiry of certificates by host, in milliseconds since 1970 */
    watchCertificates: (ends: () => ReadonlyMap<string, number>) =>
      figures.gauge(
        'gateway_certificate_expiry_timestamp_seconds',
        'Expiry of the certificate of a server, in seconds since 1970',
        () => [...ends()].map(([host, ms]) => [{ host }, ms / 1000])
      ),
    /** @param offsetMs the time of Redis minus the time of this machine */
    watchClock: (offsetMs: () => number) =>
      figures.gauge(
        'gateway_clock_offset_seconds',
        'The time of Redis minus the time of this machine',
        () => offsetMs() / 1000
      ),
    watchSecrets: (differ: () => boolean) =>
      figures.gauge(
        'gateway_secrets_differ',
        '1 if another replica has other session secrets, otherwise 0',
        () => Number(differ())
      ),
    watchReadiness: (isReady: () => Promise<boolean>) =>
      figures.gauge('gateway_ready', '1 if /readyz answers 200, otherwise 0', async () =>
        Number(await isReady())
      ),
    watchAuthority: (answers: () => Promise<boolean>) =>
      figures.gauge(
        'gateway_authority_reachable',
        '1 if the identity provider answers within 2 s or has answered in the last 10 s, otherwise 0',
        async () => Number(await answers())
      )
  }
}
