// Records spans with OpenTelemetry, and sends them to a collector (OTLP over HTTP). The only file that imports its packages;
// main.ts imports it only if a collector is set.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider
} from '@opentelemetry/sdk-trace'
import type { Config } from '../config/settings.ts'
import type { Log } from '../types.ts'
import type { StartSpan } from './trace.ts'

export interface Tracing {
  startSpan: StartSpan
  /** Sends the last spans, if the collector takes them in time. */
  close(): Promise<void>
}

const EXPORT_TIMEOUT_MS = 5_000
/** Time for the last spans, while the process stops. */
const CLOSE_WITHIN_MS = 2_000
/** Longer than every attribute of the gateway: paths have at most 300 characters. */
const ATTRIBUTE_MAX_CHARACTERS = 500
const SPAN_ID_BYTES = 8
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

export function openTracing(config: Config, version: string, log: Log): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${config.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMillis: EXPORT_TIMEOUT_MS
  })
  // The next trace begins with the id that the log lines of its request have.
  let nextTraceId = ''
  const provider = new TracerProvider({
    resource: detectResources({ detectors: [resourceAttributesEnvDetector] }).merge(
      resourceFromAttributes({ 'service.name': config.OTEL_SERVICE_NAME, 'service.version': version })
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_MAX_CHARACTERS },
    idGenerator: {
      generateTraceId: () => nextTraceId,
      generateSpanId: () => randomBytes(SPAN_ID_BYTES).toString('hex')
    },
    spanProcessors: [new BatchSpanProcessor({ exporter: withLog(exporter, log) })]
  })
  const tracer = provider.getTracer('portal-gateway', version)

  return {
    startSpan(name, { kind, attributes, parent, traceId }) {
      nextTraceId = traceId
      const place = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, place)
      return {
        context: span.spanContext(),
        set: (attributes) => void span.setAttributes(attributes),
        end(failure) {
          if (failure !== undefined)
            span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        }
      }
    },
    async close() {
      await Promise.race([provider.shutdown(), wait(CLOSE_WITHIN_MS, undefined, { ref: false })]).catch(
        () => {}
      )
    }
  }
}

/** Says once that the collector takes no spans, and once that it takes them again. */
function withLog(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined
        if (hasFailed && !isFailing)
          log.warn({ err: result.error }, 'the collector of OTEL_EXPORTER_OTLP_ENDPOINT takes no spans')
        if (!hasFailed && isFailing) log.info('the collector takes spans again')
        isFailing = hasFailed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.()
  }
}
