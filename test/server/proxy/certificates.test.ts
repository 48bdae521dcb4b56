import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signIn } from '#test/support/portal.ts'
import { startGatewayProcess } from '../../support/gateway-process.ts'
import { createPrivateAuthority, type PrivateAuthority } from '../../support/private-authority.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'

const EXPORTS = `/api/v1/egress/exports?customerId=${NOTABLE.northwind}`
const BACKUPS = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`

const sandbox = await openSandbox(t)

async function tlsUpstream({ serve }: PrivateAuthority, host?: string) {
  let calls = 0
  const url = await serve((_request, response) => {
    calls += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }, host)
  return { url, calls: () => calls }
}

t.test('refuses an upstream with a wrong certificate', async (t) => {
  const authority = createPrivateAuthority(t)
  const validUpstream = await tlsUpstream(authority)
  const otherName = await tlsUpstream(authority, 'upstream.example.com')
  const foreign = await tlsUpstream(createPrivateAuthority(t))
  const gateway = await startGatewayProcess(t, {
    NODE_EXTRA_CA_CERTS: authority.path,
    OIDC_ISSUER: sandbox.issuer,
    OIDC_CLIENT_ID: sandbox.client.id,
    OIDC_CLIENT_SECRET: sandbox.client.secret,
    UPSTREAM_URL: sandbox.url,
    UPSTREAM_RECOVER_URL: validUpstream.url,
    UPSTREAM_EGRESS_URL: otherName.url,
    UPSTREAM_CHARTS_AND_REPORTS_URL: foreign.url
  })
  const browser = await signIn(gateway.url, sandbox, 'customer.admin')
  t.equal((await browser.call(BACKUPS)).status, 200, 'accepts a valid certificate')
  for (const [name, path, upstream] of [
    ['another host name', EXPORTS, otherName],
    ['an unknown issuer', `/api/v1/charts-and-reports/${NOTABLE.northwind}/reports`, foreign]
  ] as const) {
    const answer = await browser.call(path)
    t.equal(answer.status, 503, name)
    t.notMatch(
      await answer.text(),
      /certificate|localhost|altnames|self.signed/i,
      'the answer does not reveal the cause'
    )
    t.equal(upstream.calls(), 0, 'sends no token')
  }
})
