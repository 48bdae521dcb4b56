import t from 'tap'
import { eventually } from '#test/support/eventually.ts'
import { freePort } from '#test/support/portal.ts'
import { createStopwatch } from '#test/support/stopwatch.ts'
import { startSandbox } from '../app.ts'
import { signIn } from '../sign-in-flow.ts'
import { callAs } from './call-as.ts'

const measure = createStopwatch()

t.test('sandboxes start side by side and know nothing of each other', async (t) => {
  const [one, two] = await Promise.all([startSandbox(), startSandbox()])
  t.teardown(() => Promise.all([one.stop(), two.stop()]))
  t.not(one.url, two.url)
  t.match(one.url, /^http:\/\/localhost:\d+$/)
  t.equal(one.issuer, `${one.url}/oidc`)
  one.state.organizations.delete('100')
  t.ok(two.state.organizations.has('100'))
})

t.test('the discovery document names the issuer and what the gateway needs', async (t) => {
  const sandbox = await startSandbox()
  t.teardown(sandbox.stop)
  const response = await fetch(`${sandbox.issuer}/.well-known/openid-configuration`)
  t.match(await response.json(), {
    issuer: sandbox.issuer,
    token_endpoint: `${sandbox.issuer}/token`,
    end_session_endpoint: `${sandbox.issuer}/session/end`,
    revocation_endpoint: `${sandbox.issuer}/token/revocation`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true
  })
  const root = await fetch(sandbox.url)
  t.match(await root.text(), /partner\.admin/)
})

t.test('behind a proxy that ends TLS, every address that it tells is https', async (t) => {
  const publicUrl = 'https://login.example.test:9443'
  const port = await freePort()
  const sandbox = await startSandbox({ publicUrl, port })
  t.teardown(sandbox.stop)
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'login.example.test:9443' }
  const answer = await fetch(`http://localhost:${port}/oidc/.well-known/openid-configuration`, {
    headers
  })
  const told = Object.entries((await answer.json()) as Record<string, unknown>)
  const addresses = told.filter(([name]) => name === 'issuer' || /_(?:endpoint|uri)$/.test(name))
  t.ok(addresses.length > 5)
  for (const [name, address] of addresses) t.ok(String(address).startsWith(`${publicUrl}/oidc`), name)
})

t.test('calls are recorded with method, path, headers and body, and the record can be emptied', async (t) => {
  const sandbox = await startSandbox()
  t.teardown(sandbox.stop)
  const call = await callAs(sandbox, 'partner.admin')
  await call('PATCH', '/projects/p-1001-1?x=1', { projectName: 'Cardiology' })
  t.match(sandbox.calls, [
    {
      method: 'PATCH',
      url: '/api/v2/management/projects/p-1001-1?x=1',
      headers: { authorization: /^Bearer ey/ },
      body: { projectName: 'Cardiology' },
      time: Number
    }
  ])
  sandbox.calls.length = 0
  await call('GET', '/myUser')
  t.equal(sandbox.calls.length, 1)
  t.notOk('body' in (sandbox.calls[0] as object))
})

t.test('the latency slows the answers of the APIs', async (t) => {
  const sandbox = await startSandbox({ latencyMs: 120 })
  t.teardown(sandbox.stop)
  const before = performance.now()
  await fetch(`${sandbox.url}/api/v2/management/myUser`)
  t.ok(performance.now() - before >= 110)
})

t.test('the extra customer has the size that was asked for', async (t) => {
  const sandbox = await startSandbox({ devices: 5000 })
  t.teardown(sandbox.stop)
  const call = await callAs(sandbox, 'partner.admin')
  t.match((await call('GET', '/organizations/c-9999')).body, { deviceCount: 5000, partnerId: '100' })
  const last = await call('GET', '/organizations/c-9999/devices?page=4&size=1000')
  t.equal(last.body._embedded.devices.length, 1000)
  t.notOk(last.body._links.next)
})

t.test('the remote host takes a bearer logout, and only with a token', async (t) => {
  const sandbox = await startSandbox()
  t.teardown(sandbox.stop)
  const { access_token } = await signIn(sandbox, 'partner.admin')
  for (const host of [sandbox.url, `${sandbox.url}/remote`]) {
    const post = (headers: Record<string, string>) =>
      fetch(`${host}/noproxy/bearer-logout`, { method: 'POST', headers })
    t.equal((await post({})).status, 401)
    t.equal((await post({ authorization: `Bearer ${access_token}` })).status, 204)
  }
})

t.test('a taken port is refused', async (t) => {
  const sandbox = await startSandbox()
  t.teardown(sandbox.stop)
  await t.rejects(startSandbox({ port: Number(new URL(sandbox.url).port) }), { code: 'EADDRINUSE' })
})

t.test('stopping does not wait for calls that hang', async (t) => {
  const sandbox = await startSandbox({ faults: 'management:timeout' })
  const hanging = fetch(`${sandbox.url}/api/v2/management/myUser`).then(
    () => 'answered',
    () => 'cut off'
  )
  await eventually(() => sandbox.faults.met('management') > 0)
  const taken = measure()
  await sandbox.stop()
  t.ok(taken() < 500, `${taken()} ms`)
  t.equal(await hanging, 'cut off')
})
