// The expiry of certificates, read from a TLS server whose certificate is not trusted.
import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import t from 'tap'
import { watchedCertificates } from '#server/lifecycle/certificates.ts'
import { freePort } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'
import { leastConfig } from '../../support/least-config.ts'
import { createPrivateAuthority } from '../../support/private-authority.ts'

const HOUR_MS = 60 * 60_000

t.test('reads the expiry of certificates once an hour, and omits unreachable servers', async (t) => {
  const { certificates } = createPrivateAuthority(t)
  const [name = ''] = readdirSync(certificates)
  const pem = readFileSync(join(certificates, name))
  const server = createServer({ cert: pem, key: pem })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  t.teardown(() => server.close())
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  let now = 0
  const config = {
    ...leastConfig(),
    PUBLIC_URL: `https://localhost:${port}`,
    OIDC_ISSUER: `https://localhost:${await freePort()}`
  }
  const expiries = watchedCertificates(config, () => now)
  t.equal(expiries().size, 0)
  await eventually(() => expiries().size === 1)
  t.strictSame([...expiries()], [[`localhost:${port}`, Date.parse(new X509Certificate(pem).validTo)]])
  t.equal(connections, 1)
  now = HOUR_MS - 1
  expiries()
  now = HOUR_MS
  expiries()
  await eventually(() => connections === 2)
  // The clock is set back.
  now = 0
  expiries()
  await eventually(() => connections === 3)
  server.close()
  now = 2 * HOUR_MS
  await eventually(() => expiries().size === 0)
})
