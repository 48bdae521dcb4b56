// No log line contains a marked value from a callback, query, header, body or answer, at level trace. startPortal looks for
// tokens, cookies and secrets in every log.
import t from 'tap'
import type { Attributes } from '#server/observability/trace.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'
import { type Answer, callWith, json, signInWith, startFakeAuthority } from '../../support/fake-authority.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const ME = '/api/v2/management/myUser'
const PROJECT = '/api/v2/management/projects'
const MARK = 'marked-value-7f3a'

const fake = await startFakeAuthority(t)
const portal = await startPortal(t, { env: fake.env })

t.test('logs only the outcome of a failed sign-in', async (t) => {
  for (const params of [
    { error: 'access_denied', error_description: MARK },
    { code: `${MARK}-code`, iss: 'https://somebody.else' },
    { code: `${MARK}-code` }
  ]) {
    const browser = new Browser(portal.url)
    const loginAnswer = await browser.call('/auth/login')
    const state = new URL(loginAnswer.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const answer = await browser.call(`/callback?${new URLSearchParams({ ...params, state })}`)
    t.match(answer.headers.get('location'), '/signin-failed')
  }
  const refusal: Answer = (_request, response) => json(response, 400, { error: 'server_error', MARK })
  for (const changes of [{ instead: { token: refusal } }, { idToken: { nonce: MARK } }]) {
    fake.changes = changes
    await t.rejects(signInWith(fake, portal.url))
  }
  fake.changes = {}
})

t.test('logs no content of calls or of upstream answers', async (t) => {
  const cookie = await signInWith(fake, portal.url)
  const visit = async (path: string, init: RequestInit = {}) => {
    const answer = await callWith(cookie, portal.url, path, init)
    await answer.text()
    return answer.status
  }
  const headers = { tracestate: MARK, 'x-secret': MARK }
  t.equal(await visit(`/api/v2/management/roles?sort=${MARK}`, { headers }), 200)
  const body = JSON.stringify({ projectName: MARK, customer: MARK, partner: MARK, other: MARK })
  const write = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  for (const [path, init] of [
    [PROJECT, write],
    [PROJECT, { ...write, body: `{"projectName":"${MARK}"` }],
    [`${PROJECT}/1`, { ...write, method: 'PATCH' }],
    [`/api/portal/v1/customers/c-1/projects?token=${MARK}`, {}],
    [`/api/portal/v1/customers/c-1/devices?size=${MARK}`, {}],
    [`/${MARK}%zz?${MARK}`, {}]
  ] as const)
    t.ok((await visit(path, init)) >= 400, path)
  const answers: Answer[] = [
    (_request, response) => json(response, 500, { errors: [{ code: 'X', message: MARK }] }),
    (_request, response) => json(response, 403, { message: MARK }),
    (_request, response) => response.end(`<${MARK}`)
  ]
  for (const api of answers) {
    fake.changes.instead = { api }
    await visit(ME)
    await visit('/api/portal/v1/bootstrap')
  }
  fake.changes = {}
})

t.test('logs no logout token and no bearer token', async (t) => {
  const tokens = [fake.logoutToken({ sub: 'u-1', nonce: MARK }), MARK]
  for (const logout_token of tokens) {
    const form = new URLSearchParams({ logout_token })
    const { status } = await fetch(`${portal.url}/auth/backchannel-logout`, { method: 'POST', body: form })
    t.equal(status, 400)
  }
  for (const token of [fake.accessToken(), fake.accessToken({ aud: MARK }), MARK])
    await fetch(portal.url + ME, { headers: { authorization: `Bearer ${token}` } })
  t.ok(portal.logged.length > 40)
  for (const line of portal.logged) t.notMatch(line, MARK)
})

t.test('records no registration code in log lines, audit lines and spans', async (t) => {
  const code = 'ZQ7XK4WV'
  const spans: unknown[] = []
  const upstream = await startTinyUpstream(t)
  const recording = await startPortal(t, {
    env: { UPSTREAM_DEVICEMANAGEMENT_URL: `${upstream.url}/base` },
    startSpan: (name, { attributes, traceId }) => {
      spans.push(name, attributes)
      return {
        context: { traceId, spanId: 'b7ad6b7169203331', traceFlags: 1 },
        set: (more: Attributes) => void spans.push(more),
        end: (failure) => void spans.push(failure)
      }
    }
  })
  const [device] = recording.sandbox.state.devices.of(NOTABLE.northwind)
  upstream.answer = (_request, response) => json(response, 200, { licenses: [] })
  const BASE = '/api/v2/devicemanagement'
  const known = `${BASE}/reregistration/${code}/deviceUuid/${device?.deviceUuid}`
  const headers = { 'x-customer-id': NOTABLE.northwind }
  const [admin, user] = [await recording.as('partner.admin'), await recording.as('customer.user')]
  for (const [person, path, status, method = 'GET'] of [
    [admin, `${BASE}/registration/${code}`, 200],
    [admin, known, 200],
    [user, known, 403],
    [user, `${BASE}/registration/${code}`, 403],
    [admin, `${BASE}/registration/${code}/`, 404],
    [admin, `${BASE}/registration/${code}`, 404, 'POST']
  ] as const)
    t.equal((await person.call(path, { method, headers })).status, status, `${method} ${path}`)
  t.strictSame(
    upstream.received.map(({ url }) => url),
    [`/base${BASE}/registration/${code}`, `/base${known}`]
  )
  const shown = (kind: string) =>
    recording.logged.filter((line) => line.includes(`"msg":"${kind}"`) && line.includes('registration/:code'))
  await eventually(() => shown('request').length === 6)
  t.equal(shown('audit').length, 2)
  t.equal(shown('upstream call').length, 2)
  t.match(JSON.stringify(spans), `"url.path":"/base${BASE}/registration/:code"`)
  for (const line of [...recording.logged, JSON.stringify(spans)]) t.notMatch(line, code)
})
