import type { AddressInfo } from 'node:net'
import t from 'tap'
import { LIMITS } from '#server/http/limits.ts'
import { buildOperations } from '#server/lifecycle/operations.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { sendAlone } from '../../support/raw-http.ts'
import { startRecordingUpstream } from '../../support/recording-upstream.ts'
import { cookiesOf } from '../../support/visits.ts'

const KB = 1024
const CUSTOMER = NOTABLE.northwind
const REPORT = `/api/v1/charts-and-reports/${CUSTOMER}/report`
const SAVED_REPORT = JSON.stringify({
  reportName: 'Night',
  reportDetails: { selectedDateFilter: 'Today', selectedPoints: [] }
})
const PROJECTS = '/api/v2/management/projects'

const portal = await startPortal(t)
const { sandbox } = portal
const upstream = await startRecordingUpstream(t, sandbox)
const proxyPortal = await startPortal(t, { startedSandbox: sandbox, env: { UPSTREAM_URL: upstream.url } })
t.beforeEach(() => {
  upstream.forwarded.length = 0
})

async function send(call: string, framing: string, by: string, body = '', portal: Portal = proxyPortal) {
  const cookie = await cookiesOf(await portal.as(by))
  const sessionHeaders = `host: localhost\r\ncookie: ${cookie}\r\norigin: ${portal.url}\r\nx-portal-csrf: 1\r\nx-customer-id: ${CUSTOMER}\r\n`
  const head = `${call} HTTP/1.1\r\n${sessionHeaders}content-type: application/json\r\n${framing}\r\n\r\n`
  return sendAlone(Number(new URL(portal.url).port), head + body)
}
const chunks = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`

t.test('refuses a caller without the action before the body arrives, on every route', async (t) => {
  const rows = PROXY_TABLE.filter(({ body, action }) => body && action !== 'self' && action !== 'signed-in')
  t.ok(rows.length > 20)
  for (const { id, method, path } of rows) {
    const call = `${method} ${path.replace(/\/:\w+/g, '/x-1').replace('::', ':')}`
    for (const framing of ['content-length: 8000', 'transfer-encoding: chunked'])
      t.equal((await send(call, framing, 'no.access')).status, 403, `${id}, ${framing}`)
  }
  t.equal((await send(`POST ${PROJECTS}`, 'content-length: 8000', 'customer.admin')).status, 403)
  t.strictSame(upstream.forwarded, [])
})

t.test('refuses a body past the limit of its route, by its declared length or its chunks', async (t) => {
  for (const [call, limit] of [
    [`POST ${PROJECTS}`, 16 * KB],
    [`POST /api/v1/entitymodel/customers/${CUSTOMER}/pointNames`, 64 * KB],
    [`POST ${REPORT}`, 512 * KB]
  ] as const) {
    t.equal((await send(call, `content-length: ${limit + 1}`, 'partner.admin')).status, 413, call)
    const chunkedAnswer = await send(call, 'transfer-encoding: chunked', 'partner.admin', chunks(limit + 1))
    t.equal(chunkedAnswer.status, 413, `${call}, in chunks`)
    const atLimit = await send(call, `content-length: ${limit}`, 'partner.admin', ' '.repeat(limit))
    t.equal(atLimit.status, 400, `${call}, at the limit`)
  }
  t.strictSame(upstream.forwarded, [])
})

t.test('accepts no transfer coding but chunked', async (t) => {
  const call = `POST ${REPORT}`
  const body = `${SAVED_REPORT.length.toString(16)}\r\n${SAVED_REPORT}\r\n0\r\n\r\n`
  for (const coding of [
    'gzip, chunked',
    'chunked, chunked',
    'identity, chunked',
    'x\r\ntransfer-encoding: chunked'
  ]) {
    t.equal((await send(call, `transfer-encoding: ${coding}`, 'partner.admin', body)).status, 400, coding)
    t.strictSame(upstream.forwarded, [], coding)
  }
  for (const coding of ['chunked', 'Chunked'])
    t.equal((await send(call, `transfer-encoding: ${coding}`, 'partner.admin', body)).status, 200, coding)
})

t.test('limits body bytes per minute, including the bodies of refused calls', async (t) => {
  const portal = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_URL: upstream.url, BODY_MB_PER_MINUTE: '1' }
  })
  const report = SAVED_REPORT.padEnd(512 * KB)
  const save = (by: string) => send(`POST ${REPORT}`, `content-length: ${report.length}`, by, report, portal)
  t.equal((await save('partner.admin')).status, 200)
  t.equal((await save('partner.admin')).status, 200, 'at the limit')
  const refusal = await send(`POST ${PROJECTS}`, 'content-length: 1', 'partner.admin', '', portal)
  t.equal(refusal.status, 429, 'refuses one more byte')
  const seconds = Number(/^retry-after: (\d+)/im.exec(refusal.head)?.[1])
  t.ok(seconds > 0 && seconds <= 60, `${seconds} s`)
  const answer = await send('GET /api/v2/management/myUser', '', 'partner.admin', '', portal)
  t.equal(answer.status, 200, 'accepts a call without a body')
  t.equal((await save('global.admin')).status, 200, 'does not limit another person')

  const sendUnread = () => send(`POST ${PROJECTS}`, `content-length: ${16 * KB}`, 'no.access', '', portal)
  for (let call = 0; call < 64; call += 1) t.equal((await sendUnread()).status, 403)
  t.equal((await sendUnread()).status, 429, 'after many refused bodies')

  const text = '2\r\n{}\r\n0\r\n\r\n'
  const inChunks = () => send(`POST ${REPORT}`, 'transfer-encoding: chunked', 'customer.admin', text, portal)
  for (let call = 0; call < 10; call += 1) t.not((await inChunks()).status, 429, 'accepts small chunks')
})

t.test('does not parse a body that no route accepts, but limits its size', async (t) => {
  const { app, config } = portal
  const operations = await buildOperations({ app, config, metrics: createMetrics(), clock: Date.now })
  t.teardown(() => operations.close())
  await operations.listen({ port: 0, host: '127.0.0.1' })
  const metrics = `http://127.0.0.1:${(operations.server.address() as AddressInfo).port}/metrics`
  const paths = ['/nowhere', '/api/nowhere', '/api/portal/v1/me', '/callback']
  const urls = paths.map((path) => portal.url + path)
  const post = async (url: string, body: string) => {
    const headers = { 'content-type': 'application/json', 'x-portal-csrf': '1', origin: portal.url }
    const answer = await fetch(url, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    return answer.status
  }
  for (const body of ['{broken', '['.repeat(LIMITS.bodyBytes)]) {
    for (const url of [...urls, metrics]) t.equal(await post(url, body), 404, url)
    t.equal(await post(`${portal.url}/auth/logout`, body), 200, 'a sign-out')
  }
  for (const url of [...urls, `${portal.url}/auth/logout`])
    t.equal(await post(url, '['.repeat(LIMITS.bodyBytes + 1)), 413, url)
})
