// One click in the browser can be followed by one id: answer, log line, audit line, spans, and the call in the upstream's log.
import t from 'tap'
import { openTracing } from '#server/observability/opentelemetry.ts'
import { browserTest, says } from '../support/browser/browser.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'
import { eventually } from '../support/eventually.ts'
import { leastConfig } from '../support/least-config.ts'
import { startSpanCollector } from '../support/span-collector.ts'

const collector = await startSpanCollector(t)
const log = { warn() {}, info() {} } as never
const tracing = openTracing(leastConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }), '1', log)
const { portal, open } = await browserTest(t, { startSpan: tracing.startSpan })

interface Line {
  msg: string
  requestId?: string
  traceId?: string
}

t.test('a click on Create leads to its log, audit line, spans and upstream call', async (t) => {
  const { page, answers } = await open('partner.admin', NORTHWIND)
  const dialog = page.getByRole('dialog', { name: 'New Project' })
  await page.getByRole('button', { name: 'Create New Project' }).click()
  await dialog.getByLabel('Project name').fill('Zz Traced')
  await says(page, "Project 'Zz Traced' created successfully.", () =>
    dialog.getByRole('button', { name: 'Create' }).click()
  )
  const answer = answers.find((answer) => answer.request().method() === 'POST' && answer.status() === 201)
  const requestId = answer?.headers()['x-request-id'] ?? ''
  const traceId = requestId.replaceAll('-', '')
  t.equal(traceId.length, 32)

  const linesOf = () =>
    portal.logged.map((line) => JSON.parse(line) as Line).filter((line) => line.requestId === requestId)
  for (const msg of ['request', 'audit'])
    t.match(await eventually(() => linesOf().find((line) => line.msg === msg)), { traceId }, msg)

  const sent = portal.sandbox.calls.find(({ headers }) => headers['x-request-id'] === requestId)
  t.match(sent, { method: 'POST', url: '/api/v2/management/projects' })
  await tracing.close()
  const spans = collector.spans.filter((span) => span.traceId === traceId)
  const request = spans.find(({ kind }) => kind === 'server')
  const call = spans.find(({ name }) => name === 'POST MANAGEMENT')
  t.match(request, { attributes: { 'http.response.status_code': 201, 'portal.request_id': requestId } })
  t.equal(call?.parentSpanId, request?.spanId)
  t.equal(sent?.headers.traceparent, `00-${traceId}-${call?.spanId}-01`)
})
